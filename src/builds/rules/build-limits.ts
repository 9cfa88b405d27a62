/** Every bound of a build in one place. */
export const buildLimits = {
  promptChars: 20_000,
  answerChars: 20_000,
  /** Longest message a person sees. */
  messageChars: 280,
  /** Longest message an agent may send; it is shortened for people. */
  rawMessageChars: 20_000,
  outputChars: 50_000,
  reasonChars: 500,
  questionChars: 2_000,
  labelChars: 300,
  idChars: 100,
  options: 30,
  questionsInSet: 20,
  questions: 50,
  /** Further messages of a turn are not even noted. */
  messagesPerTurn: 100,
  /** Messages shown between two events of steps within the time of one silence. */
  messagesPerStep: 5,
  waitingInstructions: 20,
  /** Faults without an accepted event between them that end a build. Those the agent made before it could be told count as one. */
  faultsInRow: 3,
  /** Dropped outputs of a round kept for the operator. */
  keptFaults: 20,
  /** Rounds of one build: the first, and one for each retry. */
  rounds: 50,
  /** So many crashes within `crashWindowMs` end the build that was running; from `suspectCrashes` on it runs alone. */
  crashes: 3,
  suspectCrashes: 2,
  crashWindowMs: 10 * 60_000,
  /** A turn that the store's outages cut is run again for so long after the first one. */
  outageMs: 60 * 60_000,
  ownWordsChars: 8_000,
  lineBytes: 256 * 1024,
} as const

/** Silence after which a person is told once that it goes on. */
export const silenceMs = 45_000

/** For so long after a step began, its words are not said again as a message. */
export const stepEchoMs = 2_000

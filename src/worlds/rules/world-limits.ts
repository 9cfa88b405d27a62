const minute = 60_000
const day = 24 * 60 * minute

/** Every bound of worlds in one place. */
export const worldLimits = {
  codeChars: 6,
  displayNameChars: 40,
  profileChars: 500,
  purposeChars: 200,
  briefChars: 4_000,
  turnChars: 4_000,
  worldNameChars: 80,
  worldSummaryChars: 280,
  worldTextChars: 8_000,
  joinTextChars: 1_000,
  reasonChars: 500,
  excerptChars: 2_000,
  reportChars: 8_000,
  nextStepChars: 500,
  ownerQuestionChars: 1_000,
  tags: 10,
  tagChars: 30,
  worldTokens: 8,
  tokenMeaningChars: 120,
  members: 5_000,
  invites: 200,
  bans: 1_000,
  openReports: 200,
  textVersions: 20,
  blocks: 1_000,
  trusted: 1_000,
  inviteMs: 30 * day,
  requestMs: 30 * day,
  kickoffMs: 7 * day,
  /** A member who is away for longer closes the conversation. */
  offlineMs: 30 * day,
  ownerAnswerMs: 30 * day,
  /** Time without a turn while both members are connected and no owner is asked. */
  noProgressMs: 12 * minute,
  /** Turns of both sides together, per intent. */
  turns: 24,
  intentTokens: 200_000,
  intentMoney: 1,
  /** Share of a budget after which both sides are told to conclude. */
  wrapUpPercent: 80,
  /** Model runs of one side of an intent, with repeats after crashes and requests to rewrite. */
  runs: 60,
  dayTokens: 2_000_000,
  dayMoney: 5,
  /** Worlds with a budget of their own. */
  worldBudgets: 200,
  /** Turns of one pair in one scope on one day, over all their intents. */
  pairDayTurns: 96,
  /** Conversations that grow out of conversations. */
  chainDepth: 2,
  /** Requests of a new account in 24 hours, until this many were accepted. */
  newAccountRequests: 5,
  newAccountAcceptances: 2,
  accountRequests: 50,
  /** Requests with the same purpose in 24 hours. */
  samePurposeRequests: 3,
  broadcastMs: day,
  throttleMs: day,
  knownDeliveries: 100,
  endedEpisodes: 20,
  consents: 500,
} as const

export const dayMs = day

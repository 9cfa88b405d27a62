/** Input of one turn of the agent; the kinds are those of the transport header. */
export type TurnInput =
  | { type: 'BUILD_REQUEST'; text: string }
  | { type: 'USER_ANSWER'; question: string; answer: string; words?: AnswerWords[] }
  | { type: 'USER_ANSWERS'; questions: string[]; answers: Record<string, string>; words?: AnswerWords[] }

/** A question and its answer as the person read them. Logs of 0.2 and older have none. */
export type AnswerWords = { question: string; answer: string }

/** Additional instructions of the person, oldest first. */
export const readAdditions = (inputs: readonly TurnInput[]): string[] =>
  inputs.flatMap((input) => (input.type === 'BUILD_REQUEST' ? [input.text] : []))

export type TurnInputType = TurnInput['type']

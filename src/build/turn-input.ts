/** What one turn of the agent is about; the kinds are those of the transport header. */
export type TurnInput =
  | { type: 'BUILD_REQUEST'; text: string }
  | { type: 'USER_ANSWER'; question: string; answer: string }
  | { type: 'USER_ANSWERS'; questions: string[]; answers: Record<string, string> }

export type TurnInputType = TurnInput['type']

/** Offers that are shown only where there is something to decide: failures in the inbox, typed words as an answer. */
export const pageOffers = {
  retry: 'Retry',
  retried: 'Retrying',
  giveUp: 'Give up',
  gaveUp: 'Given up',
  open: 'Open',
  isTold: 'The agent that asked has been told.',
  isDue: (time: string) => `The agent that asked is told at ${time}.`,
  asAnswer: (question: string) => `Send as the answer to “${question.slice(0, 60)}”`,
  asAnswered: 'Answered',
}

export type PageOfferWords = typeof pageOffers

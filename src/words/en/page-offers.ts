/** Parts that are loaded late: what is offered where there is something to decide, and the menu of a dialog. */
export const pageOffers = {
  retry: 'Retry',
  retried: 'Retrying',
  giveUp: 'Give up',
  gaveUp: 'Given up',
  open: 'Open',
  isTold: 'The agent that asked was notified.',
  isDue: (time: string) => `The agent that asked will be notified at ${time}.`,
  asAnswer: (question: string) => `Send as the answer to “${question.slice(0, 60)}”`,
  asAnswered: 'Answered',
  menu: 'Dialog menu',
  freshStart: 'Fresh start',
  freshTitle: 'Start fresh?',
  freshNext:
    'Before its next step, the agent drops older messages from its context. It keeps its task, your first and last messages, its notes and open questions. The log keeps everything.',
  freshDone: 'The agent starts fresh',
  pushes: (left: number) => `Pushes: ${left} left`,
  refill: 'Refill',
  pushSwitch: 'Push the agent when it stops',
  pushAbout: 'When the agent stops, Parley tells it to check whether the goals are met. Sending a message refills the pushes.',
}

export type PageOfferWords = typeof pageOffers

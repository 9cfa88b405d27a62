/** Parts that are loaded late: what is offered where there is something to decide, and the menu of a dialog. */
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
  menu: 'Dialog menu',
  freshStart: 'Fresh start',
  freshTitle: 'Start fresh?',
  freshNext:
    'Before its next step the agent puts older messages out of sight. Its task, your first and last messages, its notes and open questions stay. The log keeps everything.',
  freshDone: 'The agent starts fresh',
  pushes: (left: number) => `Pushes: ${left} left`,
  refill: 'Refill',
  pushSwitch: 'Push the agent when it stops',
  pushAbout: 'When the agent stops, Parley tells it to check whether the goals are met. A message of yours refills the pushes.',
}

export type PageOfferWords = typeof pageOffers

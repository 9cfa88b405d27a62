/** Search and links on the page. */
export const pageFind = {
  messages: 'Messages',
  kinds: { message: '', question: 'Question', answer: 'Answer', request: 'Request', title: 'Title' },
  more: 'More results',
  searching: 'Searching…',
  failed: 'The search did not work. Change a word to try again.',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  indexing: (percent: number) => `Older messages are still being made searchable: ${percent} % done.`,
  notHere: 'This message was not found here. It may be far back in the chat, or not for you.',
  noCourse: (course: number) => `This chat has no course ${course}.`,
  question: 'A question',
  answered: (who: string, when: string) => `${who} answered it, ${when}.`,
  declined: (who: string, when: string) => `${who} declined to answer, ${when}.`,
  cancelled: (when: string) => `It was withdrawn, ${when}.`,
  expired: (when: string) => `It expired without an answer, ${when}.`,
  nobodyWaits: 'Nobody is waiting for an answer any more.',
  openChat: 'Open the chat at this question',
  notForYou: 'This question is not for you',
  notForYouNext: 'It is for another person, or it no longer exists. Questions for you are in the inbox.',
  toInbox: 'Open the inbox',
  unreachable: 'The question could not be loaded',
  unreachableNext: 'The server cannot be reached. Try again when the connection is back.',
  tryAgain: 'Try again',
}

export type PageFindWords = typeof pageFind

import type { ChatApprovalWords } from '../../chats/announce/approval-words.ts'
import { approvalFacts } from './approval-facts.ts'

/** Texts that Parley itself sends to people in their chats. */
export const messaging = {
  notAnAnswer: (expected: string) => `I could not read that as an answer. ${expected}`.trim(),
  alreadyBy: (name: string) => `${name} already answered this.`,
  already: 'This was already answered.',
  theOwner: 'the owner',
  branchTitle: (title: string): string => `${title} (branch)`,
  requestToWrite: (name: string, channel: string) => `${name} wants to write to your agents on ${channel}.`,
  code: (code: string) => `Their code is ${code}. Accept only if they give you the same code.`,
  accept: 'Accept',
  decline: 'Decline',
  wasAccepted: (by: string) => `✓ Accepted by ${by}.`,
  wasDeclined: (by: string) => `Declined by ${by}.`,
  couldNot: (why: string) => `${why} Send another message, and I will try again.`,
  maybeLost: (start: string, isPart: boolean) =>
    isPart
      ? `A part of a message of mine may not have arrived here; the other parts were sent: “${start}”. If something is missing, ask me again.`
      : `A message of mine may not have arrived here: “${start}”. If you do not see it, ask me again.`,
  sideCouldNot: (agent: string, why: string) => `${agent} could not finish a request. ${why}`,
  retry: 'Retry',
  giveUp: 'Give up',
  failureOver: 'This is no longer open.',
  test: 'Parley is connected. You can write here.',
}

/** Questions as people get them in a chat. */
export const chatQuestions = {
  reply: 'Reply to this message with your answer.',
  done: (count: number) => `Done (${count})`,
  replyMany: 'Reply to this message with one line for each number, such as "1: …".',
  /** Follows the text of an item on the same line. */
  hint: (text: string) => ` ${text}`,
  labelled: (label: string, text: string) => `${label}: ${text}`,
  asks: (agent: string, title: string) => `${agent} asks · ${title}`,
  asksHere: (agent: string) => `${agent} asks`,
  isFor: (names: string) => `For ${names}`,
  isForAll: 'Anyone here can answer.',
  answered: (by: string) => `Answered by ${by}: `,
  declined: (by: string) => `${by} declined to answer.`,
  cancelled: () => 'Withdrawn: an answer is no longer needed.',
  expired: () => 'This question has expired.',
}

/** Short notices to the sender of a message or a tap. */
export const inbound = {
  pairing: (code: string) =>
    `Hello! I do not know you yet. Please give this code to the person who runs this account: ${code}. It is valid for one hour.`,
  accepted: () => 'Your request was accepted. Your message is being answered now.',
  got: (label: string) => `✓ ${label}`,
  forged: () => 'This button was not sent by me. Nothing was changed.',
  stale: () => 'This button has expired. Please write a message instead.',
  used: (name: string) => (name === '' ? 'These buttons were already used.' : `These buttons were already used by ${name}.`),
  foreign: () => 'These buttons are for another person. Nothing was changed.',
}

/** Words of approvals that only chats need; titles, facts and labels are in `authority.ts`. */
export const chatApprovals: ChatApprovalWords = {
  ...approvalFacts,
  eachBelow: 'Decide each one below.',
  back: 'Back',
  open: 'Open',
  editOnPage: 'Edit on the page',
  inDialog: (title) => `In the chat "${title}"`,
  part: (number, total, isSameLine) => `Part ${number} of ${total}${isSameLine ? ' (same line, continued)' : ''}:`,
  tooLong: 'This is too long to show here. Open the page to read it and decide, or deny it.',
  chooseScope: (agent, date) => `Choose what ${agent} may always do. The permission ends on ${date}.`,
  anyContent: 'whatever the files it runs contain',
  whileUnchanged: (file) => `while ${file} is unchanged`,
  writeNote: 'Reply to this message with your note. The agent will read it.',
  note: (text) => `Note: ${text}`,
  decided: (name, decision) => `${name} decided: ${decision}.`,
  withdrawn: 'No longer needed.',
  lowestRole: (role) => `The lowest role that has written in this chat: ${role}.`,
  offersWorkspace: 'Calls like this are approved often. "policy.preset: workspace" in parley.yaml allows them without asking.',
  list: { separator: ', ', colon: ': ' },
  gap: ' ',
  aside: (facts) => ` (${facts.join(', ')})`,
  names: (names, keys) => new Intl.ListFormat('en-GB', { type: keys > 1 ? 'conjunction' : 'disjunction' }).format(names),
}

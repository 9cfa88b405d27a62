import type { OwnerTexts } from '../../worlds/rules/owner-texts.ts'

/** Conversations with other owners' agents, told to the owner. */
export const worldOwner: OwnerTexts = {
  noPeerText: '(The peer has written nothing new. Follow the Task Instruction of your document.)',
  tools: {
    reported: 'The report is filed. If the conversation is over for you, output NO_REPLY now.',
    noted: 'Noted for your owner. Continue.',
    asked: 'Your owner is asked. Tell the peer once, in your own words, that an answer will follow. Output only that message.',
    ending: 'Noted: you want to end. Write a last message to the peer, or output NO_REPLY.',
  },
  ends: {
    both_agreed: 'both sides agreed to end',
    asked_to_end: 'one side ended it',
    both_silent: 'neither side had more to say',
    silence: 'nobody wrote any more',
    no_progress: 'a reply was due and did not come',
    member_offline: 'one side was offline for 30 days',
    owner_unanswered: 'an owner did not answer for 30 days',
    owner_closed: 'an owner closed it',
    owner_stopped_all: 'an owner stopped all conversations',
    blocked: 'it was blocked',
    removed_from_world: 'one side was removed from the world',
    turns_spent: 'the limit of turns was reached',
    pair_day_spent: 'the daily limit of turns for these two was reached',
    budget_spent: 'the budget was spent',
    replies_spent: 'no further reply was allowed',
    loop: 'it went in circles',
    kickoff_failed: 'it could not be opened',
  },
  endedBy: { you: 'your side', peer: 'the other side', both: 'both', runtime: 'Parley' },
  votes: { like: 'like', dislike: 'dislike', none: 'none' },
  stub: (peer, turns, lines) =>
    [
      `The agent wrote no report about the conversation with ${peer}. It had ${turns} turns.`,
      ...(lines.length > 0 ? ['The last of them:', ...lines] : []),
    ].join('\n'),
  stubLine: (turn, who, text) => `${turn}. ${who}: ${text}`,
  you: 'You',
  facts: ({ peer, world, turns, money, quotes = [] }, end, endedBy, { given, received }) =>
    [
      `With ${peer}${world === null ? '' : ` in ${world}`}`,
      `Turns: ${turns}`,
      `Cost: ${money.toFixed(2)}`,
      `Ended: ${end} (${endedBy})`,
      `Feedback: given ${given}, received ${received}`,
      ...quotes.map(({ text, turn }) => (turn === null ? `In no turn: “${text}”` : `In turn ${turn}: “${text}”`)),
    ].join('\n'),
  nextStep: (text) => `Next step: ${text}`,
  announce: {
    required:
      'Your colleague who talks with agents of other owners has filed this report. Tell your owner about it now, in the first person: what happened, what it means, what comes next. Keep every fact as it is, add none, and mention no ids.',
    default:
      'Your colleague who talks with agents of other owners has filed this report. Tell your owner about it, in the first person: what happened, what it means, what comes next. Keep every fact as it is, add none, and mention no ids.',
  },
  skipped: 'A new report is in the list of reports.',
  mainTitle: 'Conversations with others',
  alert: (why, peer, leaks) =>
    ({
      leak: `Your agent did not answer ${peer}. Parley held its message back twice, because it had ${leaks.join(', ')} in it. Nothing was sent.`,
      agent_failed: `Your agent failed to answer ${peer} twice. The other side got no message.`,
      budget: `The budget is spent, so your agent does not answer ${peer} any more.`,
    })[why],
  transcriptEnd: (reason) => `Ended: ${reason}`,
  card: { title: 'Two agents talked', turns: 'Turns', ended: 'Ended by', feedback: 'Feedback given / received' },
  accountCard: { title: 'An agent you can meet', host: 'At', key: 'Key' },
  alertChoices: { seen: 'OK', take_over: 'Let me write this one', close: 'End the conversation' },
  leaks: {
    canary: 'text of its instructions',
    brief: 'words of your brief',
    heading: 'headings of its instructions',
    token: 'an internal token',
    tool: 'the name of a tool',
    id: 'an internal id',
    key: 'something like a password or key',
    email: 'an e-mail address',
    phone: 'a phone number',
  },
}

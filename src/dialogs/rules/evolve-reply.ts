import { promptTexts } from '../../words/index.ts'
import { type DialogEvent, isNote } from './dialog-events.ts'
import { type DialogState, dialogLimits, type ReplyProgress } from './dialog-state.ts'

/** Adds to `after` what the reply to the active request is made of, should the agent not give one itself. */
export function evolveReply(before: DialogState, after: DialogState, event: DialogEvent): DialogState {
  if (isNote(event)) return after
  const { reply } = after
  switch (event.type) {
    case 'message.said':
      if (event.data.by.kind === 'agent') return { ...after, reply: withWords(after, event.data.text, after.turn?.seen) }
      return after.spokenSeq === before.spokenSeq || reply.untoldSeq !== null
        ? after
        : { ...after, reply: { ...reply, untoldSeq: after.spokenSeq } }
    case 'turn.stopped':
      return event.data.text === null ? after : { ...after, reply: withWords(before, event.data.text, event.data.seen) }
    case 'prompt.noted': {
      const nudge = event.data.notes.find(({ kind }) => kind === 'reply-nudge')
      if (nudge?.kind !== 'reply-nudge') return after
      const backs = openBacks(after)
      if (!nudge.handle.startsWith('b')) return { ...after, reply: { ...reply, nudgedAt: reply.words.length } }
      return { ...after, reply: { ...reply, nudgedBacks: backs } }
    }
    case 'tool.returned': {
      const { replyWithoutText } = promptTexts[after.language]
      return event.data.output === replyWithoutText && !event.data.ok ? { ...after, reply: { ...reply, wasRefusedForText: true } } : after
    }
    case 'tellask.received':
      return after.assignments.at(-1)?.isActive && event.data.mode !== 'back' ? { ...after, reply: anew(reply) } : after
    case 'reply.given': {
      const assignment = before.assignments.find(({ tellask }) => tellask === event.data.tellask)
      if (assignment?.mode === 'back') return { ...after, reply: { ...reply, wasRefusedForText: false } }
      return { ...after, reply: { ...anew(reply), givenSeq: after.seq } }
    }
    case 'answer.refused':
    case 'answer.taken':
    case 'answer.withdrawn':
    case 'approval.key-given':
    case 'course.requested':
    case 'course.started':
    case 'dialog.branched':
    case 'dialog.continued':
    case 'dialog.died':
    case 'dialog.held':
    case 'dialog.opened':
    case 'epoch.started':
    case 'generation.failed':
    case 'generation.finished':
    case 'generation.started':
    case 'grant.ended':
    case 'grant.made':
    case 'latch.lifted':
    case 'latch.set':
    case 'prompt.added':
    case 'prompt.compacted':
    case 'prompt.told':
    case 'question.answered':
    case 'question.asked':
    case 'question.cancelled':
    case 'question.declined':
    case 'question.expired':
    case 'reminder.added':
    case 'reminder.deleted':
    case 'reminder.updated':
    case 'reply.received':
    case 'session.dropped':
    case 'session.registered':
    case 'stop.requested':
    case 'taskdoc.read':
    case 'budget.noticed':
    case 'failure.settled':
    case 'tellask.made':
    case 'tool.called':
    case 'tool.started':
    case 'turn.cut':
    case 'turn.failed':
    case 'turn.finished':
    case 'turn.started':
      return after
    default:
      event satisfies never
      return after
  }
}

const openBacks = ({ assignments }: DialogState): string[] =>
  assignments.flatMap(({ tellask, mode, isActive }) => (isActive && mode === 'back' ? [tellask] : []))

const anew = ({ toldSeq, untoldSeq, givenSeq }: ReplyProgress): ReplyProgress => ({
  words: [],
  wordChars: 0,
  nudgedAt: null,
  nudgedBacks: [],
  wasRefusedForText: false,
  toldSeq,
  untoldSeq,
  givenSeq,
})

/** The first words after a message of a person that the agent had read are for that person, also when there is a newer message. */
function withWords(state: DialogState, text: string, seen: number | null | undefined): ReplyProgress {
  const reply = answerPerson(state, seen ?? state.seq)
  const isToPerson = reply !== state.reply
  const hasRequest = state.assignments.some(({ mode, isActive }) => isActive && mode !== 'back')
  if (!hasRequest || reply.wordChars + text.length > dialogLimits.replyChars) return reply
  return { ...reply, words: [...reply.words, { text, isToPerson }], wordChars: reply.wordChars + text.length }
}

function answerPerson({ reply, spokenSeq }: DialogState, seen: number): ReplyProgress {
  const { untoldSeq } = reply
  if (untoldSeq === null || untoldSeq > seen) return reply
  return spokenSeq > seen ? { ...reply, toldSeq: untoldSeq, untoldSeq: spokenSeq } : { ...reply, toldSeq: spokenSeq, untoldSeq: null }
}

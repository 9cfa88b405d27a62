import { type Cause, initialFloor, mergeAuthors } from '../../authority/cause.ts'
import { type DialogEvent, isNote } from './dialog-events.ts'
import type { Author } from '../../authority/roles.ts'
import type { DialogState } from './dialog-state.ts'
import { eventAuthor } from './event-author.ts'
import { getCause, isTyped, withText } from './turn-cause.ts'

/** Adds to `after` whose free text came into the dialog by this event, and the cause of a turn that starts. */
export function evolveCause(before: DialogState, after: DialogState, event: DialogEvent): DialogState {
  if (isNote(event)) return event.type === 'dialog.trusted' ? { ...after, floor: initialFloor, writers: [] } : after
  switch (event.type) {
    case 'message.said': {
      const { by, via, authors = [eventAuthor(by, via)] } = event.data
      return by.kind === 'agent' ? after : withText(after, authors)
    }
    case 'question.answered': {
      const { question, by, via, answers, note, undoUntil } = event.data
      if (undoUntil !== undefined) return after
      const ask = before.questions[question]?.ask
      // The agent reads a note of an approver as it reads a message.
      const hasText = note !== undefined || (ask !== undefined && isTyped(ask, answers))
      return hasText ? withText(after, [eventAuthor(by, via)]) : after
    }
    case 'answer.taken': {
      const given = before.undoable[event.data.question]
      const isText = given?.end.answers && isTyped(given.asked.ask, given.end.answers)
      return isText ? withText(after, [eventAuthor(given.by, given.end.via)]) : after
    }
    case 'question.declined': {
      const { by, via, reason } = event.data
      return reason === null ? after : withText(after, [eventAuthor(by, via)])
    }
    case 'question.cancelled': {
      const { by, reason } = event.data
      return by.kind === 'human' && reason !== null && reason !== '' ? withText(after, [eventAuthor(by, null)]) : after
    }
    case 'tellask.received':
    case 'reply.received':
      return withCause(after, event.data.cause)
    case 'taskdoc.read':
      return withText(addWriters(after, event.data.writers), [], event.data.role)
    case 'dialog.branched':
      return withText(addWriters(after, event.data.writers), [], event.data.floor)
    case 'turn.started':
      return { ...after, cause: event.data.cause ?? getCause(before) }
    case 'turn.finished':
    case 'turn.failed':
    case 'turn.stopped':
    case 'dialog.died':
      return withoutReadAuthors(after)
    case 'dialog.opened':
    case 'generation.finished':
    case 'generation.failed':
    case 'tool.called':
    case 'tool.started':
    case 'tool.returned':
    case 'question.asked':
    case 'approval.key-given':
    case 'grant.made':
    case 'grant.ended':
    case 'question.expired':
    case 'answer.refused':
    case 'answer.withdrawn':
    case 'turn.cut':
    case 'failure.settled':
    case 'stop.requested':
    case 'latch.set':
    case 'latch.lifted':
    case 'dialog.held':
    case 'dialog.continued':
    case 'tellask.made':
    case 'reply.given':
    case 'session.registered':
    case 'session.dropped':
    case 'course.started':
    case 'prompt.added':
    case 'budget.noticed':
    case 'generation.started':
    case 'epoch.started':
    case 'prompt.compacted':
    case 'prompt.noted':
    case 'prompt.told':
    case 'course.requested':
    case 'reminder.added':
    case 'reminder.updated':
    case 'reminder.deleted':
      return after
    default:
      event satisfies never
      return after
  }
}

/** A request or a reply brings along the floor and the authors of the dialog it comes from. */
const withCause = (state: DialogState, cause: Cause | undefined): DialogState =>
  cause ? withText(addWriters(state, cause.writers), cause.by, cause.role) : state

const addWriters = (state: DialogState, writers: readonly Author[] = []): DialogState =>
  writers.length === 0 ? state : { ...state, writers: mergeAuthors([...state.writers, ...writers]) }

/** All authors stay while anything is unread: one author too many asks a person more often, never less. */
function withoutReadAuthors(state: DialogState): DialogState {
  const { seenSeq, inputSeq, settledSeq, workSeq, inputAuthors } = state
  return inputAuthors.length > 0 && seenSeq >= Math.max(inputSeq, settledSeq, workSeq) ? { ...state, inputAuthors: [] } : state
}

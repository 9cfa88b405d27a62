import { type DialogEvent, isNote } from './dialog-events.ts'
import { type DialogState, isSpokenTo, needsTurn } from './dialog-state.ts'
import { peerAnswerKey, peerAnswerWork } from './peer-dialog.ts'

export type FollowUps = { wake: { kind: string; key: string; at: number; payload?: unknown }[]; cancel: { kind: string; key: string }[] }

/** Work that follows from these events: a turn of the dialog, the expiry of a question. */
export function followUps(dialog: string, events: readonly DialogEvent[], after: DialogState, before: DialogState = after): FollowUps {
  const wake: FollowUps['wake'] = []
  const cancel: FollowUps['cancel'] = []
  let runs = false
  for (const event of events) {
    if (event.type === 'dialog.deleted') {
      const timers = [...Object.keys(before.questions), ...Object.keys(before.undoable), failureTimer]
      cancel.push({ kind: 'turn', key: dialog }, ...timers.map((timer) => ({ kind: 'timer', key: timerKey(dialog, timer) })))
      const { files } = event.data
      if (files.length > 0) wake.push({ kind: fileRemovalWork, key: dialog, at: event.at, payload: files })
    }
    if (isNote(event)) continue
    switch (event.type) {
      case 'message.said':
        runs ||= event.data.by.kind === 'human'
        break
      case 'question.asked':
        if (event.data.expiresAt !== null)
          wake.push({ kind: 'timer', key: timerKey(dialog, event.data.question), at: event.data.expiresAt })
        break
      case 'question.answered':
      case 'answer.taken':
      case 'question.declined':
      case 'question.cancelled':
      case 'question.expired':
        if (event.type !== 'question.expired' && event.type !== 'answer.taken')
          cancel.push({ kind: 'timer', key: timerKey(dialog, event.data.question) })
        if (event.type === 'question.answered' && event.data.undoUntil !== undefined) {
          wake.push({ kind: 'timer', key: timerKey(dialog, event.data.question), at: event.data.undoUntil })
          break
        }
        if (after.closed[event.data.question]?.asked.purpose === 'peer')
          wake.push({ kind: peerAnswerWork, key: peerAnswerKey(dialog, event.data.question), at: event.at })
        runs = true
        break
      case 'answer.withdrawn': {
        const { question } = event.data
        const expiresAt = after.questions[question]?.expiresAt ?? null
        cancel.push({ kind: 'timer', key: timerKey(dialog, question) })
        if (expiresAt !== null) wake.push({ kind: 'timer', key: timerKey(dialog, question), at: expiresAt })
        break
      }
      case 'tellask.received':
      case 'reply.given':
      case 'reply.received':
      case 'prompt.added':
      case 'course.requested':
      case 'stop.requested':
      case 'latch.set':
      case 'latch.lifted':
      case 'dialog.continued':
        runs = true
        break
      case 'course.started':
        // A course that the driver begins belongs to the request it makes next, under the claim it has.
        runs ||= event.data.why === 'asked' || after.turn === null
        break
      case 'turn.finished':
        // Something was said while the turn ran; its own wake may already be spent.
        runs ||= needsTurn(after)
        break
      case 'turn.failed':
        if (event.data.replyDueAt !== undefined && after.failure)
          wake.push({ kind: 'timer', key: timerKey(dialog, failureTimer), at: event.data.replyDueAt })
        runs ||= isSpokenTo(after)
        break
      case 'turn.stopped':
        // A message that came too late for this turn. Held work is woken when the stop is lifted.
        runs ||= isSpokenTo(after)
        break
      case 'dialog.opened':
      case 'dialog.branched':
      case 'answer.refused':
      case 'approval.key-given':
      case 'grant.made':
      case 'grant.ended':
      case 'tool.started':
      case 'taskdoc.read':
      case 'turn.started':
      case 'generation.finished':
      case 'generation.failed':
      case 'tool.called':
      case 'tool.returned':
      case 'dialog.held':
      case 'generation.started':
      case 'epoch.started':
      case 'prompt.compacted':
      case 'prompt.noted':
      case 'prompt.told':
      case 'turn.cut':
      case 'tellask.made':
      case 'session.registered':
      case 'session.dropped':
      case 'budget.noticed':
      case 'failure.settled':
      case 'reminder.added':
      case 'reminder.updated':
      case 'reminder.deleted':
        break
      case 'dialog.died':
        // Its work stays: the next claim finds it dead and counts a generation that a crash cut off.
        break
    }
  }
  if (runs && needsTurn(after)) wake.push({ kind: 'turn', key: dialog, at: events.at(-1)?.at ?? 0 })
  return { wake, cancel }
}

/** Removes the bytes of files that no dialog refers to any more; the payload is their ids. */
export const fileRemovalWork = 'file-removal'

/** Stands in the key of a timer for a question: the time to tell the agents that wait for a failed dialog. */
export const failureTimer = 'failure'

const timerKey = (dialog: string, question: string): string => `${dialog}/${question}`

export function readTimerKey(key: string): { dialog: string; question: string } {
  const slash = key.indexOf('/')
  return { dialog: key.slice(0, slash), question: key.slice(slash + 1) }
}

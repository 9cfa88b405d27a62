import { isPeerDialog } from '../dialogs/rules/peer-dialog.ts'
import type { NewEvent, Wake } from '../ports/store.ts'
import type { StreamKind } from '../streams/decider.ts'

/** Something that people are notified of, whatever surface they are at. `isLater`: those whom a rule notifies after a time. */
export type Notice =
  | { about: 'question'; dialog: string; question: string; isLater?: true }
  | { about: 'build-question'; build: string; seq: number }
  | { about: 'build-end'; build: string; seq: number }

/** Work of finding the people of a notice; its payload is the notice. */
export const noticeWork = 'notice'

/** A question that is answered on the page within this time notifies no one. */
export const noticeDelayMs = 5_000

export const noticeKey = (notice: Notice): string =>
  notice.about === 'question' ? `${notice.question}${notice.isLater ? '/later' : ''}` : `${notice.build}/${notice.seq}`

export const noticeWake = (notice: Notice, at: number): Wake => ({ kind: noticeWork, key: noticeKey(notice), at, payload: notice })

export function dialogNotices(dialog: string, events: readonly NewEvent[]): Wake[] {
  // Their owner is asked elsewhere.
  if (isPeerDialog(dialog)) return []
  return events.flatMap(({ type, at, data }) =>
    type === 'question.asked'
      ? [noticeWake({ about: 'question', dialog, question: (data as { question: string }).question }, at + noticeDelayMs)]
      : [],
  )
}

/** `seq` of the last event: the state after these events. */
export function buildNotices(build: string, events: readonly NewEvent[], seq: number): Wake[] {
  return events.flatMap(({ type, at }, index): Wake[] => {
    const own = { build, seq: seq - events.length + 1 + index }
    if (type === 'question.requested' || type === 'questions.requested')
      return [noticeWake({ about: 'build-question', ...own }, at + noticeDelayMs)]
    return type === 'session.completed' || type === 'session.failed' ? [noticeWake({ about: 'build-end', ...own }, at)] : []
  })
}

/** The same kind of stream, where people are notified: the work is woken together with the event. */
export function withNotices<State extends { seq: number }, Command, Event extends NewEvent>(
  kind: StreamKind<State, Command, Event>,
  find: (stream: string, events: readonly NewEvent[], seq: number) => Wake[],
  isOn: () => boolean,
): StreamKind<State, Command, Event> {
  return {
    ...kind,
    consequences(stream, events, after, before) {
      const all = kind.consequences(stream, events, after, before)
      const wake = isOn() ? find(stream, events, after.seq) : []
      return wake.length === 0 ? all : { ...all, wake: [...(all.wake ?? []), ...wake] }
    },
  }
}

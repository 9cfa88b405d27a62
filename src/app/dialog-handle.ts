import type { DialogEvent } from '../dialogs/rules/dialog-events.ts'
import { ParleyError } from '../errors.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import type { DialogDetail, DialogStatus, EventView } from '../shapes/wire.ts'

/** The person in whose name something is done: a name stands for the owner. */
export type As = string | Caller

/** One dialog of a `ParleyApp`. */
export type Dialog = {
  readonly id: string
  detail(): Promise<DialogDetail>
  say(text: string, as?: As): Promise<{ dialog: string; message: string; seq: number }>
  /**
   * Every event after `after`, oldest first, then each as it happens. Ends when the dialog is at rest: the agent has replied,
   * failed or was stopped. While a question is open it waits. With `follow` it ends only when `signal` aborts.
   */
  events(options?: { after?: number; signal?: AbortSignal; follow?: boolean }): AsyncIterable<EventView<DialogEvent>>
  /**
   * Resolves with the agent's last words since the last `say` of this handle, once the dialog is at rest. Rejects with the
   * failure if the agent failed, and with `dialog_stopped` if it was stopped.
   */
  reply(options?: { signal?: AbortSignal }): Promise<string>
  /** Ends what runs in the dialog and below it. */
  stop(as?: As): Promise<DialogDetail>
  /** Continues after a failure or a stop. */
  continue(as?: As): Promise<DialogDetail>
  /** The agent begins a new course before its next request. */
  freshStart(as?: As): Promise<DialogDetail>
}

const restStates: ReadonlySet<DialogStatus> = new Set(['ready', 'failed', 'stopped', 'dead', 'retired'])

export function dialogHandle(parley: Parley, id: string, callerFor: (as?: As) => Caller): Dialog {
  const { dialogs } = parley
  let lastSaid = 0

  /** The dialog at rest, once everything up to its last event was read; null otherwise. */
  async function findRest(read: number): Promise<DialogDetail | null> {
    const detail = await dialogs.get(id)
    return detail.head <= read && restStates.has(detail.status) ? detail : null
  }

  async function* events({ after = 0, signal, follow = false }: Parameters<Dialog['events']>[0] = {}): ReturnType<Dialog['events']> &
    AsyncGenerator<EventView<DialogEvent>> {
    signal?.throwIfAborted()
    let read = after
    if (!follow && (await findRest(read))) return
    const ended = new AbortController()
    const until = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal
    try {
      for await (const batch of parley.events.follow({ stream: id, after }, until)) {
        for (const event of batch) {
          read = event.seq
          yield event as EventView<DialogEvent>
        }
        if (!follow && (await findRest(read))) return
      }
      signal?.throwIfAborted()
    } finally {
      ended.abort()
    }
  }

  return {
    id,
    detail: () => dialogs.get(id),
    async say(text, as) {
      const message = await dialogs.say(id, text, callerFor(as))
      lastSaid = message.seq
      return message
    },
    events,
    async reply({ signal } = {}) {
      let text = ''
      let failure: ParleyError | null = null
      for await (const { type, data } of events({ after: lastSaid, ...(signal && { signal }) })) {
        if (type === 'message.said' && data.by.kind === 'agent') text = data.text
        if (type === 'turn.failed' || type === 'generation.failed') failure = new ParleyError(data.code, data.details)
      }
      const { status, stop } = await dialogs.get(id)
      if (status === 'failed') throw failure ?? new ParleyError('agent_failed', { why: 'the dialog has failed' })
      if (status === 'stopped') throw new ParleyError('dialog_stopped', { by: stop?.by ?? 'a person', dialog: id })
      if (status === 'dead') throw new ParleyError('dialog_dead')
      return text
    },
    stop: (as) => dialogs.stop(id, callerFor(as)),
    continue: (as) => dialogs.resume(id, callerFor(as)),
    freshStart: (as) => dialogs.freshStart(id, callerFor(as)),
  }
}

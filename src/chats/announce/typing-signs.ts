import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Hints } from '../../ports/store.ts'
import type { Signals } from '../outbox/signals.ts'
import type { ChatAddress } from '../bindings/chat-address.ts'

export const typingLimits = {
  /** A reply that comes sooner needs no sign that it is coming. */
  afterMs: 1_000,
  /** Platforms take the sign away after about five seconds. */
  everyMs: 4_500,
  longestMs: 10 * 60_000,
  dialogs: 1_000,
} as const

/** Lets people in a chat see that an agent is at work. Nothing depends on it: a sign that cannot be given is not given. */
export function typingSigns(parts: {
  hints: Hints
  clock: Clock
  channels: { get(name: string): Channel | undefined }
  signals: Signals
  listPlaces: (dialog: string) => Promise<readonly ChatAddress[]>
  /** Asked when another process has written to the dialog. */
  isWorking: (dialog: string) => Promise<boolean>
}): { close(): void } {
  const { hints, clock, channels, signals, listPlaces, isWorking } = parts
  const cancelByPlace = new Map<string, () => void>()

  async function sign(dialog: string, since: number): Promise<void> {
    const places = await listPlaces(dialog)
    if (!cancelByPlace.has(dialog)) return
    if (places.length === 0 || clock.now() - since > typingLimits.longestMs) return end(dialog)
    cancelByPlace.set(
      dialog,
      clock.after(typingLimits.everyMs, () => void sign(dialog, since).catch(() => end(dialog))),
    )
    for (const { channel: name, address } of places) {
      const channel = channels.get(name)
      const request = channel?.operations.typing(address)
      if (channel && request) void signals.send(channel, address, request, { key: '', withinMs: typingLimits.everyMs })
    }
  }

  function begin(dialog: string): void {
    if (cancelByPlace.has(dialog) || cancelByPlace.size >= typingLimits.dialogs) return
    const since = clock.now()
    cancelByPlace.set(
      dialog,
      clock.after(typingLimits.afterMs, () => void sign(dialog, since).catch(() => end(dialog))),
    )
  }

  function end(dialog: string): void {
    cancelByPlace.get(dialog)?.()
    cancelByPlace.delete(dialog)
  }

  async function look(dialog: string): Promise<void> {
    if (!(await isWorking(dialog))) end(dialog)
  }

  const stop = hints.onStream((stream, _head, events) => {
    if (!events && cancelByPlace.has(stream)) void look(stream).catch(() => end(stream))
    for (const event of (events ?? []) as unknown as readonly DialogEvent[]) {
      if (event.type === 'message.said' && event.data.by.kind === 'human') begin(stream)
      else if (event.type === 'answer.taken') begin(stream)
      else if (event.type === 'question.answered' && event.data.undoUntil === undefined) begin(stream)
      else if (event.type === 'turn.finished' || event.type === 'turn.failed' || event.type === 'turn.stopped') end(stream)
    }
  })
  return {
    close() {
      stop()
      for (const dialog of cancelByPlace.keys()) end(dialog)
    },
  }
}

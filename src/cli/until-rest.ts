import type { DialogDetail, DialogEvent, EventView } from '../shapes/wire.ts'
import { ParleyError } from '../errors.ts'
import { type Connection, isTransient } from './connect.ts'
import { EventReader } from './event-lines.ts'
import { connectionTalk, toRefusal } from './live-talk.ts'
import type { Terminal } from './terminal.ts'
import { getRest } from './tree-rest.ts'

export type Reply = { message: string; by: string; text: string; at: number }

/** Events that end a turn. Only the dialog itself knows whether work is left. */
const ends = new Set(['turn.finished', 'turn.failed', 'turn.stopped'])

export function toReply(event: EventView): Reply | null {
  const typedEvent = event as EventView & DialogEvent
  if (typedEvent.type !== 'message.said' || typedEvent.data.by.kind !== 'agent') return null
  return { message: typedEvent.data.message, by: typedEvent.data.by.name, text: typedEvent.data.text, at: typedEvent.at }
}

/** Node fires a longer one at once. */
const longestTimerMs = 2_147_483_647

/** Hands over each reply after `after`, until the agent is at rest: ready, waiting for a person, stopped or failed. */
export async function untilRest(
  terminal: Terminal,
  connection: Connection,
  dialog: string,
  after: number,
  onReply: (reply: Reply) => void,
  timeoutMs = 600_000,
): Promise<DialogDetail> {
  const { promise, resolve, reject } = Promise.withResolvers<DialogDetail>()
  const reader = new EventReader(terminal.words, terminal.errPaint, terminal.width)
  let lastSeq = after
  let hasAsked = after > 0
  const look = async (): Promise<void> => {
    const now = await getRest(connection.client, dialog)
    // At rest only counts once everything up to it was handed over.
    if (now !== null && lastSeq >= now.head) resolve(now)
  }
  const lookSoon = (): void => void look().catch((error: unknown) => (isTransient(error) ? undefined : reject(error)))
  const stop = connection.follow(
    dialog,
    after,
    {
      onEvents(events) {
        for (const event of events) {
          lastSeq = event.seq
          const reply = toReply(event)
          if (reply) onReply(reply)
          if (event.type === 'tellask.made') hasAsked = true
          // A wait that grows because the model has a bad day should say so.
          if (event.type === 'generation.failed' && !terminal.json) terminal.say(...reader.lines(event))
        }
        if (events.some(({ type }) => ends.has(type))) lookSoon()
      },
      onLive: lookSoon,
      onError: (words) => reject(toRefusal(words)),
    },
    connectionTalk(terminal, reject),
  )
  // Teammates write to other streams: any change may be theirs.
  const stopLooking = connection.onChanged(() => void (hasAsked && lookSoon()))
  const late = setTimeout(
    () => reject(new ParleyError('reply_late', { seconds: timeoutMs / 1_000, dialog })),
    Math.min(timeoutMs, longestTimerMs),
  )
  try {
    return await promise
  } finally {
    clearTimeout(late)
    stopLooking()
    stop()
  }
}

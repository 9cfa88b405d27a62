import type { DeltaView, LiveFrame } from '../../shapes/wire.ts'
import { describeError, ParleyError } from '../../errors.ts'
import type { Parley } from '../../shapes/parley.ts'
import { everything } from '../../client/live.ts'
import { toJson } from '../routes/json-once.ts'
import { mustExist } from './known-stream.ts'
import { eventsFrame, type HubReader, toPlace, readQuery, type streamHub } from './stream-hub.ts'

export const liveLimits = { page: 500, pageBytes: 64_000, lagBytes: 256_000, deltaLagBytes: 64_000, otherLogMs: 1_000 } as const

/** The one end of a connection a reader needs. */
export type Outlet = {
  send(frame: string | Buffer): void
  bufferedBytes(): number
  /**
   * Runs `work` when the other side has taken what was sent, one at a time for the whole connection: however many streams are
   * followed, at most one page is read ahead.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  fault(error: unknown): void
}

/**
 * Follows one stream for one connection. Two modes: *catching up* reads pages from the store, no faster than the other
 * side takes them, and enters *live* when there is nothing more to read; *live* is handed frames by the hub, and goes
 * back to catching up when the other side lags. So a slow reader costs the store a little, and memory nothing.
 */
export function liveReader(
  parley: Parley,
  hub: ReturnType<typeof streamHub>,
  outlet: Outlet,
  stream: string,
  after: number,
): { stop(): void } {
  let isOver = false
  let hasLostDeltas = false
  let stopDeltas = (): void => {}
  const send = (frame: LiveFrame): void => outlet.send(JSON.stringify(frame))

  const reader: HubReader = {
    last: after,
    take(frame, last) {
      reader.last = last
      outlet.send(frame)
      if (outlet.bufferedBytes() > liveLimits.lagBytes) {
        hub.leave(stream, reader)
        readOn()
      }
    },
  }

  const onDelta = (delta: DeltaView): void => {
    if (outlet.bufferedBytes() > liveLimits.deltaLagBytes) hasLostDeltas = true
    else if (!hasLostDeltas) outlet.send(`{"type":"delta","delta":${toJson(delta)}}`)
    else followDeltas()
  }

  /** Starts with what is already written, so it also mends a draft that pieces were left out of. */
  function followDeltas(): void {
    stopDeltas()
    hasLostDeltas = false
    if (stream !== everything && !isOver) stopDeltas = parley.events.deltas(stream, onDelta)
  }

  async function catchUp(): Promise<void> {
    while (!isOver) if (await outlet.inTurn(readPage)) return
  }

  /** Returns whether there was nothing more to read and the hub hands over from here on. */
  async function readPage(): Promise<boolean> {
    if (isOver) return false
    const { page, pageBytes } = liveLimits
    const events = await parley.events.read({ ...readQuery(stream), after: reader.last, limit: page, maxBytes: pageBytes })
    if (isOver) return false
    const newest = events.at(-1)
    // A page may have been cut by its bytes, so only an empty one is the end.
    if (!newest) return hub.join(stream, reader) === 'joined'
    reader.last = toPlace(stream, newest)
    outlet.send(eventsFrame(stream, events))
    return false
  }

  function readOn(): void {
    catchUp().then(followDeltas, (error: unknown) => outlet.fault(error))
  }

  async function begin(): Promise<void> {
    if (stream !== everything) await mustExist(parley, stream)
    const isOtherLog = await isAfterEnd(parley, stream, after)
    await catchUp()
    if (isOver) return
    // Nothing may be awaited after this number is read: the hub could send later events before it.
    send({ type: 'live', stream, head: isOtherLog ? 0 : reader.last })
    followDeltas()
  }

  begin().catch((error: unknown) => {
    if (isOver) return
    // A store that does not answer is no answer about the stream: the client connects again and resumes.
    if (error instanceof ParleyError && !error.retryable) send({ type: 'error', error: describeError(error.code, error.details), stream })
    else outlet.fault(error)
  })

  return {
    stop() {
      isOver = true
      stopDeltas()
      hub.leave(stream, reader)
    },
  }
}

/**
 * A reader that asks for events after the end of the log has seen another log. The end of all streams together is looked at
 * twice: while a commit of PostgreSQL runs, its position may be lower than one that was read before.
 */
async function isAfterEnd(parley: Parley, stream: string, after: number): Promise<boolean> {
  if (after === 0 || (await parley.events.position(readQuery(stream).stream)) >= after) return false
  if (stream !== everything) return true
  await new Promise((resolve) => setTimeout(resolve, liveLimits.otherLogMs))
  return (await parley.events.position()) < after
}

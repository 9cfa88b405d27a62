import type { DeltaView, LiveFrame } from '../client/wire.ts'
import { describeError, ParleyError } from '../errors.ts'
import type { Parley } from '../ports/parley.ts'
import { everything } from '../client/live.ts'
import { jsonOf } from './json-once.ts'
import { mustExist } from './known-stream.ts'
import { eventsFrame, type HubReader, placeOf, queryOf, type streamHub } from './stream-hub.ts'

export const liveLimits = { page: 500, pageBytes: 250_000, lagBytes: 1_000_000, deltaLagBytes: 256_000, lookAgainMs: 20 } as const

/** The one end of a connection a reader needs. */
export type Outlet = { send(frame: string | Buffer): void; bufferedBytes(): number; fault(error: unknown): void }

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
  // Events differ in size a thousandfold, so how many make a page is learnt from the page before.
  let page = 50
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
    else if (!hasLostDeltas) outlet.send(`{"type":"delta","delta":${jsonOf(delta)}}`)
    else followDeltas()
  }

  /** Starts with what is already written, so it also mends a draft that pieces were left out of. */
  function followDeltas(): void {
    stopDeltas()
    hasLostDeltas = false
    if (stream !== everything && !isOver) stopDeltas = parley.events.deltas(stream, onDelta)
  }

  async function catchUp(): Promise<void> {
    while (!isOver) {
      while (outlet.bufferedBytes() > liveLimits.deltaLagBytes && !isOver)
        await new Promise((resolve) => setTimeout(resolve, liveLimits.lookAgainMs))
      const events = await parley.events.read({ ...queryOf(stream), after: reader.last, limit: page })
      if (isOver) return
      const newest = events.at(-1)
      const isAll = events.length < page
      if (newest) {
        const frame = eventsFrame(stream, events)
        reader.last = placeOf(stream, newest)
        page = Math.max(1, Math.min(liveLimits.page, Math.floor((events.length * liveLimits.pageBytes) / frame.length)))
        outlet.send(frame)
      }
      if (isAll && hub.join(stream, reader) === 'joined') return
    }
  }

  function readOn(): void {
    catchUp().then(followDeltas, (error: unknown) => outlet.fault(error))
  }

  async function begin(): Promise<void> {
    if (stream !== everything) await mustExist(parley, stream)
    await catchUp()
    if (isOver) return
    send({ type: 'live', stream, head: await headOf(parley, stream, reader.last) })
    followDeltas()
  }

  begin().catch((error: unknown) => {
    if (isOver) return
    if (error instanceof ParleyError) send({ type: 'error', error: describeError(error.code, error.details), stream })
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

/** Where a log ends. Somebody who asks for what comes after its end has seen another log, and must be told. */
async function headOf(parley: Parley, stream: string, last: number): Promise<number> {
  if (last === 0) return 0
  if (stream === everything) return Math.min(last, await parley.events.position())
  const [there] = await parley.events.read({ stream, after: last - 1, limit: 1 })
  return there ? last : 0
}

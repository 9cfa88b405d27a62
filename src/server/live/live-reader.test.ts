import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../errors.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { EventView, LiveFrame } from '../../shapes/wire.ts'
import { until } from '../test/server-under-test.ts'
import { liveReader, type Outlet } from './live-reader.ts'
import { streamHub } from './stream-hub.ts'

const stream = 'dlg_1'
const toEvent = (seq: number): EventView => ({ stream, seq, position: seq, at: 0, type: 'message.said', data: {} })

/** A log whose answers come after a round trip, as those of PostgreSQL do. */
class RemoteLog {
  events: EventView[] = []
  fault: ParleyError | null = null
  /** Called while the answer to a question for the head is on its way. */
  onPosition = (): void => {}
  readonly #wake = new Set<() => void>()

  append(count: number): void {
    for (let left = count; left > 0; left -= 1) this.events.push(toEvent(this.events.length + 1))
    for (const wake of this.#wake) wake()
  }

  async #roundTrip(meanwhile = (): void => {}): Promise<void> {
    if (this.fault) throw this.fault
    await new Promise((resolve) => setImmediate(resolve))
    meanwhile()
    await new Promise((resolve) => setImmediate(resolve))
  }

  get parley(): Parley {
    const { events: log } = this
    const read = async ({ after = 0 }: { after?: number }): Promise<EventView[]> => {
      const found = log.filter(({ seq }) => seq > after)
      await this.#roundTrip()
      return found
    }
    const position = async (): Promise<number> => {
      const head = log.length
      await this.#roundTrip(this.onPosition)
      return head
    }
    const wakes = this.#wake
    async function* follow({ after = 0 }: { after?: number }, signal: AbortSignal): AsyncGenerator<EventView[]> {
      for (let last = after; !signal.aborted;) {
        const found = log.filter(({ seq }) => seq > last)
        if (found.length > 0) {
          last = log.length
          yield found
          continue
        }
        await new Promise<void>((resolve) => {
          wakes.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    }
    return { events: { read, position, follow, deltas: () => () => {} } } as unknown as Parley
  }
}

function outletInto(frames: LiveFrame[], faults: unknown[]): Outlet {
  return {
    send: (frame) => void frames.push(JSON.parse(frame.toString()) as LiveFrame),
    bufferedBytes: () => 0,
    inTurn: (work) => work(),
    fault: (error) => void faults.push(error),
  }
}

const failHub = (error: unknown): void => assert.fail(String(error))

test('liveReader: the head it reports is never behind the events it has sent', async () => {
  const log = new RemoteLog()
  log.append(3)
  log.onPosition = () => log.append(1)
  const frames: LiveFrame[] = []
  const hub = streamHub(log.parley, failHub)
  const reader = liveReader(log.parley, hub, outletInto(frames, []), stream, 2)
  await until(() => frames.some(({ type }) => type === 'live'))
  let sent = 2
  for (const frame of frames) {
    if (frame.type === 'events') sent = frame.events.at(-1)?.seq ?? sent
    if (frame.type === 'live') assert.equal(frame.head, sent, JSON.stringify(frames))
  }
  reader.stop()
  hub.close()
})

test('liveReader: a reader ahead of the log is told to start anew', async () => {
  const log = new RemoteLog()
  log.append(3)
  const frames: LiveFrame[] = []
  const hub = streamHub(log.parley, failHub)
  const reader = liveReader(log.parley, hub, outletInto(frames, []), stream, 9)
  await until(() => frames.length > 0)
  assert.deepEqual(frames, [{ type: 'live', stream, head: 0 }])
  reader.stop()
  hub.close()
})

test('liveReader: a store that does not answer ends the connection, an unknown stream is an error frame', async () => {
  const log = new RemoteLog()
  const frames: LiveFrame[] = []
  const faults: unknown[] = []
  const hub = streamHub(log.parley, failHub)
  const unknown = liveReader(log.parley, hub, outletInto(frames, faults), stream, 0)
  await until(() => frames.length > 0)
  assert.equal(frames[0]?.type, 'error')
  assert.deepEqual(faults, [])
  log.fault = new ParleyError('store_unreachable', { why: 'it restarts' }, { retryable: true })
  const broken = liveReader(log.parley, hub, outletInto(frames, faults), stream, 0)
  await until(() => faults.length > 0)
  assert.equal(frames.length, 1, 'no second frame')
  for (const reader of [unknown, broken]) reader.stop()
  hub.close()
})

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { ClientError } from './client-error.ts'
import { closedSignedOut, everything, live, type Live, type LiveSocket, type LiveState } from './live.ts'
import type { EventView, LiveFrame, LiveRequest } from '../shapes/wire.ts'

/** A connection whose other end is the test. */
class TestSocket implements LiveSocket {
  static all: TestSocket[] = []
  readonly #listeners = new Map<string, (event: never) => void>()
  readonly sent: LiveRequest[] = []
  readonly url: string
  readonly protocols: string[]

  constructor(url: string, protocols: string[] = []) {
    this.url = url
    this.protocols = protocols
    TestSocket.all.push(this)
  }
  static get last(): TestSocket {
    return TestSocket.all.at(-1) as TestSocket
  }
  addEventListener(name: string, listen: (event: never) => void): void {
    this.#listeners.set(name, listen)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as LiveRequest)
  }
  close(): void {}
  opens(): void {
    this.#listeners.get('open')?.(undefined as never)
    this.says({ type: 'welcome', build: 'b1', version: '1' })
  }
  says(frame: LiveFrame): void {
    this.#listeners.get('message')?.({ data: JSON.stringify(frame) } as never)
  }
  closes(code = 1006): void {
    this.#listeners.get('close')?.({ code } as never)
  }
}

const event = (seq: number): EventView => ({ stream: 'd', seq, position: seq * 10, at: 0, type: 'x', data: {} })

const events = (...seqs: number[]): LiveFrame => ({ type: 'events', stream: 'd', events: seqs.map(event) })

describe('the live connection of a client', () => {
  let connection: Live
  let probe: () => Promise<unknown>
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] })
    mock.method(Math, 'random', () => 1)
    TestSocket.all = []
    probe = () => Promise.resolve()
    connection = live({ baseUrl: 'http://127.0.0.1:1', token: 'parley_t', WebSocket: TestSocket, probe: () => probe() })
  })
  afterEach(() => {
    connection.close()
    mock.timers.reset()
    mock.restoreAll()
  })

  const settle = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await Promise.resolve()
  }

  test('carries the token where a browser can put it', () => {
    assert.equal(TestSocket.last.url, 'ws://127.0.0.1:1/v1/live')
    assert.deepEqual(TestSocket.last.protocols, ['parley.live', 'parley.bearer.parley_t'])
  })

  test('resumes after the last event; repeats are ignored, gaps are requested again', () => {
    const numbers: number[] = []
    connection.follow('d', 2, { onEvents: (batch) => numbers.push(...batch.map(({ seq }) => seq)) })
    TestSocket.last.opens()
    assert.deepEqual(TestSocket.last.sent, [{ type: 'follow', stream: 'd', after: 2 }])
    TestSocket.last.says(events(1, 2, 3))
    TestSocket.last.says(events(3, 4))
    TestSocket.last.says(events(6))
    assert.deepEqual(numbers, [3, 4])
    assert.deepEqual(TestSocket.last.sent.at(-1), { type: 'follow', stream: 'd', after: 4 })
    TestSocket.last.says(events(5, 6))
    TestSocket.last.closes()
    mock.timers.tick(500)
    TestSocket.last.opens()
    assert.deepEqual(TestSocket.last.sent, [{ type: 'follow', stream: 'd', after: 6 }])
    assert.deepEqual(numbers, [3, 4, 5, 6])
  })

  test('two who follow one stream share it, each from its own place', () => {
    const first: number[] = []
    const second: number[] = []
    TestSocket.last.opens()
    const stop = connection.follow('d', 5, { onEvents: (batch) => first.push(...batch.map(({ seq }) => seq)) })
    connection.follow('d', 0, { onEvents: (batch) => second.push(...batch.map(({ seq }) => seq)) })
    TestSocket.last.says(events(1, 2, 3, 4, 5, 6))
    assert.deepEqual([first, second], [[6], [1, 2, 3, 4, 5, 6]])
    stop()
    assert.equal(
      TestSocket.last.sent.some(({ type }) => type === 'unfollow'),
      false,
    )
  })

  test('everything is numbered by position, and gaps there are no gaps', () => {
    const values: number[] = []
    connection.follow(everything, 0, { onEvents: (batch) => values.push(...batch.map(({ position }) => position)) })
    TestSocket.last.opens()
    TestSocket.last.says({ type: 'events', stream: everything, events: [event(1), event(5)] })
    TestSocket.last.says({ type: 'events', stream: everything, events: [event(5), event(9)] })
    assert.deepEqual(values, [10, 50, 90])
  })

  test('waits longer each time, up to half a minute, for ever; a success starts over', async () => {
    const waits: number[] = []
    for (let n = 0; n < 12; n += 1) {
      TestSocket.last.closes()
      await settle()
      waits.push((connection.retryAt ?? 0) - Date.now())
      mock.timers.tick(waits.at(-1) ?? 0)
    }
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000, 30000, 30000, 30000])
    assert.equal(TestSocket.all.length, 13)
    TestSocket.last.opens()
    TestSocket.last.closes()
    assert.equal((connection.retryAt ?? 0) - Date.now(), 500)
  })

  test('closed for being slow: resumes after the last event, later each time, and not as an outage', async () => {
    const states: LiveState[] = []
    connection.onState((state) => states.push(state))
    const waits: number[] = []
    connection.follow('d', 0, { onEvents() {} })
    for (let n = 1; n <= 4; n += 1) {
      TestSocket.last.opens()
      TestSocket.last.says(events(n))
      TestSocket.last.closes(n % 2 === 0 ? 1008 : 1013)
      waits.push((connection.retryAt ?? 0) - Date.now())
      mock.timers.tick(waits.at(-1) ?? 0)
    }
    TestSocket.last.opens()
    assert.deepEqual(waits, [500, 1000, 2000, 4000])
    assert.deepEqual(TestSocket.last.sent, [{ type: 'follow', stream: 'd', after: 4 }])
    assert.deepEqual([...new Set(states)], ['live', 'resuming'])
    for (let beat = 0; beat < 4; beat += 1) {
      mock.timers.tick(10_000)
      TestSocket.last.says({ type: 'pong' })
    }
    TestSocket.last.closes(1013)
    assert.equal((connection.retryAt ?? 0) - Date.now(), 500)
  })

  test('a refused sign-in is a state of its own, and there is no retry until it is requested', async () => {
    const states: LiveState[] = []
    connection.onState((state) => states.push(state))
    probe = () => Promise.reject(new ClientError({ code: 'not_signed_in', message: '', hint: '' }, { status: 401 }))
    TestSocket.last.closes()
    await settle()
    mock.timers.tick(600_000)
    assert.equal(connection.state, 'signed-out')
    assert.equal(TestSocket.all.length, 1)
    connection.retryNow()
    TestSocket.last.opens()
    TestSocket.last.closes(closedSignedOut)
    assert.equal(connection.state, 'signed-out')
    assert.deepEqual(states, ['reconnecting', 'signed-out', 'connecting', 'live', 'signed-out'])
  })

  test('a connection that went silent is given up', () => {
    TestSocket.last.opens()
    mock.timers.tick(20_000)
    assert.deepEqual(TestSocket.last.sent, [{ type: 'ping' }])
    TestSocket.last.says({ type: 'pong' })
    mock.timers.tick(40_000)
    assert.equal(connection.state, 'live')
    mock.timers.tick(20_000)
    assert.equal(connection.state, 'reconnecting')
  })

  test('lists are told after each welcome and on each change; the build is handed on', () => {
    let changes = 0
    const builds: string[] = []
    connection.onChanged(() => (changes += 1))
    connection.onWelcome((build) => builds.push(build))
    TestSocket.last.opens()
    TestSocket.last.says({ type: 'changed' })
    assert.equal(changes, 2)
    assert.deepEqual(builds, ['b1'])
  })
})

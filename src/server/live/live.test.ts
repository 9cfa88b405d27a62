import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import type { ParleyClient } from '../../client/client.ts'
import { emptyView, viewOfAll, withDelta } from '../../client/dialog-view.ts'
import { everything, type LiveState } from '../../client/live.ts'
import type { EventView, LiveFrame } from '../../shapes/wire.ts'
import type { Parley } from '../../shapes/parley.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

const numbers = (events: EventView[]): number[] => events.map(({ seq }) => seq)

const getFrame = (data: RawData): LiveFrame => JSON.parse((data as Buffer).toString()) as LiveFrame

const upTo = (head: number): number[] => Array.from({ length: head }, (_, index) => index + 1)

describe('live connection', () => {
  let under: ServerUnderTest
  let client: ParleyClient
  before(async () => {
    under = await serverUnderTest()
    client = await under.client()
  })
  after(() => under.close())

  async function settled(dialog: string): Promise<number> {
    return until(async () => {
      const { status, head } = await client.dialogs.get(dialog)
      return status === 'ready' && head
    })
  }

  test('hands over what is there, then what comes, with the reply while it is written', async () => {
    const { id } = await client.dialogs.open({ text: 'first' })
    await settled(id)
    const events: EventView[] = []
    let view = emptyView
    let longest = ''
    let head = 0
    client.live().follow(id, 0, {
      onEvents(batch) {
        events.push(...batch)
        view = viewOfAll(view, batch)
      },
      onDelta(delta) {
        view = withDelta(view, delta)
        if ((view.draft?.text.length ?? 0) > longest.length) longest = view.draft?.text ?? ''
      },
      onLive(at) {
        head = at
      },
    })
    await until(() => head > 0)
    assert.deepEqual(numbers(events), upTo(head))
    await client.dialogs.say(id, 'slowly does it')
    const end = await until(() => view.status === 'ready' && view.seq > head && view.seq)
    assert.deepEqual(numbers(events), upTo(end))
    assert.equal('You said: slowly does it'.startsWith(longest) && longest.length > 3, true, longest)
    assert.equal(view.draft, null)
    assert.deepEqual(
      view.items.map((item) => item.kind === 'message' && item.text),
      ['first', 'You said: first', 'slowly does it', 'You said: slowly does it'],
    )
  })

  test('a restart in the middle of a reply: nothing twice, nothing missing', async () => {
    const mine = await under.client()
    const { id } = await mine.dialogs.open({ text: `slowly ${'a'.repeat(120)}` })
    const events: EventView[] = []
    const states: LiveState[] = []
    mine.live().onState((state) => states.push(state))
    mine.live().follow(id, 0, { onEvents: (batch) => events.push(...batch) })
    await until(() => events.length > 0)
    await under.restart()
    assert.equal(states.includes('reconnecting'), true)
    mine.live().retryNow()
    await mine.dialogs.say(id, 'and more')
    const head = await settled(id)
    await until(() => events.length >= head)
    assert.deepEqual(numbers(events), upTo(head))
    assert.equal(mine.live().state, 'live')
  })

  test('everything at once, by position', async () => {
    const mine = await under.client()
    const log: EventView[] = []
    let isLive = false
    mine.live().follow(everything, 0, { onEvents: (batch) => log.push(...batch), onLive: () => (isLive = true) })
    await until(() => isLive)
    const { id } = await mine.dialogs.open({ text: 'hello' })
    const head = await settled(id)
    await until(() => log.filter((event) => event.stream === id).length === head)
    const places = log.map(({ position }) => position)
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(places).size, places.length)
    assert.equal(
      log.some((event) => event.stream === 'tokens'),
      false,
    )
  })

  test('an unknown dialog is an error in words, a log that went back starts anew', async () => {
    const mine = await under.client()
    let code = ''
    mine.live().follow('dlg_nowhere', 0, { onEvents() {}, onError: (error) => (code = error.code) })
    assert.equal(await until(() => code), 'dialog_not_found')
    const { id } = await mine.dialogs.open({})
    const events: EventView[] = []
    let resets = 0
    mine.live().follow(id, 1000, { onEvents: (batch) => events.push(...batch), onReset: () => (resets += 1) })
    await until(() => events.length > 0)
    assert.equal(resets, 1)
    assert.deepEqual(numbers(events), [1])
  })

  test('a revoked token is signed out, and does not knock for ever', async () => {
    const { token, view } = await client.tokens.create('short', ['read'])
    await client.tokens.revoke(view.id)
    const mine = await under.client(['read'], { token })
    const states: LiveState[] = []
    mine.live().onState((state) => states.push(state))
    await until(() => mine.live().state === 'signed-out')
    assert.equal(mine.live().retryAt, null)
    assert.equal(states.at(-1), 'signed-out')
  })

  test('the lists are told that something changed', async () => {
    const mine = await under.client()
    let changes = 0
    mine.live().onChanged(() => (changes += 1))
    await until(() => mine.live().state === 'live')
    const earlier = changes
    await mine.dialogs.open({ text: 'hello' })
    await until(() => changes > earlier)
  })

  test('frames that make no sense are refused and harm nothing', async () => {
    const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, {
      headers: { authorization: `Bearer ${await under.token(['read'])}` },
    })
    const frames: LiveFrame[] = []
    socket.on('message', (data) => frames.push(getFrame(data)))
    await once(socket, 'open')
    for (const bad of [
      '{',
      '[]',
      'null',
      '{"type":"follow"}',
      '{"type":"follow","stream":"../x","after":0}',
      '{"type":"follow","stream":"a","after":-1}',
      '{"type":"sing"}',
    ])
      socket.send(bad)
    socket.send(Buffer.from([1, 2, 3]))
    socket.send('{"type":"ping"}')
    await until(() => frames.some((frame) => frame.type === 'pong'))
    assert.equal(frames.filter((frame) => frame.type === 'error').length, 8)
    socket.send('x'.repeat(100_000))
    const [code] = (await once(socket, 'close')) as [number]
    assert.equal(code, 1009)
  })

  test('one connection follows at most so many streams', async () => {
    const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, {
      headers: { authorization: `Bearer ${await under.token(['read'])}` },
    })
    const errors: string[] = []
    socket.on('message', (data) => {
      const frame = getFrame(data)
      if (frame.type === 'error') errors.push(frame.error.message)
    })
    await once(socket, 'open')
    for (let n = 0; n < 101; n += 1) socket.send(JSON.stringify({ type: 'follow', stream: `dlg_${n}`, after: 0 }))
    await until(() => errors.some((message) => message.includes('100 streams')))
    socket.close()
  })

  test('two hundred readers all get every event once', async () => {
    const { id } = await client.dialogs.open({})
    const token = await under.token(['read'])
    const readers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, { headers: { authorization: `Bearer ${token}` } })
        const values: number[] = []
        socket.on('message', (data) => {
          const frame = getFrame(data)
          if (frame.type === 'events') values.push(...numbers(frame.events))
        })
        await once(socket, 'open')
        socket.send(JSON.stringify({ type: 'follow', stream: id, after: 0 }))
        return { socket, seen: values }
      }),
    )
    for (let n = 0; n < 20; n += 1) await client.dialogs.say(id, `message ${n}`)
    const head = await settled(id)
    await until(() => readers.every(({ seen }) => seen.length >= head))
    for (const { seen } of readers) assert.deepEqual(seen, upTo(head))
    for (const { socket } of readers) socket.terminate()
  })

  test('stopping says goodbye', async () => {
    const other = await serverUnderTest()
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/v1/live`, {
      headers: { authorization: `Bearer ${await other.token(['read'])}` },
    })
    await once(socket, 'open')
    const closed = once(socket, 'close') as Promise<[number]>
    await other.close()
    assert.equal((await closed)[0], 1001)
  })
})

describe('a reader that does not read', () => {
  test('holds up nothing, is not fed without end, and misses nothing when it reads on', async () => {
    let handed = 0
    const wrap = (parley: Parley): Parley => ({
      ...parley,
      events: {
        ...parley.events,
        async read(query) {
          const events = await parley.events.read(query)
          handed += events.length
          return events
        },
      },
    })
    const under = await serverUnderTest({ wrap })
    const client = await under.client()
    const { id } = await client.dialogs.open({})
    for (let n = 0; n < 60; n += 1) {
      await client.dialogs.say(id, '语'.repeat(90_000))
      await until(async () => (await client.dialogs.get(id)).status === 'ready')
    }
    const { head } = await client.dialogs.get(id)
    const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, {
      headers: { authorization: `Bearer ${await under.token(['read'])}` },
    })
    const seqs: number[] = []
    socket.on('message', (data) => {
      const frame = getFrame(data)
      if (frame.type === 'events') seqs.push(...numbers(frame.events))
    })
    await once(socket, 'open')
    socket.pause()
    handed = 0
    socket.send(JSON.stringify({ type: 'follow', stream: id, after: 0 }))
    for (let earlier = -1; earlier !== handed;) {
      earlier = handed
      await pause(200)
    }
    assert.equal(handed > 0 && handed < head, true, `${handed} of ${head} events were read for a client that reads none`)
    // Another client is served as if the slow one were not there.
    for (let n = 0; n < 5; n += 1) await client.dialogs.say(id, 'more')
    const end = await until(async () => {
      const now = await client.dialogs.get(id)
      return now.status === 'ready' && now.head > head && now.head
    })
    socket.resume()
    await until(() => seqs.length >= end)
    assert.deepEqual(seqs, upTo(end))
    socket.terminate()
    await under.close()
  })
})

describe('server-sent events', () => {
  let under: ServerUnderTest
  let client: ParleyClient
  before(async () => {
    under = await serverUnderTest()
    client = await under.client()
  })
  after(() => under.close())

  /** Reads until `enough` says so, then cuts the connection. */
  async function readStream(path: string, headers: Record<string, string>, enough: (text: string) => boolean): Promise<string> {
    const over = new AbortController()
    const response = await fetch(under.url + path, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${await under.token(['read'])}`, ...headers },
      signal: over.signal,
    })
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (enough(text)) break
    }
    over.abort()
    return text
  }

  const idsIn = (text: string): number[] => Array.from(text.matchAll(/^id: (\d+)$/gm), (match) => Number(match[1]))

  test('numbers each event, resumes after the last one seen, and hints when to come back', async () => {
    const { id } = await client.dialogs.open({ text: 'one' })
    const head = await until(async () => {
      const now = await client.dialogs.get(id)
      return now.status === 'ready' && now.head
    })
    const first = await readStream(`/v1/events?stream=${id}`, {}, (text) => idsIn(text).length >= head)
    assert.match(first, /^retry: \d+$/m)
    assert.deepEqual(idsIn(first), upTo(head))
    const rest = await readStream(`/v1/events?stream=${id}&after=0`, { 'last-event-id': '3' }, (text) => idsIn(text).length >= head - 3)
    assert.deepEqual(idsIn(rest), upTo(head).slice(3))
    const everywhere = await readStream('/v1/events', {}, (text) => text.includes(id))
    assert.equal(everywhere.includes('"stream":"tokens"'), false)
  })

  test('pieces of a reply come without a number', async () => {
    const { id } = await client.dialogs.open({})
    const reading = readStream(`/v1/events?stream=${id}`, {}, (text) => text.includes('"turn.finished"'))
    await client.dialogs.say(id, 'slowly now')
    const text = await reading
    const piece = text.split('\n\n').find((part) => part.startsWith('event: delta'))
    assert.ok(piece)
    assert.doesNotMatch(piece, /^id:/m)
  })

  test('a reader that never reads does not stop the server from stopping', async () => {
    const other = await serverUnderTest()
    const { id } = await (await other.client()).dialogs.open({ text: 'x'.repeat(90_000) })
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write(
      `GET /v1/events?stream=${id} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nauthorization: Bearer ${await other.token(['read'])}\r\n\r\n`,
    )
    await once(socket, 'connect')
    await other.close()
    socket.destroy()
    await assert.rejects(fetch(`${other.url}/healthz`))
  })
})

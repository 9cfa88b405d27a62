import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { everything } from '../src/client/live.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { KillableServer } from './fixtures/killable-server.ts'

const mostMegabytes = 300
const hostile = { eventReaders: 150, silentSockets: 120, floodingSockets: 80, halfOpen: 150 } as const
const attackMs = 60_000
const large = 'x'.repeat(100_000)

const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Opens it again whenever it ends, as a hostile client would, until the attack is over. */
class Attack {
  readonly #stop = new AbortController()
  readonly #open = new Set<{ destroy(): void }>()
  opened = 0

  repeat(open: () => { destroy(): void; ended: Promise<unknown> }): void {
    const run = async (): Promise<void> => {
      while (!this.#stop.signal.aborted) {
        const one = open()
        this.opened += 1
        this.#open.add(one)
        await one.ended
        this.#open.delete(one)
        await sleep(100 + Math.random() * 400)
      }
    }
    void run()
  }

  end(): void {
    this.#stop.abort()
    for (const one of this.#open) one.destroy()
  }
}

/** A connection that sends this and takes nothing of what comes back. */
function deaf(port: number, text: string, more = '\r\n'): { destroy(): void; ended: Promise<unknown>; socket: Socket } {
  const socket = connect(port, '127.0.0.1')
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.pause()
  socket.write(text)
  // A paused socket notices that the other side is gone only when it writes.
  const look = setInterval(() => socket.write(more), 1_000)
  socket.once('close', () => clearInterval(look))
  return { destroy: () => socket.destroy(), ended, socket }
}

test(
  `${Object.values(hostile).reduce<number>((sum, count) => sum + count, 0)} hostile connections: at most ${mostMegabytes} MB, and others are served`,
  { timeout: 280_000 },
  async (t) => {
    const server = new KillableServer('load')
    const attack = new Attack()
    t.after(async () => {
      attack.end()
      await server.end('SIGKILL')
      server.remove()
    })
    await server.start()
    await server.end('SIGTERM')
    // Written directly: a dialog of this size would be in the server's memory for other reasons.
    const store = sqliteStore({ path: join(server.dir, '.parley', 'parley.db') })
    for (let seq = 0; seq < 400; seq += 20) {
      const events = Array.from({ length: 20 }, (_, index) => ({ type: 'note.added', at: 1, data: { index: seq + index, text: large } }))
      const [result] = await store.commit([{ append: [{ stream: 'large', expect: seq, events }] }])
      assert.equal(result?.ok, true)
    }
    await store.close()

    await server.start()
    const pid = server.child.pid ?? 0
    const { port } = server
    const owner = server.client()
    t.after(() => owner.close())
    const tokens = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => (await owner.tokens.create(`weak ${index}`, ['read'], { role: 'operator' })).token),
    )
    const token = (index: number): string => tokens[index % tokens.length] ?? ''
    const idle = megabytes(pid, 'VmRSS')
    const { id } = await owner.dialogs.open({ text: 'hello' })

    const head = (path: string, index: number, more = ''): string =>
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token(index)}\r\n${more}\r\n`
    for (let index = 0; index < hostile.eventReaders; index += 1)
      attack.repeat(() => deaf(port, head(`/v1/events?after=${index}`, index, 'accept: text/event-stream\r\n')))
    for (let index = 0; index < hostile.halfOpen; index += 1)
      attack.repeat(() => deaf(port, 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: ', 'x'))
    const live = (index: number): WebSocket => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, { headers: { authorization: `Bearer ${token(index)}` } })
      socket.on('error', () => {})
      return socket
    }
    const opened = (socket: WebSocket): { destroy(): void; ended: Promise<unknown> } => ({
      destroy: () => socket.terminate(),
      ended: new Promise((resolve) => socket.once('close', resolve)),
    })
    for (let index = 0; index < hostile.silentSockets; index += 1)
      attack.repeat(() => {
        const socket = live(index)
        socket.once('open', () => {
          socket.pause()
          for (const stream of [everything, 'large', id]) socket.send(JSON.stringify({ type: 'follow', stream, after: index }))
          const look = setInterval(() => socket.ping(), 1_000)
          socket.once('close', () => clearInterval(look))
        })
        return opened(socket)
      })
    for (let index = 0; index < hostile.floodingSockets; index += 1)
      attack.repeat(() => {
        const socket = live(index)
        socket.once('open', () => {
          socket.pause()
          const write = setInterval(() => {
            if (socket.bufferedAmount > 500_000) return
            for (let n = 0; n < 50; n += 1) {
              if (index % 2 === 0) socket.send('{"type":"ping"}')
              else socket.ping(Buffer.alloc(125))
            }
          }, 50)
          socket.once('close', () => clearInterval(write))
        })
        return opened(socket)
      })

    // Meanwhile the owner reads live and talks.
    const seen: number[] = []
    owner.live().follow(id, 0, { onEvents: (events) => seen.push(...events.map(({ seq }) => seq)) })
    let peak = 0
    let said = 0
    for (const end = Date.now() + attackMs; Date.now() < end;) {
      await owner.dialogs.say(id, `message ${said}`)
      said += 1
      const now = megabytes(pid, 'VmRSS')
      assert.ok(now <= mostMegabytes, `${Math.round(now)} MB after ${said} messages and ${attack.opened} hostile connections`)
      peak = Math.max(peak, now)
      await sleep(1_000)
    }
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${token(0)}` } })
    const figures = (await metrics.text()).split('\n').filter((line) => /^parley_(connections|live)/.test(line))
    attack.end()
    const { head: last } = await owner.dialogs.get(id)
    for (let waits = 0; seen.length < last && waits < 400; waits += 1) await sleep(25)
    assert.deepEqual(
      seen,
      Array.from({ length: seen.length }, (_, index) => index + 1),
    )
    assert.ok(seen.length >= last, `the owner saw ${seen.length} of ${last} events`)
    assert.ok(said > 10, `only ${said} messages were taken`)
    const highest = megabytes(pid, 'VmHWM')
    t.diagnostic(
      `${attack.opened} hostile connections in ${attackMs / 1000} s; memory ${Math.round(idle)} MB idle, ${Math.round(Math.max(peak, highest))} MB at most; ${said} messages`,
    )
    t.diagnostic(figures.join(' · '))
    assert.ok(highest <= mostMegabytes, `${Math.round(highest)} MB at most`)
  },
)

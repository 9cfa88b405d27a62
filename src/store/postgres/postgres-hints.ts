import type { Client } from 'pg'
import { ParleyError } from '../../errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Delta, StreamId } from '../../ports/store.ts'
import type { Listeners } from '../listeners.ts'
import { ForeignEvents } from './foreign-events.ts'
import type { PostgresConnection } from './postgres-connection.ts'

export const hintLimits = {
  /** The first hint leaves at once; those of this time after it share a notification. NOTIFY takes a lock of the whole server. */
  collectMs: 5,
  /** PostgreSQL refuses payloads of 8,000 bytes and more. */
  payloadBytes: 7_900,
  /** Of hints that wait for a slow server, further ones are dropped. */
  waiting: 1_000,
  reconnectMs: [200, 500, 1_000, 2_000, 5_000],
  /** A pooler that gives each transaction another connection accepts LISTEN and delivers nothing. */
  proofMs: 2_000,
} as const

type Hint = { s: [StreamId, number] } | { w: string } | { d: Delta }
type Payload = { from: string; hints: Hint[] }

/**
 * Hints between processes by LISTEN and NOTIFY, on one connection that is not shared. The same connection holds the lock
 * that says the owner is alive. Without it everything still works by polling, only later.
 */
export class PostgresHints {
  readonly #connection: PostgresConnection
  readonly #listeners: Listeners
  readonly #owner: string
  readonly #channel: string
  readonly #schema: string
  readonly #log: Log
  readonly #foreign: ForeignEvents
  #client: Client | null = null
  #isClosed = false
  #attempt = 0
  #retry: NodeJS.Timeout | null = null
  #pending: Hint[] = []
  #flushing: Promise<void> | null = null
  #onProof: (() => void) | null = null

  constructor(connection: PostgresConnection, listeners: Listeners, more: { owner: string; schema: string; log: Log }) {
    this.#connection = connection
    this.#listeners = listeners
    this.#owner = more.owner
    this.#schema = more.schema
    this.#channel = `parley_${more.schema}`
    this.#log = more.log
    this.#foreign = new ForeignEvents(connection, listeners, more.schema)
  }

  /** False if this connection cannot listen: there is a pooler between. */
  async start(): Promise<boolean> {
    await this.#listen()
    await this.#foreign.start()
    const proof = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), hintLimits.proofMs)
      this.#onProof = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
    await this.#send([])
    const canListen = await proof
    this.#onProof = null
    if (!canListen) {
      this.#log('warn', 'PostgreSQL sends no notifications, probably because of a pooler. Changes of other processes are found by polling.')
      await this.#drop()
    }
    return canListen
  }

  streamChanged(stream: StreamId, head: number): void {
    this.#foreign.noteHead(stream, head)
    this.#add({ s: [stream, head] })
  }

  workChanged(kind: string): void {
    this.#add({ w: kind })
  }

  publish(delta: Delta): void {
    this.#add({ d: delta })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#foreign.close()
    if (this.#retry) clearTimeout(this.#retry)
    await this.#flushing
    await this.#drop()
  }

  async #drop(): Promise<void> {
    const client = this.#client
    this.#client = null
    client?.removeAllListeners('end')
    await client?.end().catch(() => {})
  }

  async #listen(): Promise<void> {
    const client = await this.#connection.connect()
    client.on('error', () => {})
    client.on('end', () => this.#onEnd(client))
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    await client.query(`LISTEN ${this.#channel}`)
    const { rows } = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock($1::regnamespace::oid::integer, hashtext($2)) AS locked',
      [this.#schema, this.#owner],
    )
    if (!rows[0]?.locked) {
      await client.end().catch(() => {})
      throw new ParleyError('store_locked', { why: `another process is called ${this.#owner}` }, { retryable: true })
    }
    this.#client = client
    this.#attempt = 0
  }

  #onEnd(client: Client): void {
    if (this.#client !== client || this.#isClosed) return
    this.#client = null
    this.#log('warn', 'The listening connection to PostgreSQL ended; reconnecting')
    this.#reconnectLater()
  }

  #reconnectLater(): void {
    const delayMs = hintLimits.reconnectMs[Math.min(this.#attempt++, hintLimits.reconnectMs.length - 1)]
    this.#retry = setTimeout(() => {
      if (!this.#isClosed) this.#listen().catch(() => this.#reconnectLater())
    }, delayMs)
    this.#retry.unref()
  }

  #receive(payload: string): void {
    const { from, hints } = JSON.parse(payload) as Payload
    if (from === this.#owner) {
      if (hints.length === 0) this.#onProof?.()
      return
    }
    for (const hint of hints) {
      if ('s' in hint) {
        if (this.#foreign.noteHead(...hint.s)) this.#listeners.streamChanged(...hint.s)
      } else if ('w' in hint) this.#listeners.workChanged(hint.w)
      else this.#listeners.publish(hint.d)
    }
  }

  #add(hint: Hint): void {
    if (this.#isClosed || this.#pending.length >= hintLimits.waiting) return
    this.#pending.push(hint)
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = null))
  }

  /** One leading notification, then one each few milliseconds while hints arrive. */
  async #flush(): Promise<void> {
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const hints = this.#pending
      this.#pending = []
      for (const part of splitHints(this.#owner, hints)) await this.#send(part)
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, hintLimits.collectMs))
    }
  }

  async #send(hints: readonly Hint[]): Promise<void> {
    try {
      await this.#connection.query('SELECT pg_notify($1, $2)', [this.#channel, JSON.stringify({ from: this.#owner, hints })])
    } catch {
      // Hints may be lost; readers poll.
    }
  }
}

/** Parts that fit into a payload each, with the last head of each stream and each kind once. A hint too large alone is left out. */
export function splitHints(from: string, hints: readonly Hint[]): Hint[][] {
  const latest = new Map<string, Hint>()
  for (const [index, hint] of hints.entries()) {
    const id = 's' in hint ? `s${hint.s[0]}` : 'w' in hint ? `w${hint.w}` : `d${index}`
    latest.delete(id)
    latest.set(id, hint)
  }
  const frameBytes = Buffer.byteLength(JSON.stringify({ from, hints: [] }))
  const parts: Hint[][] = []
  let bytes = Infinity
  for (const hint of latest.values()) {
    const size = Buffer.byteLength(JSON.stringify(hint)) + 1
    if (frameBytes + size > hintLimits.payloadBytes) continue
    if (bytes + size > hintLimits.payloadBytes) {
      parts.push([])
      bytes = frameBytes
    }
    parts.at(-1)?.push(hint)
    bytes += size
  }
  return parts
}

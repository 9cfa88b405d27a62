import type { McpServerConfig } from '../../app/config/mcp-schema.ts'
import type { Clock } from '../../ports/clock.ts'
import { OutputWithFiles } from '../../ports/tool-output.ts'
import { resultInWords } from './call-result.ts'
import { connect, type McpAddress, type McpClient } from './client.ts'
import { mcpLimits, type Offer, readOffer } from './offered-tool.ts'
import { errorMessage } from '../../errors.ts'
import { backOffMs } from '../../shapes/back-off.ts'

/** A connection that held this long resets the count of losses. */
const steadyMs = 60_000
const relistMs = 200

/**
 * The life of one server with one configuration.
 *
 * opening → up → (lost) → down → opening … until closed
 *     └ failed: down, tried again after 1 s, 2 s, 4 s … at most 60 s, and at once when a tool is called
 *
 * The list of tools stays as it was last known while the server is down: a call then says so.
 */
export class McpServer {
  offer: Offer | null = null
  problem: string | null = null
  readonly #config: McpServerConfig
  readonly #address: McpAddress
  readonly #clock: Clock
  readonly #changed: () => void
  #client: McpClient | null = null
  #opening: Promise<McpClient> | null = null
  readonly #off = new AbortController()
  #failures = 0
  #upSince = 0
  #takeBackRetry = (): void => {}
  #takeBackRelist: (() => void) | null = null

  constructor(config: McpServerConfig, address: McpAddress, clock: Clock, changed: () => void) {
    this.#config = config
    this.#address = address
    this.#clock = clock
    this.#changed = changed
  }

  /** Resolves when the first try is over, however it went. */
  async start(): Promise<void> {
    await this.#open().catch(() => {})
  }

  async call(remoteName: string, input: Record<string, unknown>, signal: AbortSignal): Promise<string | OutputWithFiles> {
    const client = this.#client ?? (await untilAborted(this.#open(), signal))
    let answer: ReturnType<typeof resultInWords>
    try {
      answer = resultInWords(await client.call(remoteName, input, { signal, timeoutMs: this.#config.callSeconds * 1_000 }))
    } catch (error) {
      signal.throwIfAborted()
      // The server's own word on this call, or its silence, says nothing about the connection; everything else does.
      if ((error as Error).name !== 'McpError') this.#lost(client, this.#inWords(error))
      throw new Error(this.#inWords(error), { cause: error })
    }
    if (!answer.ok) throw new Error(answer.text)
    return answer.files.length === 0 ? answer.text : new OutputWithFiles(answer.text, answer.files)
  }

  async close(): Promise<void> {
    this.#off.abort()
    this.#takeBackRetry()
    this.#takeBackRelist?.()
    await Promise.all([this.#client?.close(), this.#opening?.catch(() => {})])
  }

  #open(): Promise<McpClient> {
    if (this.#off.signal.aborted) return Promise.reject(new Error('it was switched off'))
    this.#takeBackRetry()
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  async #connect(): Promise<McpClient> {
    const timeoutMs = this.#config.startSeconds * 1_000
    let client: McpClient | null = null
    try {
      const listeners = { onListChanged: () => this.#relistSoon(), onClosed: () => client && this.#lost(client, 'it has ended') }
      const opened = await connect(this.#address, timeoutMs, listeners, this.#off.signal)
      client = opened
      const listed = await opened.list(timeoutMs)
      if (this.#off.signal.aborted) throw new Error('it was switched off')
      this.#client = opened
      this.#upSince = this.#clock.now()
      this.offer = readOffer(listed, this.#config)
      this.problem = null
      this.#changed()
      return opened
    } catch (error) {
      await client?.close()
      this.#down(this.#inWords(error))
      throw new Error(this.#inWords(error), { cause: error })
    }
  }

  #lost(client: McpClient, why: string): void {
    if (client !== this.#client) return
    this.#client = null
    client.close().catch(() => {})
    if (this.#clock.now() - this.#upSince >= steadyMs) this.#failures = 0
    this.#down(why)
  }

  #down(why: string): void {
    if (this.#off.signal.aborted) return
    this.problem = why
    const waitMs = backOffMs(mcpLimits, this.#failures)
    this.#failures += 1
    this.#takeBackRetry()
    this.#takeBackRetry = this.#clock.after(waitMs, () => void this.#open().catch(() => {}))
    this.#changed()
  }

  /** However often the server says so, one look at a time and never two close together. */
  #relistSoon(): void {
    if (this.#takeBackRelist || this.#off.signal.aborted) return
    this.#takeBackRelist = this.#clock.after(relistMs, () => {
      const client = this.#client
      const finish = (): void => {
        this.#takeBackRelist = null
      }
      if (!client) return finish()
      client
        .list(this.#config.startSeconds * 1_000)
        .then(
          (listed) => {
            if (client !== this.#client) return
            this.offer = readOffer(listed, this.#config)
            this.problem = null
            this.#changed()
          },
          (error: unknown) => {
            if (client !== this.#client) return
            this.problem = `its new list of tools cannot be read (${this.#inWords(error)}); the last one stays`
            this.#changed()
          },
        )
        .finally(finish)
    })
  }

  /** One line, without the values it was given: a server may well repeat them. */
  #inWords(error: unknown): string {
    const values = this.#address.transport === 'stdio' ? this.#address.env : this.#address.headers
    let text = errorMessage(error)
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
    if (cause !== '' && !text.includes(cause)) text += ` (${cause})`
    for (const value of Object.values(values)) if (value.length >= 6) text = text.replaceAll(value, '•••')
    return (
      (text.split('\n', 1)[0] ?? '')
        .slice(0, 400)
        .toWellFormed()
        .replace(/(?<![.\s])[.\s]+$/, '') || 'it gave no reason'
    )
  }
}

async function untilAborted<Value>(wanted: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([wanted, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

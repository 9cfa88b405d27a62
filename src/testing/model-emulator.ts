import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { canSay, type Refused, toErrorBody } from './model-behaviours.ts'
import {
  errorBody,
  errorChunk,
  type Protocol,
  protocols,
  type Reply,
  type Spoken,
  spokenChunks,
  streamChunks,
  wholeBody,
} from './model-wire.ts'

/** Behaviour of the emulated model for one request. */
export type Behaviour =
  /** Streams the reply; `delayMs` before each chunk. */
  | ({ does: 'reply'; delayMs?: number } & Reply)
  | { does: 'refuse'; status: number; message?: string; headers?: Record<string, string>; body?: object }
  /** Says an entry of a file of model behaviours. */
  | { does: 'say'; said: Spoken | Refused }
  /** Takes the request and never sends a byte. */
  | { does: 'stall' }
  /** Sends this much of the reply, then nothing more. */
  | { does: 'stall-after'; chunks: number; reply: Reply }
  /** Sends this much of the reply, then drops the connection. */
  | { does: 'cut-after'; chunks: number; reply: Reply }
  /** Sends this much of the reply, then ends as if all were well. */
  | { does: 'end-after'; chunks: number; reply: Reply }
  | { does: 'error-after'; chunks: number; reply: Reply; type: string; message: string }
  /** Sends these bytes as they are. */
  | { does: 'garbage'; body: string; contentType: string }

/** A model that reads what it is asked, and at which path. */
export type Answering = (body: Record<string, unknown>, path: string) => Behaviour | Promise<Behaviour>

/** `text` is the body as it was sent. */
export type RecordedRequest = {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Record<string, unknown>
  text: string
}

export type ModelEmulator = {
  /** With `/v1`, as a model's baseUrl wants it. */
  readonly url: string
  readonly requests: RecordedRequest[]
  /** Requests whose connection was closed by the caller before the reply was complete. */
  readonly abandoned: number
  /** Behaviours for the next requests, one each; the default behaviour follows. */
  next(...behaviours: Behaviour[]): void
  /** Forgets the behaviours that no request asked for. */
  drop(): void
  close(): Promise<void>
}

/**
 * A model on the loopback interface that speaks all three protocols and misbehaves on demand. Without a script it answers
 * at once from bytes prepared beforehand, so a benchmark measures the caller and not the emulator.
 */
export async function modelEmulator(options: { resting?: Behaviour | Answering; record?: boolean } = {}): Promise<ModelEmulator> {
  const { resting = { does: 'reply', pieces: ['Hello', ' from', ' the', ' model.'] }, record = true } = options
  const script: Behaviour[] = []
  const requests: RecordedRequest[] = []
  let abandoned = 0
  const ready = new Map<Protocol, string>()
  if (typeof resting !== 'function' && resting.does === 'reply' && !resting.delayMs) {
    for (const protocol of protocols) ready.set(protocol, streamChunks(protocol, resting).join(''))
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await getBody(request)
    const path = request.url ?? '/'
    if (path.endsWith('/models')) return sendJson(response, 200, { object: 'list', data: [{ id: 'emulated', object: 'model' }] })
    const protocol = protocolFor(path)
    if (protocol === null) return sendJson(response, 404, { error: { message: `no such path: ${path}` } })
    const behaviour = script.shift()
    const fast = behaviour === undefined ? ready.get(protocol) : undefined
    if (!record && fast !== undefined && text.includes('"stream":true'))
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(fast)
    const body = JSON.parse(text) as Record<string, unknown>
    requests.push({ path, headers: request.headers, body, text })
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1
    })
    const next = behaviour ?? (typeof resting === 'function' ? await resting(body, path) : resting)
    await behave(next, protocol, body.stream === true, response)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get abandoned() {
      return abandoned
    },
    next: (...behaviours) => void script.push(...behaviours),
    drop: () => void (script.length = 0),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function protocolFor(path: string): Protocol | null {
  if (path.endsWith('/chat/completions')) return 'openai-compatible'
  if (path.endsWith('/responses')) return 'responses'
  return path.endsWith('/messages') ? 'anthropic' : null
}

async function behave(behaviour: Behaviour, protocol: Protocol, streams: boolean, response: ServerResponse): Promise<void> {
  const open = (): ServerResponse => response.writeHead(200, { 'content-type': 'text/event-stream' })
  switch (behaviour.does) {
    case 'reply': {
      if (!streams) return sendJson(response, 200, wholeBody(protocol, behaviour))
      open()
      const chunks = streamChunks(protocol, behaviour)
      if (!behaviour.delayMs) return void response.end(chunks.join(''))
      for (const chunk of chunks) {
        await sleep(behaviour.delayMs)
        if (response.destroyed) return
        response.write(chunk)
      }
      return void response.end()
    }
    case 'refuse': {
      const { status, message = 'no', headers = {}, body = errorBody(protocol, 'emulated_error', message) } = behaviour
      return sendJson(response, status, body, headers)
    }
    case 'say': {
      const { said } = behaviour
      if (!canSay(protocol, said)) return sendJson(response, 501, errorBody(protocol, 'emulated_error', 'this protocol cannot say it'))
      if ('status' in said) return sendJson(response, said.status, toErrorBody(protocol, said))
      return void open().end(spokenChunks(protocol, said).join(''))
    }
    case 'stall':
      return
    case 'garbage':
      return void response.writeHead(200, { 'content-type': behaviour.contentType }).end(behaviour.body)
    case 'stall-after':
    case 'cut-after':
    case 'end-after':
    case 'error-after': {
      open()
      for (const chunk of streamChunks(protocol, behaviour.reply).slice(0, behaviour.chunks)) response.write(chunk)
      if (behaviour.does === 'error-after') response.write(errorChunk(protocol, behaviour.type, behaviour.message))
      if (behaviour.does === 'error-after' || behaviour.does === 'end-after') response.end()
      // Long enough for the caller to have read what was sent; a reset would throw it away unread.
      if (behaviour.does === 'cut-after') setTimeout(() => response.destroy(), 20)
    }
  }
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function getBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

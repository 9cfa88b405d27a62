import type { Readable } from 'node:stream'
import type { ReadFile } from '../../../ports/channel-kind.ts'
import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { atMost } from '../at-most.ts'
import { endingWith } from '../ending-with.ts'
import { refuse } from '../failure.ts'
import type { FeishuConfig } from './config.ts'
import { isOldToken, readError, toFailure } from './failure.ts'
import { feishuLimits } from './limits.ts'

/** The only file that imports the library of Feishu. It is loaded with the first account. */

export const feishuClientLimits = { callTimeoutMs: 30_000, handshakeMs: 15_000, pongSeconds: 20, downloadBytes: 20 * 1024 * 1024 } as const

export type FeishuClient = {
  /** One call. Throws nothing: a failure is a value. */
  call(request: PlatformRequest, signal?: AbortSignal): Promise<{ result: Record<string, unknown> } | { failure: SendFailure }>
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
  /** The long connection. The result of `onEvent` is the answer; when it throws, Feishu reports the event again. */
  listen(handlers: LongConnection): { stop(): void }
}

export type LongConnection = {
  onEvent(report: unknown): Promise<Record<string, unknown>>
  onState(isConnected: boolean): void
  /** The library has given up, in words for people. */
  onEnd(problem: string): void
}

/** Operations as the library names them. */
const routes: Readonly<Record<string, readonly [method: string, path: string]>> = {
  'bot.info': ['GET', '/open-apis/bot/v3/info'],
  'contact.user.get': ['GET', '/open-apis/contact/v3/users/{user_id}'],
  'im.message.list': ['GET', '/open-apis/im/v1/messages'],
  'im.message.get': ['GET', '/open-apis/im/v1/messages/{message_id}'],
  'im.message.create': ['POST', '/open-apis/im/v1/messages'],
  'im.message.reply': ['POST', '/open-apis/im/v1/messages/{message_id}/reply'],
  'im.message.patch': ['PATCH', '/open-apis/im/v1/messages/{message_id}'],
  'im.message.delete': ['DELETE', '/open-apis/im/v1/messages/{message_id}'],
  'im.pin.create': ['POST', '/open-apis/im/v1/pins'],
  'im.pin.delete': ['DELETE', '/open-apis/im/v1/pins/{message_id}'],
  'im.messageReaction.list': ['GET', '/open-apis/im/v1/messages/{message_id}/reactions'],
  'im.messageReaction.create': ['POST', '/open-apis/im/v1/messages/{message_id}/reactions'],
  'im.messageReaction.delete': ['DELETE', '/open-apis/im/v1/messages/{message_id}/reactions/{reaction_id}'],
  'im.image.create': ['POST', '/open-apis/im/v1/images'],
  'im.file.create': ['POST', '/open-apis/im/v1/files'],
}

const uploads = new Set(['im.image.create', 'im.file.create'])

type Call = { method: string; url: string; params?: object; data?: object; headers?: Record<string, string>; responseType?: 'stream' }

export async function feishuClient(config: FeishuConfig, readFile: ReadFile): Promise<FeishuClient> {
  const { appId = '', appSecret = '', domain = 'feishu', apiRoot } = config
  const { Client, Domain, EventDispatcher, LoggerLevel, WSClient } = await import('@larksuiteoapi/node-sdk')
  const cache = tokenCache()
  const common = {
    appId,
    appSecret: appSecret || 'none',
    domain: apiRoot?.replace(/(?<!\/)\/+$/, '') ?? (domain === 'lark' ? Domain.Lark : Domain.Feishu),
    logger: quietLogger,
    loggerLevel: LoggerLevel.error,
    source: 'parley',
  }
  const client = new Client({ ...common, cache })
  const secrets = [appSecret]

  /** A token may end before its time; the second call asks for another one. */
  async function request<Answer>(call: Call, signal: AbortSignal, tries = 2): Promise<Answer> {
    try {
      const answer = await endingWith(client.request<Answer>({ ...call, signal }), signal)
      if (isRecord(answer) && typeof answer['code'] === 'number' && answer['code'] !== 0) throw new FeishuRefusal(answer)
      return answer
    } catch (error) {
      if (tries <= 1 || !isOldToken(error)) throw error
      cache.clear()
      return request(call, signal, tries - 1)
    }
  }

  const call: FeishuClient['call'] = async (given, signal = AbortSignal.timeout(feishuClientLimits.callTimeoutMs)) => {
    const { operation, path = {}, query, body } = given
    const [method, template] = routes[operation] ?? []
    if (!method || !template) return { failure: refuse(`there is no operation ${operation}`) }
    try {
      const filled = body && (await withUpload(body, signal))
      if (filled && 'failure' in filled) return filled
      const answer = await request<Record<string, unknown>>(
        {
          method,
          url: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
          ...(query && { params: query }),
          ...(filled && { data: filled.body }),
          ...(uploads.has(operation) && { headers: { 'content-type': 'multipart/form-data' } }),
        },
        signal,
      )
      return { result: isRecord(answer['data']) ? answer['data'] : answer }
    } catch (error) {
      return { failure: toFailure(error, operation, secrets) }
    }
  }

  /** The body with the key of an uploaded file. It is read at the last moment, so that a request stays plain JSON until then. */
  async function withUpload(
    body: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ body: Record<string, unknown> } | { failure: SendFailure }> {
    const field = body['msg_type'] === 'image' ? 'image_key' : 'file_key'
    const source = typeof body['content'] === 'string' && body['content'].startsWith(`{"${field}":"file:`) ? body['content'] : null
    if (source === null) return { body }
    const { [field]: url = '' } = JSON.parse(source) as Record<string, string>
    const read = await readFile(url)
    if ('problem' in read) return { failure: refuse(read.problem) }
    const isImage = field === 'image_key'
    const limit = isImage ? feishuLimits.imageBytes : feishuLimits.fileBytes
    if (read.bytes.length > limit)
      return { failure: refuse(`${read.name} has ${read.bytes.length} bytes; Feishu takes ${limit}`, 'too_large') }
    const bytes = Buffer.from(read.bytes)
    const uploaded = isImage
      ? await call({ operation: 'im.image.create', body: { image_type: 'message', image: bytes } }, signal)
      : await call(
          { operation: 'im.file.create', body: { file_type: toFileType(body['msg_type'], read.name), file_name: read.name, file: bytes } },
          signal,
        )
    if ('failure' in uploaded) return uploaded
    return { body: { ...body, content: JSON.stringify({ [field]: uploaded.result[field] }) } }
  }

  return {
    call,
    async download(fileId, signal) {
      const [message = '', key = '', type = 'file'] = fileId.split('/')
      const url = `/open-apis/im/v1/messages/${encodeURIComponent(message)}/resources/${encodeURIComponent(key)}`
      try {
        const stream = await request<Readable>({ method: 'GET', url, params: { type }, responseType: 'stream' }, signal)
        return { file: { body: toWeb(stream).pipeThrough(atMost(feishuClientLimits.downloadBytes)) } }
      } catch (error) {
        // The explanation is in the stream, which was not read; the status says enough.
        const { status } = readError(error)
        const failure = toFailure(error, 'im.messageResource.get', secrets)
        return { failure: status !== undefined && status < 500 && failure.code === 'refused' ? { ...failure, code: 'gone' } : failure }
      }
    },
    listen({ onEvent, onState, onEnd }) {
      let isStopped = false
      const unlessStopped = (then: () => void) => (): void => void (isStopped || then())
      /** The library parts an event and loses its id; the whole event is read here. */
      class WholeEvents extends EventDispatcher {
        override invoke(report: unknown): Promise<Record<string, unknown>> {
          return onEvent(report)
        }
      }
      const socket = new WSClient({
        ...common,
        handshakeTimeoutMs: feishuClientLimits.handshakeMs,
        wsConfig: { pingTimeout: feishuClientLimits.pongSeconds },
        onReady: unlessStopped(() => onState(true)),
        onReconnected: unlessStopped(() => onState(true)),
        onReconnecting: unlessStopped(() => onState(false)),
        onError: (error) => unlessStopped(() => onEnd(toFailure({ message: error.message, code: 0 }, 'ws', secrets).why))(),
      })
      void socket.start({ eventDispatcher: new WholeEvents({ logger: quietLogger, loggerLevel: LoggerLevel.error }) })
      return {
        stop() {
          isStopped = true
          socket.close({ force: true })
        },
      }
    },
  }
}

/** A response with an error code. */
class FeishuRefusal extends Error {
  readonly code: number
  constructor({ code, msg }: Record<string, unknown>) {
    super(typeof msg === 'string' ? msg : 'no reason given')
    this.code = Number(code)
  }
}

/** D im-v1 file create: the kinds of files that Feishu can open. */
function toFileType(msgType: unknown, name: string): string {
  if (msgType === 'audio') return 'opus'
  if (msgType === 'media') return 'mp4'
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return ['pdf', 'doc', 'xls', 'ppt'].find((type) => ending === type || ending === `${type}x`) ?? 'stream'
}

/** Errors of the stream, such as a lost connection, end the body with an error. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      stream.on('data', (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk))
        if ((controller.desiredSize ?? 0) <= 0) stream.pause()
      })
      stream.once('end', () => controller.close())
      stream.once('error', (error) => controller.error(error))
    },
    pull: () => void stream.resume(),
    cancel: () => void stream.destroy(),
  })
}

/** Tokens of one account. The cache of the library is shared by all, and keeps a token that Feishu has revoked. */
function tokenCache() {
  const tokens = new Map<unknown, { value: unknown; expiresAt: number }>()
  return {
    async get(key: unknown): Promise<unknown> {
      const token = tokens.get(key)
      return token && token.expiresAt > Date.now() ? token.value : undefined
    },
    async set(key: unknown, value: unknown, expiresAt = Infinity): Promise<boolean> {
      tokens.set(key, { value, expiresAt })
      return true
    },
    clear: () => tokens.clear(),
  }
}

const nothing = (): void => {}
/** The library logs whole requests, with the token in them. */
const quietLogger = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing }

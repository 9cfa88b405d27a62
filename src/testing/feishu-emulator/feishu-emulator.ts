import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { type FeishuCall, feishuRoutes } from './feishu-routes.ts'
import { toWords } from './feishu-rules.ts'
import { chatFor, directChat, type FeishuMessage, type FeishuState, findAction } from './feishu-state.ts'
import { decodeFrame, encodeFrame } from './frames.ts'

export type FeishuEmulator = Awaited<ReturnType<typeof feishuEmulator>>

type Fault = { path: RegExp; method?: string; status: number; code?: number; headers?: Record<string, string>; drop?: 'before' | 'after' }

/** The library connects again at once. */
const clientConfig = { ReconnectCount: -1, ReconnectInterval: 1, ReconnectNonce: 0, PingInterval: 120 }

type Pending = { event: object; answered: PromiseWithResolvers<Record<string, unknown>> }

/**
 * Feishu on the loopback: the open API, the long connection and encrypted, signed events over HTTP, as far as the official
 * library uses them. `validate` checks requests against a contract of the platform; it returns their faults.
 */
export async function feishuEmulator(options: { validate?: FeishuState['validate']; retryMs?: number } = {}) {
  const { validate = () => [], retryMs = 100 } = options
  const encryptKey = 'an-encrypt-key-of-feishu'
  const verificationToken = 'a-verification-token'
  const state: FeishuState = {
    appId: 'cli_0123456789abcdef',
    appSecret: 'an-app-secret-of-feishu',
    botId: 'ou_bot',
    tokens: new Set(),
    messages: [],
    byUuid: new Map(),
    uploads: new Map(),
    files: new Map(),
    people: new Map(),
    said: [],
    places: new Map(),
    count: 0,
    failures: [],
    validate,
  }
  const requests: FeishuCall[] = []
  const faults: Fault[] = []
  const pending = new Map<string, Pending>()
  const sockets = new Set<WebSocket>()
  let webhook: string | null = null
  let url = ''
  let isClosed = false

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://feishu')
        const { method = 'GET' } = request
        const fits = (fault: Fault): boolean => fault.path.test(path) && (fault.method ?? method) === method
        const at = faults.findIndex(fits)
        const [fault] = at === -1 ? [] : faults.splice(at, 1)
        if (fault?.drop === 'before') return response.destroy()
        if (fault && !fault.drop)
          return response
            .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
            .end(JSON.stringify({ code: fault.code ?? 99_991_400, msg: 'request trigger frequency limit', data: {} }))
        const body = await readBody(request.headers['content-type'] ?? '', Buffer.concat(chunks))
        const call = { method, path, query, token: (request.headers.authorization ?? '').replace(/^Bearer /, ''), body }
        requests.push(call)
        const answer = path === '/callback/ws/endpoint' ? openSocket(body) : feishuRoutes(state, call)
        if (fault) return response.destroy()
        const isFile = Buffer.isBuffer(answer.body)
        response.writeHead(answer.status, { 'content-type': isFile ? 'application/octet-stream' : 'application/json; charset=utf-8' })
        return response.end(isFile ? answer.body : JSON.stringify(answer.body))
      })()
    })
  })

  /** Endpoint of the long connection. */
  function openSocket({ AppID: id, AppSecret: secret }: Record<string, unknown>) {
    if (id !== state.appId || secret !== state.appSecret) return { status: 200, body: { code: 514, msg: 'auth failed', data: {} } }
    const address = `${url.replace('http', 'ws')}/ws?device_id=1&service_id=1`
    return { status: 200, body: { code: 0, msg: 'ok', data: { URL: address, ClientConfig: clientConfig } } }
  }

  const ws = new WebSocketServer({ server: http })
  ws.on('connection', (socket) => {
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data: Buffer) => {
      const { method, headers, payload: answered } = decodeFrame(data)
      if (method === 0) {
        const payload = Buffer.from(JSON.stringify(clientConfig))
        socket.send(encodeFrame({ method: 0, service: 1, headers: { type: 'pong' }, payload }))
        // The library reads frames only after its first ping.
        if (!sockets.has(socket)) for (const [id, { event }] of pending) push(socket, id, event)
        return void sockets.add(socket)
      }
      const { code, data: answer } = JSON.parse(answered.toString('utf8')) as { code: number; data?: string }
      if (code !== 200) return
      const text = answer === undefined ? '{}' : Buffer.from(answer, 'base64').toString('utf8')
      settle(headers['message_id'] ?? '', JSON.parse(text) as Record<string, unknown>)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  function settle(id: string, answer: Record<string, unknown>): void {
    pending.get(id)?.answered.resolve(answer)
    pending.delete(id)
  }

  function push(socket: WebSocket, id: string, event: object): void {
    const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: id }
    socket.send(encodeFrame({ method: 1, service: 1, headers, payload: Buffer.from(JSON.stringify(event)) }))
  }

  function encrypt(event: object): string {
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(encryptKey).digest(), iv)
    return JSON.stringify({ encrypt: Buffer.concat([iv, cipher.update(JSON.stringify(event)), cipher.final()]).toString('base64') })
  }

  /** Headers of a call at this time. */
  function sign(body: string, time = Date.now()): Record<string, string> {
    const seconds = String(Math.floor(time / 1_000))
    const nonce = String((state.count += 1))
    const signature = createHash('sha256').update(`${seconds}${nonce}${encryptKey}${body}`).digest('hex')
    return {
      'content-type': 'application/json',
      'x-lark-request-timestamp': seconds,
      'x-lark-request-nonce': nonce,
      'x-lark-signature': signature,
    }
  }

  function post(to: string, event: object, time?: number): Promise<Response> {
    const body = encrypt(event)
    return fetch(to, { method: 'POST', headers: sign(body, time), body })
  }

  /** Reported until it is acknowledged, as Feishu does. Resolves with the answer. */
  async function report(type: string, event: object): Promise<Record<string, unknown>> {
    const id = `event-${(state.count += 1)}`
    const header = {
      event_id: id,
      event_type: type,
      create_time: String(Date.now()),
      token: verificationToken,
      app_id: state.appId,
      tenant_key: 't',
    }
    const whole = { schema: '2.0', header, event }
    const answered = Promise.withResolvers<Record<string, unknown>>()
    pending.set(id, { event: whole, answered })
    for (const socket of sockets) push(socket, id, whole)
    while (webhook !== null && pending.has(id) && !isClosed) {
      const response = await post(webhook, whole).catch(() => null)
      if (response?.ok) settle(id, (await response.json()) as Record<string, unknown>)
      else await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    return answered.promise
  }

  type Said = { root?: string; replyTo?: string; mentionsBot?: true; type?: string; content?: object }

  return {
    url,
    appId: state.appId,
    appSecret: state.appSecret,
    encryptKey,
    verificationToken,
    botId: state.botId,
    requests,
    failures: state.failures,
    files: state.files,
    uploads: state.uploads,
    /** Not acknowledged yet. */
    get pending() {
      return pending.size
    },
    get isConnected() {
      return sockets.size > 0
    },
    messages(where: string): FeishuMessage[] {
      const [, root] = where.split(':thread:')
      return state.messages.filter((one) => one.chat === chatFor(where) && one.root === root && !one.isDeleted)
    },
    wordsIn: (message: FeishuMessage): string => toWords(message.content),
    person(name: string): string {
      const id = `ou_${createHash('md5').update(name).digest('hex')}`
      state.people.set(id, name)
      return id
    },
    group: (name: string): string => `oc_${createHash('md5').update(name).digest('hex')}`,
    useWebhook(to: string): void {
      webhook = to
    },
    fault: (fault: Fault) => void faults.push(fault),
    /** Access tokens end at once, as when the secret was reset. */
    revokeTokens: () => state.tokens.clear(),
    /** Closes the sockets; the library opens another one. */
    disconnect(): void {
      for (const socket of sockets) socket.close()
    },
    encrypt,
    sign,
    post,
    report,
    /** A message of a person; its id. */
    say(where: string, from: string, text: string, { root, replyTo, mentionsBot, type = 'text', content }: Said = {}): string {
      const id = `om_person${(state.count += 1)}`
      const chat = chatFor(where)
      const words = mentionsBot ? `@_user_1 ${text}` : text
      const body = JSON.stringify(content ?? { text: words })
      const at = Date.now() + (state.count += 1)
      state.said.push({ id, chat, from, type, content: body, at, ...(root !== undefined && { root }) })
      state.places.set(id, { chat, ...(root !== undefined && { root }) })
      void report('im.message.receive_v1', {
        sender: { sender_id: { open_id: from, union_id: 'on_1' }, sender_type: 'user', tenant_key: 't' },
        message: {
          message_id: id,
          ...(root !== undefined && { root_id: root, parent_id: root, thread_id: `omt_${root.slice(3)}` }),
          ...(replyTo !== undefined && { root_id: replyTo, parent_id: replyTo }),
          create_time: String(Date.now()),
          chat_id: chat,
          chat_type: chat === directChat(from) ? 'p2p' : 'group',
          message_type: type,
          content: body,
          ...(mentionsBot && { mentions: [{ key: '@_user_1', id: { open_id: state.botId }, name: 'Parley', tenant_key: 't' }] }),
        },
      })
      return id
    },
    /** A reaction of a person to a message of the bot, as a later request lists it. */
    react(from: string, message: FeishuMessage, type: string): void {
      message.reactions.push({ id: `reaction-${(state.count += 1)}`, type, by: from })
    },
    /** A tap on the control with this label; the toast that the person sees. Feishu does not repeat taps over HTTP. */
    async tap(from: string, message: FeishuMessage, label: string): Promise<string | null> {
      const answer = await report('card.action.trigger', {
        operator: { open_id: from, tenant_key: 't' },
        token: 'c-1',
        action: findAction(message, label),
        host: 'im_message',
        context: { open_message_id: message.id, open_chat_id: message.chat },
      })
      return (answer['toast'] as { content?: string } | undefined)?.content ?? null
    },
    async close(): Promise<void> {
      isClosed = true
      for (const socket of sockets) socket.terminate()
      ws.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function readBody(contentType: string, bytes: Buffer): Promise<Record<string, unknown>> {
  if (!contentType.includes('multipart/form-data')) {
    const text = bytes.toString('utf8')
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  // The library gives files no name, and the parser would take them for text.
  const named = bytes.toString('latin1').replaceAll(/name="(file|image)"\r\n/g, 'name="$1"; filename="$1"\r\n')
  const form = await new Response(Buffer.from(named, 'latin1'), { headers: { 'content-type': contentType } }).formData()
  const body: Record<string, unknown> = {}
  for (const [key, value] of form) body[key] = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())
  return body
}

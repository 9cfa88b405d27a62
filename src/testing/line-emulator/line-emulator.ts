import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { actions, findProblem, type LineContent, toId, toWords } from './line-rules.ts'

export type LineEmulator = Awaited<ReturnType<typeof lineEmulator>>

/** A message in a chat, with the call that sent it. */
export type LineMessage = { id: string; chat: string; content: LineContent; text: string; by: 'push' | 'reply'; call: number }

type Fault = { path: string; status: number; body?: object; headers?: Record<string, string>; drop?: 'before' | 'after' | 'hang' }
type Call = { method: string; path: string; body: Record<string, unknown>; retryKey: string | null }

const retryKeyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A bot of LINE on the loopback: sending, profiles, content and signed webhook calls, as the public reference describes them. */
export async function lineEmulator(options: { retryMs?: number; quota?: number } = {}) {
  const { retryMs = 100 } = options
  const token = 'a-channel-access-token-of-line'
  const channelSecret = 'a-channel-secret-of-line'
  const messages: LineMessage[] = []
  const requests: Call[] = []
  const failures: string[] = []
  const faults: Fault[] = []
  const people = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const loading: string[] = []
  /** Unused reply tokens, with their chat. */
  const replyTokens = new Map<string, string>()
  const accepted = new Map<string, { request: string; sentMessages: object[] }>()
  const waiting = new Map<string, object>()
  let quota = options.quota ?? Infinity
  let webhook: string | null = null
  let ids = 0
  let calls = 0
  let isClosed = false

  function send(chat: string, by: LineMessage['by'], contents: readonly LineContent[]): object[] {
    calls += 1
    return contents.map((content) => {
      const message = { id: `${460_000_000_000_000_000n + BigInt((ids += 1))}`, chat, content, text: toWords(content), by, call: calls }
      messages.push(message)
      return { id: message.id, quoteToken: `quote-${message.id}` }
    })
  }

  type Answer = { status: number; body: object; headers?: Record<string, string> }
  const refuse = (status: number, message: string): Answer => ({ status, body: { message } })

  function refuseMalformed(path: string, contents: unknown): Answer | null {
    const problem = findProblem(contents)
    if (problem === null) return null
    failures.push(`${path}: ${problem}`)
    return { status: 400, body: { message: 'The request body has 1 error(s)', details: [{ message: problem, property: 'messages' }] } }
  }

  function push({ path, body, retryKey }: Call): Answer {
    if (retryKey !== null && !retryKeyPattern.test(retryKey)) return refuse(400, "'X-Line-Retry-Key' is not a UUID")
    const before = retryKey === null ? undefined : accepted.get(retryKey)
    if (before) {
      const headers = { 'x-line-accepted-request-id': before.request }
      return { status: 409, body: { message: 'The retry key is already accepted', sentMessages: before.sentMessages }, headers }
    }
    const malformed = refuseMalformed(path, body['messages'])
    if (malformed) return malformed
    const { to, messages: contents } = body as { to?: string; messages: LineContent[] }
    if (!/^[UCR][0-9a-f]{32}$/.test(to ?? '')) return refuse(400, "The property, 'to', in the request body is invalid (line: -, column: -)")
    if (contents.length > quota) return refuse(429, 'You have reached your monthly limit.')
    quota -= contents.length
    const sentMessages = send(to ?? '', 'push', contents)
    if (retryKey !== null) accepted.set(retryKey, { request: `request-${calls}`, sentMessages })
    return { status: 200, body: { sentMessages } }
  }

  function reply({ path, body }: Call): Answer {
    const malformed = refuseMalformed(path, body['messages'])
    if (malformed) return malformed
    const { replyToken = '', messages: contents } = body as { replyToken?: string; messages: LineContent[] }
    const chat = replyTokens.get(replyToken)
    if (chat === undefined) return refuse(400, 'Invalid reply token')
    replyTokens.delete(replyToken)
    return { status: 200, body: { sentMessages: send(chat, 'reply', contents) } }
  }

  function profile(user: string): Answer {
    const displayName = people.get(user)
    return displayName === undefined ? refuse(404, 'Not found') : { status: 200, body: { userId: user, displayName, language: 'en' } }
  }

  function answer(call: Call): Answer {
    const { method, path } = call
    const [, , , group, , member] = path.split('/').slice(1)
    if (method === 'GET' && path === '/v2/bot/info')
      return {
        status: 200,
        body: { userId: toId('U', 'bot'), basicId: '@parley', displayName: 'Parley', chatMode: 'bot', markAsReadMode: 'auto' },
      }
    if (method === 'GET' && path.startsWith('/v2/bot/profile/')) return profile(group ?? '')
    if (method === 'GET' && /^\/v2\/bot\/(group|room)\/\w+\/member\/\w+$/.test(path)) return profile(member ?? '')
    if (method === 'POST' && path === '/v2/bot/message/push') return push(call)
    if (method === 'POST' && path === '/v2/bot/message/reply') return reply(call)
    if (method === 'POST' && path === '/v2/bot/chat/loading/start') {
      loading.push(String(call.body['chatId']))
      return { status: 202, body: {} }
    }
    failures.push(`there is no ${method} ${path}`)
    return refuse(404, 'Not found')
  }

  function handle(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { pathname: path } = new URL(request.url ?? '/', 'http://line')
    const isAllowed = request.headers.authorization === `Bearer ${token}`
    const [, fileId] = /^\/v2\/bot\/message\/(\w+)\/content$/.exec(path) ?? []
    const file = fileId === undefined ? undefined : files.get(fileId)
    if (file && isAllowed) return void response.writeHead(200, { 'content-length': file.length }).end(file)
    const retryKey = request.headers['x-line-retry-key']
    const call: Call = {
      method: request.method ?? '',
      path,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      retryKey: typeof retryKey === 'string' ? retryKey : null,
    }
    const at = faults.findIndex((fault) => fault.path === path)
    const [fault] = at === -1 ? [] : faults.splice(at, 1)
    if (fault?.drop === 'before') return void response.destroy()
    requests.push(call)
    const {
      status,
      body,
      headers = {},
    } = !isAllowed
      ? refuse(401, 'Authentication failed. Confirm that the access token in the authorization header is valid.')
      : fault && !fault.drop
        ? { status: fault.status, body: fault.body ?? { message: 'An error occurred' }, headers: fault.headers ?? {} }
        : fileId !== undefined
          ? refuse(404, 'Not found')
          : answer(call)
    // The caller waits until it is killed.
    if (fault?.drop === 'hang') return
    if (fault?.drop) return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))

  const sign = (body: string): string => createHmac('sha256', channelSecret).update(body).digest('base64')

  /** One call to a webhook, signed unless another signature is given. */
  function post(url: string, events: readonly object[], signature?: string): Promise<Response> {
    const body = JSON.stringify({ destination: toId('U', 'bot'), events })
    const headers = { 'content-type': 'application/json', 'x-line-signature': signature ?? sign(body) }
    return fetch(url, { method: 'POST', headers, body })
  }

  /** Reported until it is accepted, as LINE does when redelivery is switched on. */
  async function report(event: { webhookEventId: string; deliveryContext: { isRedelivery: boolean } }): Promise<void> {
    waiting.set(event.webhookEventId, event)
    for (let isRedelivery = false; waiting.has(event.webhookEventId) && !isClosed; isRedelivery = true) {
      const response = webhook === null ? null : await post(webhook, [{ ...event, deliveryContext: { isRedelivery } }]).catch(() => null)
      if (response?.ok) waiting.delete(event.webhookEventId)
      else await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }

  function makeEvent(chat: string, user: string | null, more: object) {
    const type = { U: 'user', C: 'group', R: 'room' }[chat[0] ?? ''] ?? 'user'
    const replyToken = `reply-token-${(ids += 1)}`
    replyTokens.set(replyToken, chat)
    return {
      mode: 'active',
      timestamp: Date.now(),
      source: { type, ...(type !== 'user' && { [`${type}Id`]: chat }), ...(user !== null && { userId: user }) },
      webhookEventId: `01EVENT${String((ids += 1)).padStart(19, '0')}`,
      deliveryContext: { isRedelivery: false },
      replyToken,
      ...more,
    }
  }

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    token,
    channelSecret,
    requests,
    failures,
    files,
    loading,
    sign,
    post,
    makeEvent,
    /** Reported and not accepted yet. */
    get pending() {
      return waiting.size
    },
    get quota() {
      return quota
    },
    set quota(left: number) {
      quota = left
    },
    messages: (chat: string): LineMessage[] => messages.filter((message) => message.chat === chat),
    person(name: string): string {
      const id = toId('U', name)
      people.set(id, name)
      return id
    },
    group: (name: string): string => toId('C', name),
    useWebhook(url: string): void {
      webhook = url
    },
    fault: (fault: Fault) => void faults.push(fault),
    /** LINE forgets reply tokens after a minute. */
    forgetReplyTokens: () => replyTokens.clear(),
    say(chat: string, user: string | null, text: string, more: object = {}): string {
      const id = `${560_000_000_000_000_000n + BigInt((ids += 1))}`
      void report(makeEvent(chat, user, { type: 'message', message: { id, type: 'text', text, quoteToken: `quote-${id}`, ...more } }))
      return id
    },
    /** A tap on the control with this label, or on one that was copied from elsewhere. */
    tap(chat: string, user: string, message: LineMessage, label: string, data = findData(message, label)): void {
      void report(makeEvent(chat, user, { type: 'postback', postback: { data } }))
    },
    async close(): Promise<void> {
      isClosed = true
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

function findData({ content }: LineMessage, label: string): string {
  const action = actions(content).find((one) => one.label === label && one.data !== undefined)
  if (action?.data === undefined) throw new Error(`there is no control "${label}"`)
  return action.data
}

import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { slackMethods, type SlackCall, type SlackMessage, type SlackState } from './slack-methods.ts'

export type SlackEmulator = Awaited<ReturnType<typeof slackEmulator>>

/** A workspace of Slack on the loopback: the Web API, socket mode and signed HTTP events, as far as the official library uses them. */
export async function slackEmulator(options: { signingSecret?: string; retryMs?: number } = {}) {
  const { signingSecret = 'a-signing-secret-of-slack', retryMs = 100 } = options
  const state: SlackState = {
    token: 'xoxb-loopback-token',
    appToken: 'xapp-loopback-token',
    botId: 'U0BOT',
    url: '',
    messages: [],
    said: [],
    reactions: [],
    ephemerals: [],
    files: new Map(),
    people: new Map(),
    clock: 1_700_000_000,
    failures: [],
  }
  const requests: SlackCall[] = []
  const faults: { method: string; status: number; headers?: Record<string, string>; drop?: true }[] = []
  const waiting = new Map<string, { type: string; body: object }>()
  const sockets = new Set<WebSocket>()
  let webhook: string | null = null
  let envelopes = 0
  let isClosed = false

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'http://slack')
      const file = pathname.startsWith('/files/') ? state.files.get(pathname.slice('/files/'.length)) : undefined
      if (file) return void response.end(request.headers.authorization === `Bearer ${state.token}` ? file.bytes : '')
      const method = pathname.replace(/^\/api\//, '')
      const call: SlackCall = {
        method,
        token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
        args: readForm(Buffer.concat(chunks).toString('utf8')),
      }
      const at = faults.findIndex((fault) => fault.method === method)
      const [fault] = at === -1 ? [] : faults.splice(at, 1)
      if (fault && !fault.drop) return void response.writeHead(fault.status, fault.headers).end('{"ok":false,"error":"ratelimited"}')
      requests.push(call)
      const result = slackMethods(state, call)
      if (fault?.drop) return void response.destroy()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  const ws = new WebSocketServer({ server: http })
  ws.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data: Buffer) => {
      const { envelope_id: id } = JSON.parse(data.toString('utf8')) as { envelope_id?: string }
      if (id !== undefined) waiting.delete(id)
    })
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A0APP' } }))
    for (const [id, one] of waiting) sendEnvelope(socket, id, one)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  const sendEnvelope = (socket: WebSocket, id: string, { type, body }: { type: string; body: object }): void =>
    socket.send(JSON.stringify({ envelope_id: id, type, payload: body, accepts_response_payload: type !== 'events_api' }))

  /** Reported until it is acknowledged, as Slack does. */
  async function report(type: 'events_api' | 'interactive', body: object): Promise<void> {
    const id = `env-${(envelopes += 1)}`
    waiting.set(id, { type, body })
    for (const socket of sockets) sendEnvelope(socket, id, { type, body })
    while (webhook !== null && waiting.has(id) && !isClosed) {
      const response = await post(webhook, type, body).catch(() => null)
      if (response?.ok) waiting.delete(id)
      else await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }

  function post(url: string, type: string, body: object, time = Date.now()): Promise<Response> {
    const isForm = type === 'interactive'
    const text = isForm ? new URLSearchParams({ payload: JSON.stringify(body) }).toString() : JSON.stringify(body)
    const seconds = String(Math.floor(time / 1_000))
    const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${seconds}:${text}`).digest('hex')}`
    const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const headers = { 'content-type': contentType, 'x-slack-request-timestamp': seconds, 'x-slack-signature': signature }
    return fetch(url, { method: 'POST', headers, body: text })
  }

  const nextTs = (): string => `${(state.clock += 1)}.000100`
  const directChannel = (user: string): string => `D${user.slice(1)}`
  const channelFor = (where: string): string => (where.startsWith('U') ? directChannel(where) : where)

  return {
    url: `${state.url}/api/`,
    token: state.token,
    appToken: state.appToken,
    signingSecret,
    requests,
    failures: state.failures,
    ephemerals: state.ephemerals,
    files: state.files,
    /** Not acknowledged yet. */
    get pending() {
      return waiting.size
    },
    get isConnected() {
      return sockets.size > 0
    },
    messages: (where: string): SlackMessage[] =>
      state.messages.filter(({ channel, isDeleted }) => channel === channelFor(where) && !isDeleted),
    person(id: string, name: string): string {
      state.people.set(id, name)
      return id
    },
    useWebhook(url: string): void {
      webhook = url
    },
    post,
    fault: (fault: (typeof faults)[number]) => void faults.push(fault),
    /** Closes the sockets; the library opens another one. */
    disconnect(): void {
      for (const socket of sockets) socket.close()
    },
    say(where: string, user: string, text: string, more: { thread_ts?: string; files?: object[] } = {}): string {
      const ts = nextTs()
      const channel = channelFor(where)
      state.said.push({ channel, ts, user, text, ...more })
      const event = { type: 'message', channel, channel_type: channel.startsWith('D') ? 'im' : 'channel', user, text, ts, ...more }
      void report('events_api', { type: 'event_callback', event_id: `Ev${ts}`, authorizations: [{ user_id: state.botId }], event })
      return ts
    },
    /** A reaction of a person, as a later request lists it. */
    react(where: string, user: string, ts: string, name: string): void {
      state.reactions.push({ channel: channelFor(where), ts, name, users: [user] })
    },
    /** A tap on the control with this label, or on one that was copied from elsewhere. */
    tap(where: string, user: string, message: SlackMessage, label: string, value = findValue(message, label)): void {
      const channel = channelFor(where)
      const { ts, thread_ts } = message
      void report('interactive', {
        type: 'block_actions',
        user: { id: user, username: state.people.get(user) ?? user },
        container: { type: 'message', channel_id: channel, message_ts: ts },
        channel: { id: channel },
        message: { ts, ...(thread_ts !== undefined && { thread_ts }) },
        actions: [{ type: 'button', action_id: label, value, action_ts: nextTs() }],
      })
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

function findValue({ blocks }: SlackMessage, label: string): string {
  for (const block of blocks as {
    elements?: { text?: { text?: string }; value?: string; options?: { text: { text: string }; value: string }[] }[]
  }[])
    for (const element of block.elements ?? []) {
      if (element.text?.text === label && element.value !== undefined) return element.value
      const option = element.options?.find(({ text }) => text.text === label)
      if (option) return option.value
    }
  throw new Error(`there is no control "${label}"`)
}

/** The library sends forms in which objects are JSON. */
function readForm(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([key, value]) => {
      try {
        return [key, /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value]
      } catch {
        return [key, value]
      }
    }),
  )
}

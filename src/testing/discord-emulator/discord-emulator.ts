import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { discordRoutes, noteEphemeral } from './discord-routes.ts'
import { type Component, type DiscordCall, type DiscordMessage, type DiscordState, listComponents, joinWords } from './discord-state.ts'

export type DiscordEmulator = Awaited<ReturnType<typeof discordEmulator>>

type Dispatch = { op: 0; t: string; s: number; d: object }

/** D topics/gateway: opcodes. */
const ops = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, invalidSession: 9, hello: 10, heartbeatAck: 11 } as const

/** Discord on the loopback: the HTTP API, the gateway with sessions that resume, and signed interactions over HTTP. */
export async function discordEmulator() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  let ids = 0n
  const state: DiscordState = {
    token: 'a-loopback-token-of-discord',
    botId: '900000000000000001',
    applicationId: '900000000000000002',
    guildId: '800000000000000001',
    url: '',
    messages: [],
    channels: new Map(),
    people: new Map(),
    files: new Map(),
    interactions: new Map(),
    ephemerals: [],
    typing: [],
    failures: [],
    nextId: () => (((BigInt(Date.now()) - 1_420_070_400_000n) << 22n) + (ids += 1n)).toString(),
  }
  const requests: DiscordCall[] = []
  const faults: { operation: RegExp; status: number; headers?: Record<string, string>; body?: object; drop?: true }[] = []
  const sessions = new Map<string, { events: Dispatch[]; socket: WebSocket | null }>()
  let isContentAllowed = true
  let endpoint: string | null = null
  let connections = 0

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void serve(request.method ?? '', request.url ?? '/', request.headers, Buffer.concat(chunks)).then((answer) => {
        if (answer === 'drop') return void response.destroy()
        const { status, headers = {}, body } = answer
        const isBytes = Buffer.isBuffer(body)
        response.writeHead(status, { ...(!isBytes && { 'content-type': 'application/json' }), ...headers })
        response.end(isBytes ? body : body === undefined ? '' : JSON.stringify(body))
      })
    })
  })

  async function serve(
    method: string,
    url: string,
    headers: IncomingHttpHeaders,
    bytes: Buffer,
  ): Promise<{ status: number; headers?: Record<string, string>; body?: unknown } | 'drop'> {
    const { pathname, searchParams } = new URL(url, 'http://discord')
    const file = pathname.startsWith('/cdn/') ? state.files.get(pathname.slice('/cdn/'.length)) : undefined
    if (file) return { status: 200, body: file }
    const path = pathname.replace(/^\/api\/v10/, '')
    const { body, files } = await readBody(headers['content-type'] ?? '', bytes)
    const call: DiscordCall = { method, path, query: searchParams, token: (headers.authorization ?? '').replace(/^Bot /, ''), body, files }
    const at = faults.findIndex(({ operation }) => operation.test(`${method} ${path}`))
    const [fault] = at === -1 ? [] : faults.splice(at, 1)
    if (fault && !fault.drop)
      return { status: fault.status, headers: fault.headers ?? {}, body: fault.body ?? { message: 'limited', retry_after: 1 } }
    requests.push(call)
    const answer = discordRoutes(state, call)
    return fault?.drop ? 'drop' : answer
  }

  const ws = new WebSocketServer({ server: http })
  ws.on('connection', (socket) => {
    connections += 1
    socket.send(JSON.stringify({ op: ops.hello, d: { heartbeat_interval: 45_000 } }))
    socket.on('message', (data: Buffer) => {
      const { op, d } = JSON.parse(data.toString('utf8')) as { op: number; d: { token: string; session_id?: string; seq?: number } }
      if (op === ops.heartbeat) socket.send(JSON.stringify({ op: ops.heartbeatAck }))
      if (op !== ops.identify && op !== ops.resume) return
      if (d.token !== state.token) return socket.close(4_004, 'Authentication failed.')
      if (op === ops.identify && !isContentAllowed) return socket.close(4_014, 'Disallowed intent(s).')
      if (op === ops.identify) return identify(socket)
      const session = sessions.get(d.session_id ?? '')
      if (!session) return socket.send(JSON.stringify({ op: ops.invalidSession, d: false }))
      session.socket = socket
      for (const event of session.events) if (event.s > (d.seq ?? 0)) socket.send(JSON.stringify(event))
      socket.send(JSON.stringify({ op: ops.dispatch, t: 'RESUMED', s: session.events.length, d: {} }))
    })
    socket.on('close', (code) => {
      for (const [id, session] of sessions) {
        if (session.socket !== socket) continue
        session.socket = null
        // D topics/gateway: these two codes end the session.
        if (code === 1_000 || code === 1_001) sessions.delete(id)
      }
    })
  })

  function identify(socket: WebSocket): void {
    const session = { events: [], socket }
    const id = `session-${connections}`
    sessions.set(id, session)
    const user = { id: state.botId, username: 'parley', bot: true }
    const guild = { id: state.guildId, unavailable: true }
    const resume = state.url.replace('http', 'ws')
    dispatchTo(session, 'READY', {
      v: 10,
      user,
      guilds: [guild],
      session_id: id,
      resume_gateway_url: resume,
      application: { id: state.applicationId },
    })
    const places = [...state.channels.values()].filter(({ guild_id: guildId }) => guildId === state.guildId)
    const channels = places.filter(({ parent_id: parent }) => parent === undefined)
    dispatchTo(session, 'GUILD_CREATE', { id: state.guildId, channels, threads: [] })
  }

  function dispatchTo(session: { events: Dispatch[]; socket: WebSocket | null }, t: string, d: object): void {
    const event: Dispatch = { op: ops.dispatch, t, s: session.events.length + 1, d }
    session.events.push(event)
    session.socket?.send(JSON.stringify(event))
  }
  const dispatch = (t: string, d: object): void => sessions.forEach((session) => dispatchTo(session, t, d))

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  /** The channel of a name: a channel of the server, or the direct messages of a person. */
  function channelFor(where: string): string {
    if (!where.startsWith('user:')) return where
    const recipient = where.slice('user:'.length)
    const existing = [...state.channels.values()].find((one) => one.recipient === recipient)
    const channel = existing ?? { id: state.nextId(), type: 1, recipient }
    state.channels.set(channel.id, channel)
    return channel.id
  }
  const isDirect = (channel: string): boolean => state.channels.get(channel)?.recipient !== undefined
  const userFor = (id: string): { id: string; username: string; global_name: string } => ({
    id,
    username: `name${id}`,
    global_name: state.people.get(id) ?? id,
  })

  function post(url: string, body: object, time = Date.now()): Promise<Response> {
    const text = JSON.stringify(body)
    const seconds = String(Math.floor(time / 1_000))
    const signature = sign(null, Buffer.from(seconds + text), privateKey).toString('hex')
    const headers = { 'content-type': 'application/json', 'x-signature-ed25519': signature, 'x-signature-timestamp': seconds }
    return fetch(url, { method: 'POST', headers, body: text })
  }

  return {
    url: `${state.url}/api`,
    token: state.token,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    botId: state.botId,
    requests,
    failures: state.failures,
    ephemerals: state.ephemerals,
    typing: state.typing,
    files: state.files,
    post,
    get isConnected() {
      return [...sessions.values()].some(({ socket }) => socket !== null)
    },
    /** Sockets that were opened so far. */
    get connections() {
      return connections
    },
    messages: (where: string): DiscordMessage[] =>
      state.messages.filter((one) => one.channel_id === channelFor(where) && !one.isDeleted && one.author.id === state.botId),
    joinWords,
    person(id: string, name: string): string {
      state.people.set(id, name)
      return id
    },
    channel(id: string): string {
      state.channels.set(id, { id, type: 0, guild_id: state.guildId })
      return id
    },
    thread(id: string, parent: string): string {
      const thread = { id, type: 11, parent_id: parent, guild_id: state.guildId }
      state.channels.set(id, thread)
      dispatch('THREAD_CREATE', thread)
      return id
    },
    /** Taps go to this address from now on, not to the gateway. */
    useEndpoint(url: string): void {
      endpoint = url
    },
    /** As if "Message Content Intent" was switched off. */
    forbidContent(): void {
      isContentAllowed = false
    },
    fault: (fault: (typeof faults)[number]) => void faults.push(fault),
    /** Closes the sockets; the library resumes its session. */
    disconnect(): void {
      for (const { socket } of sessions.values()) socket?.close(4_000)
    },
    /** Ends the sessions: nothing is replayed. */
    forgetSessions(): void {
      for (const { socket } of sessions.values()) socket?.close(4_000)
      sessions.clear()
    },
    say(where: string, user: string, text: string, more: { files?: Record<string, Buffer>; replyTo?: string } = {}): string {
      const channel = channelFor(where)
      const attachments = Object.entries(more.files ?? {}).map(([filename, bytes]) => {
        const id = state.nextId()
        state.files.set(id, bytes)
        return { id, filename, size: bytes.length, url: `${state.url}/cdn/${id}`, content_type: 'text/plain' }
      })
      const message: DiscordMessage = {
        id: state.nextId(),
        channel_id: channel,
        components: [],
        flags: 0,
        attachments,
        author: userFor(user),
        content: text,
        type: more.replyTo === undefined ? 0 : 19,
        isPinned: false,
        isDeleted: false,
        reactions: [],
        ...(more.replyTo !== undefined && { message_reference: { message_id: more.replyTo } }),
      }
      state.messages.push(message)
      dispatch('MESSAGE_CREATE', { ...message, mentions: [], ...(!isDirect(channel) && { guild_id: state.guildId, member: {} }) })
      return message.id
    },
    edit(id: string, text: string): void {
      const message = state.messages.find((one) => one.id === id)
      if (!message) throw new Error(`there is no message ${id}`)
      message.content = text
      const guild = isDirect(message.channel_id) ? {} : { guild_id: state.guildId }
      dispatch('MESSAGE_UPDATE', { ...message, ...guild, mentions: [], edited_timestamp: new Date().toISOString() })
    },
    /** A reaction of a person, as a later request lists it. */
    react(user: string, id: string, name: string): void {
      const message = state.messages.find((one) => one.id === id)
      if (!message) throw new Error(`there is no message ${id}`)
      message.others = [...(message.others ?? []), { name, user }]
    },
    /** A tap on the control with this label, or on one that was copied from elsewhere. Resolves with the response over HTTP. */
    async tap(user: string, message: DiscordMessage, label: string, copied?: string): Promise<Response | null> {
      const { data } = copied === undefined ? findControl(message, label) : { data: { component_type: 2, custom_id: copied } }
      const { channel_id: channel } = message
      const id = state.nextId()
      const token = `interaction-${id}`
      state.interactions.set(token, { isAnswered: false, user, channel })
      const { parent_id: parent, type = 0 } = state.channels.get(channel) ?? {}
      const interaction = {
        id,
        token,
        application_id: state.applicationId,
        type: 3,
        data,
        channel_id: channel,
        channel: { id: channel, type, ...(parent !== undefined && { parent_id: parent }) },
        message: { id: message.id },
        locale: 'en-US',
        ...(isDirect(channel)
          ? { user: userFor(user), context: 1 }
          : { guild_id: state.guildId, member: { user: userFor(user) }, context: 0 }),
      }
      if (endpoint === null) {
        dispatch('INTERACTION_CREATE', interaction)
        return null
      }
      const response = await post(endpoint, interaction)
      const answer = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { type?: number; data?: Record<string, unknown> }
      state.interactions.set(token, { isAnswered: response.ok, user, channel })
      if (answer.type === 4) noteEphemeral(state, { user, channel }, answer.data ?? {})
      return response
    },
    async close(): Promise<void> {
      for (const socket of ws.clients) socket.terminate()
      ws.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

function findControl({ components }: DiscordMessage, label: string): { data: object } {
  for (const one of listComponents(components as Component[])) {
    if (one.label === label && one.custom_id !== undefined) return { data: { component_type: 2, custom_id: one.custom_id } }
    const option = one.options?.find((each) => each.label === label)
    if (option) return { data: { component_type: 3, custom_id: one.custom_id, values: [option.value] } }
  }
  throw new Error(`there is no control "${label}"`)
}

/** JSON, or a form with files whose JSON is in `payload_json`. */
async function readBody(contentType: string, bytes: Buffer): Promise<Pick<DiscordCall, 'body' | 'files'>> {
  if (!contentType.startsWith('multipart/form-data'))
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>), files: [] }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  const files: { name: string; bytes: Buffer }[] = []
  for (const [, value] of form)
    if (typeof value !== 'string') files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  const payload = form.get('payload_json')
  return { body: JSON.parse(typeof payload === 'string' ? payload : '{}') as Record<string, unknown>, files }
}

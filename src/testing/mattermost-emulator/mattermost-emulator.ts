import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { addPost, mattermostRoutes, openDirect } from './mattermost-routes.ts'
import { listControls, type MattermostCall, type MattermostPost, type MattermostState, type Person, joinWords } from './mattermost-state.ts'

export type MattermostEmulator = Awaited<ReturnType<typeof mattermostEmulator>>

type Options = { hasBlocks?: boolean; isAdmin?: boolean }
type Fault = { operation: RegExp; status: number; headers?: Record<string, string>; body?: object; drop?: true }

/** Mattermost on the loopback: the HTTP API, the socket, and actions that call an integration with a signed trigger. */
export async function mattermostEmulator({ hasBlocks = true, isAdmin = true }: Options = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let ids = 0
  let time = 0
  const nextId = (): string => (ids += 1).toString(36).padStart(26, 'id0000000000000000000000')
  const bot: Person = { id: nextId(), username: 'parley', nickname: '', locale: 'en' }
  const state: MattermostState = {
    token: 'a-loopback-token-of-mattermost',
    bot,
    hasBlocks,
    isAdmin,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    posts: [],
    channels: new Map(),
    people: new Map([[bot.id, bot]]),
    files: new Map(),
    reactions: [],
    ephemerals: [],
    typing: [],
    failures: [],
    now: () => (time = Math.max(time + 1, Date.now())),
    nextId,
    emit: (event, data, broadcast) => sockets.forEach((next, socket) => sendEvent(socket, next, event, data, broadcast)),
  }
  /** Sockets that are authenticated, with the number of their next event. */
  const sockets = new Map<WebSocket, { seq: number }>()
  const requests: MattermostCall[] = []
  const faults: Fault[] = []

  function sendEvent(socket: WebSocket, next: { seq: number }, event: string, data: object, broadcast: object): void {
    socket.send(JSON.stringify({ event, data, broadcast, seq: next.seq }))
    next.seq += 1
  }

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void serve(request.method ?? '', request.url ?? '/', request.headers, Buffer.concat(chunks)).then((answer) => {
        if (answer === 'drop') return void response.destroy()
        const { status, headers = {}, body } = answer
        const isBytes = Buffer.isBuffer(body)
        response.writeHead(status, { 'content-type': isBytes ? 'application/octet-stream' : 'application/json', ...headers })
        response.end(isBytes ? body : JSON.stringify(body))
      })
    })
  })

  async function serve(
    method: string,
    url: string,
    headers: IncomingHttpHeaders,
    bytes: Buffer,
  ): Promise<{ status: number; headers?: Record<string, string>; body: unknown } | 'drop'> {
    const { pathname, searchParams } = new URL(url, 'http://mattermost')
    const path = pathname.replace(/^\/api\/v4/, '')
    const token = (headers.authorization ?? '').replace(/^Bearer /i, '')
    const [, file] = /^\/files\/([^/]+)$/.exec(path) ?? []
    const stored = method === 'GET' && token === state.token ? state.files.get(file ?? '') : undefined
    if (stored) return { status: 200, body: stored.bytes }
    const call: MattermostCall = { method, path, query: searchParams, token, ...(await readBody(headers['content-type'] ?? '', bytes)) }
    const at = faults.findIndex(({ operation }) => operation.test(`${method} ${path}`))
    const [fault] = at === -1 ? [] : faults.splice(at, 1)
    if (fault && !fault.drop) return { status: fault.status, headers: fault.headers ?? {}, body: fault.body ?? 'limit exceeded' }
    requests.push(call)
    const answer = mattermostRoutes(state, call)
    return fault?.drop ? 'drop' : answer
  }

  const ws = new WebSocketServer({ server: http, path: '/api/v4/websocket' })
  ws.on('connection', (socket) => {
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data: Buffer) => {
      const { seq, action, data: given } = JSON.parse(data.toString('utf8')) as { seq: number; action: string; data?: { token?: string } }
      if (action === 'authentication_challenge' && given?.token !== state.token) {
        socket.send(JSON.stringify({ status: 'FAIL', error: { id: 'api.web_socket_router.bad_auth' }, seq_reply: seq }))
        return socket.close()
      }
      socket.send(JSON.stringify({ status: 'OK', seq_reply: seq, ...(action === 'ping' && { data: { text: 'pong' } }) }))
      if (action !== 'authentication_challenge') return
      const next = { seq: 0 }
      sockets.set(socket, next)
      sendEvent(socket, next, 'hello', { connection_id: nextId(), server_version: '11.9.0' }, { user_id: bot.id })
    })
  })

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))

  /** The channel of an address: a channel, or the direct messages of a person. */
  function channelFor(where: string): string {
    const [, person] = /^user:(.+)$/.exec(where) ?? []
    return person === undefined ? where : (openDirect(state, [bot.id, person]).body as { id: string }).id
  }

  /** A trigger as the server signs it for a person. */
  function trigger(user: string, at = Date.now()): string {
    const data = `${nextId()}:${user}:${at}:`
    return Buffer.from(data + sign('sha256', Buffer.from(data), privateKey).toString('base64')).toString('base64')
  }

  const findPost = (id: string): MattermostPost => {
    const post = state.posts.find((one) => one.id === id)
    if (!post) throw new Error(`there is no post ${id}`)
    return post
  }

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    token: state.token,
    botId: bot.id,
    requests,
    failures: state.failures,
    ephemerals: state.ephemerals,
    typing: state.typing,
    reactions: state.reactions,
    files: state.files,
    trigger,
    channelFor,
    joinWords,
    get isConnected() {
      return sockets.size > 0
    },
    /** Posts of the bot in a chat, those of its threads included. */
    posts: (where: string): MattermostPost[] =>
      state.posts.filter((one) => one.channel_id === channelFor(where) && one.delete_at === 0 && one.user_id === bot.id),
    person(name: string): string {
      const id = nextId()
      state.people.set(id, { id, username: name.toLowerCase(), nickname: name, locale: 'en' })
      return id
    },
    channel(name: string): string {
      const id = nextId()
      state.channels.set(id, { id, type: 'O', name, team_id: nextId(), last_post_at: 0 })
      return id
    },
    fault: (fault: Fault) => void faults.push(fault),
    /** Closes the sockets. Nothing is repeated on the next one. */
    disconnect: () => sockets.forEach((_, socket) => socket.terminate()),
    /** As if an event was lost on the way. */
    skipEvent: () => sockets.forEach((next) => (next.seq += 1)),
    say(where: string, user: string, message: string, more: { root?: string; files?: Record<string, Buffer> } = {}): string {
      const files = Object.entries(more.files ?? {}).map(([name, bytes]) => {
        const id = nextId()
        state.files.set(id, { id, name, size: bytes.length, mime_type: 'text/plain', bytes })
        return id
      })
      const root = more.root === undefined ? {} : { root_id: more.root }
      return addPost(state, user, { channel_id: channelFor(where), message, file_ids: files, ...root }).id
    },
    edit(id: string, message: string): void {
      const post = findPost(id)
      post.message = message
      post.edit_at = post.update_at = state.now()
      state.emit('post_edited', { post: JSON.stringify(post) }, { channel_id: post.channel_id })
    },
    remove(id: string): void {
      const post = findPost(id)
      post.delete_at = post.update_at = state.now()
      state.emit('post_deleted', { post: JSON.stringify(post) }, { channel_id: post.channel_id })
    },
    /** A tap on the control with this label, with other fields in the call where they are given. */
    async tap(
      user: string,
      { id, channel_id: channel }: MattermostPost,
      label: string,
      changed: Record<string, unknown> = {},
    ): Promise<Response> {
      const control = listControls(findPost(id)).get(label)
      if (!control) throw new Error(`there is no control "${label}"`)
      const { url, context, type, selected } = control
      const body = {
        user_id: user,
        user_name: state.people.get(user)?.username,
        channel_id: channel,
        channel_name: state.channels.get(channel)?.name,
        team_id: state.channels.get(channel)?.team_id,
        post_id: id,
        trigger_id: trigger(user),
        type,
        context: { ...context, ...(selected !== undefined && { selected_option: selected }) },
        ...changed,
      }
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      if (!response.ok) return response
      const answer = (await response.clone().json()) as { ephemeral_text?: string }
      if (answer.ephemeral_text) state.ephemerals.push({ user, channel, text: answer.ephemeral_text })
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

/** JSON, or a form with files. */
async function readBody(contentType: string, bytes: Buffer): Promise<Pick<MattermostCall, 'body' | 'files'>> {
  if (!contentType.startsWith('multipart/form-data'))
    return { body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString('utf8')) as unknown), files: [] }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  const files: { name: string; bytes: Buffer }[] = []
  for (const [, value] of form)
    if (typeof value !== 'string') files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  return { body: { channel_id: form.get('channel_id') }, files }
}

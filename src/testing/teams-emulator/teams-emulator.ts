import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findProblem, listNodes, type TeamsActivity, toWords } from './teams-rules.ts'

export type TeamsEmulator = Awaited<ReturnType<typeof teamsEmulator>>

/** A message in a conversation, as it is now. */
export type TeamsMessage = { id: string; conversation: string; activity: TeamsActivity; text: string; edits: number }

type Fault = {
  method: string
  path: RegExp
  status: number
  body?: object
  headers?: Record<string, string>
  drop?: 'before' | 'after' | 'hang'
}
type Call = { method: string; path: string; body: Record<string, unknown> }
type Answer = { status: number; body: object; headers?: Record<string, string> }

type Options = {
  retryMs?: number
  /** Faults of a request by the contract of the platform, where it is at hand. */
  validate?(operation: string, body: unknown): readonly string[]
}

const appId = '11111111-2222-3333-4444-555555555555'
const botId = `28:${appId}`

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A bot of Teams on the loopback: login, keys, connector and signed calls, as the public documentation describes them. */
export async function teamsEmulator({ retryMs = 100, validate = () => [] }: Options = {}) {
  const appPassword = 'a-client-secret-of-teams'
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const messages: TeamsMessage[] = []
  const requests: Call[] = []
  const failures: string[] = []
  const faults: Fault[] = []
  const people = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const typing: string[] = []
  const waiting = new Set<string>()
  let webhook: string | null = null
  let ids = 1_700_000_000_000
  let tokens = 1
  let isClosed = false
  let hasKeys = true

  const refuse = (status: number, code: string, message: string = code): Answer => ({ status, body: { error: { code, message } } })
  const findMessage = (id: string | undefined): TeamsMessage | undefined => messages.find((message) => message.id === id)

  function check(operation: string, activity: TeamsActivity): Answer | null {
    const problems = [findProblem(activity), ...validate(operation, activity)].filter((one) => one !== null)
    if (problems.length === 0) return null
    failures.push(...problems.map((problem) => `${operation}: ${problem}`))
    return problems[0] === 'MessageSizeTooBig' ? refuse(413, problems[0]) : refuse(400, 'BadSyntax', problems[0] ?? '')
  }

  function post(conversation: string, activity: TeamsActivity): Answer {
    const refused = check('Conversations_SendToConversation', activity)
    if (refused) return refused
    if (activity.type === 'typing') {
      typing.push(conversation)
      return { status: 202, body: { id: '' } }
    }
    const id = String((ids += 1))
    // A message to a channel begins a thread, which has its id.
    const isChannel = conversation.endsWith('@thread.tacv2')
    messages.push({
      id,
      conversation: isChannel ? `${conversation};messageid=${id}` : conversation,
      activity,
      text: toWords(activity),
      edits: 0,
    })
    return { status: 201, body: { id } }
  }

  function put(id: string | undefined, activity: TeamsActivity): Answer {
    const message = findMessage(id)
    if (!message) return refuse(404, 'ActivityNotFoundInConversation')
    const refused = check('Conversations_UpdateActivity', activity)
    if (refused) return refused
    Object.assign(message, { activity, text: toWords(activity), edits: message.edits + 1 })
    return { status: 200, body: { id } }
  }

  function remove(id: string | undefined): Answer {
    const at = messages.findIndex((message) => message.id === id)
    if (at === -1) return refuse(404, 'ActivityNotFoundInConversation')
    messages.splice(at, 1)
    return { status: 200, body: {} }
  }

  function login(form: URLSearchParams): Answer {
    const isRight = form.get('client_id') === appId && form.get('client_secret') === appPassword
    if (!isRight || form.get('scope') !== 'https://api.botframework.com/.default' || form.get('grant_type') !== 'client_credentials')
      return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' } }
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3_599, access_token: `token-${tokens}` } }
  }

  function answer({ method, path, body }: Call): Answer {
    const [, conversation = '', activity] = /^\/emea\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(path) ?? []
    if (conversation !== '' && method === 'POST') return post(decodeURIComponent(conversation), body as TeamsActivity)
    if (conversation !== '' && method === 'PUT') return put(activity, body as TeamsActivity)
    if (conversation !== '' && method === 'DELETE') return remove(activity)
    if (method !== 'GET') failures.push(`there is no ${method} ${path}`)
    return refuse(404, 'NotFound')
  }

  function handle(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { pathname: path } = new URL(request.url ?? '/', 'http://teams')
    const method = request.method ?? ''
    const send = ({ status, body, headers = {} }: Answer): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const isAllowed = request.headers.authorization === `Bearer token-${tokens}`
    const file = files.get(path)
    // A file of OneDrive has its permission in the address; a picture of a message needs the token.
    if (file && (isAllowed || path.startsWith('/files/'))) return void response.writeHead(200, { 'content-length': file.length }).end(file)
    if (path === '/openid' && hasKeys)
      return send({ status: 200, body: { issuer: 'https://api.botframework.com', jwks_uri: `${url}/keys` } })
    if (path === '/keys' && hasKeys)
      return send({
        status: 200,
        body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', endorsements: ['msteams'] }] },
      })
    if (path === '/openid' || path === '/keys') return send(refuse(503, 'ServiceUnavailable'))
    if (path.endsWith('/oauth2/v2.0/token')) return send(login(new URLSearchParams(text)))
    const at = faults.findIndex((fault) => fault.method === method && fault.path.test(path))
    const [fault] = at === -1 ? [] : faults.splice(at, 1)
    if (fault?.drop === 'before') return void response.destroy()
    const call = { method, path, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
    requests.push(call)
    if (!isAllowed) return send(refuse(401, 'Unauthorized', 'Authorization has been denied for this request.'))
    if (fault && !fault.drop) return send({ status: fault.status, body: fault.body ?? {}, headers: fault.headers ?? {} })
    const result = answer(call)
    // The caller waits until it is killed.
    if (fault?.drop === 'hang') return
    if (fault?.drop) return void response.destroy()
    send(result)
  }

  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handle(request, response, Buffer.concat(chunks).toString('utf8')))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const serviceUrl = `${url}/emea/`

  /** The token of a call. `claims` replaces some of it. */
  function signToken(claims: object = {}, header: object = {}): string {
    const seconds = Math.floor(Date.now() / 1_000)
    const common = { iss: 'https://api.botframework.com', aud: appId, serviceurl: serviceUrl, nbf: seconds - 60, exp: seconds + 3_600 }
    const data = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'k1', ...header })}.${encode({ ...common, ...claims })}`
    return `${data}.${sign('sha256', Buffer.from(data), privateKey).toString('base64url')}`
  }

  /** One call to a webhook, signed unless another token is given. */
  const call = (to: string, activity: object, token = signToken()): Promise<Response> =>
    fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(activity),
    })

  /** Reported until it is accepted. */
  async function report(activity: { id: string }): Promise<Response | null> {
    waiting.add(activity.id)
    while (!isClosed) {
      const response = webhook === null ? null : await call(webhook, activity).catch(() => null)
      if (response?.ok) {
        waiting.delete(activity.id)
        return response
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
    return null
  }

  function makeActivity(conversation: string, user: string, more: object) {
    const conversationType = conversation.startsWith('a:') ? 'personal' : conversation.includes('@thread.tacv2') ? 'channel' : 'groupChat'
    return {
      id: String((ids += 1)),
      channelId: 'msteams',
      serviceUrl,
      timestamp: new Date().toISOString(),
      locale: 'en-US',
      from: { id: user, name: people.get(user) ?? 'Unknown', aadObjectId: `aad-${user}` },
      recipient: { id: botId, name: 'Parley' },
      conversation: { id: conversation, conversationType, tenantId: 'tenant-1' },
      ...more,
    }
  }

  return {
    url,
    serviceUrl,
    openIdUrl: `${url}/openid`,
    appId,
    appPassword,
    botId,
    requests,
    failures,
    files,
    typing,
    signToken,
    call,
    makeActivity,
    /** Reported and not accepted yet. */
    get pending() {
      return waiting.size
    },
    /** Messages of a chat, or of a channel with all its threads. */
    messages: (chat: string): TeamsMessage[] =>
      messages.filter(({ conversation }) => conversation === chat || conversation.startsWith(`${chat};messageid=`)),
    person(name: string): string {
      const id = `29:${name.toLowerCase()}`
      people.set(id, name)
      return id
    },
    useWebhook(to: string): void {
      webhook = to
    },
    fault: (fault: Fault) => void faults.push(fault),
    /** Tokens from before are refused. */
    revokeTokens: () => void (tokens += 1),
    setKeys(isOn: boolean): void {
      hasKeys = isOn
    },
    say(conversation: string, user: string, text: string, more: object = {}): string {
      const activity = makeActivity(conversation, user, { type: 'message', textFormat: 'plain', text, ...more })
      void report(activity)
      return activity.id
    },
    /** A post in a channel begins a thread, which has its id. */
    post(channel: string, user: string, text: string): string {
      const id = String((ids += 1))
      const conversation = `${channel};messageid=${id}`
      void report(makeActivity(conversation, user, { id, type: 'message', textFormat: 'plain', text }))
      return conversation
    },
    /** A tap on the button with this label; the body of the response is shown to the person. */
    async tap(conversation: string, user: string, { id, activity }: TeamsMessage, label: string, inputs: object = {}): Promise<unknown> {
      const button = listNodes(activity.attachments?.map(({ content }) => content)).find(
        ({ type, title }) => type === 'Action.Execute' && title === label,
      )
      if (!button) throw new Error(`there is no control "${label}"`)
      const action = { type: 'Action.Execute', verb: button['verb'], data: { ...(button['data'] as object), ...inputs } }
      const value = { action, trigger: 'manual' }
      const response = await report(makeActivity(conversation, user, { type: 'invoke', name: 'adaptiveCard/action', replyToId: id, value }))
      return response?.json()
    },
    async close(): Promise<void> {
      isClosed = true
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

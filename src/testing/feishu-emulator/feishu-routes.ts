import { findProblem } from './feishu-rules.ts'
import { chatFor, type FeishuMessage, type FeishuState } from './feishu-state.ts'

export type FeishuCall = { method: string; path: string; query: URLSearchParams; token: string; body: Record<string, unknown> }

export type FeishuAnswer = { status: number; body: Record<string, unknown> | Buffer }

const ok = (data: Record<string, unknown> = {}): FeishuAnswer => ({ status: 200, body: { code: 0, msg: 'success', data } })
const refuse = (code: number, msg: string, status = 400): FeishuAnswer => ({ status, body: { code, msg } })
const notFound = refuse(230_110, 'Action unavailable as the message has been deleted.')

/** One call of the open API, with the errors that Feishu gives. */
export function feishuRoutes(state: FeishuState, call: FeishuCall): FeishuAnswer {
  const { method, path, body } = call
  if (path === '/open-apis/auth/v3/tenant_access_token/internal') return giveToken(state, body)
  if (!state.tokens.has(call.token))
    return refuse(99_991_663, 'Invalid access token for authorization. Please make a request with token attached.')
  if (path === '/open-apis/bot/v3/info')
    return { status: 200, body: { code: 0, msg: 'ok', bot: { activate_status: 2, app_name: 'Parley', open_id: state.botId } } }
  const [, user] = /^\/open-apis\/contact\/v3\/users\/(\w+)$/.exec(path) ?? []
  if (user !== undefined) {
    const name = state.people.get(user)
    return name === undefined ? refuse(41_050, 'no user authority error') : ok({ user: { open_id: user, name } })
  }
  if (path === '/open-apis/im/v1/images' || path === '/open-apis/im/v1/files') return upload(state, path, body)
  if (path.startsWith('/open-apis/im/v1/pins')) return pin(state, call)
  const [, id, rest = ''] = /^\/open-apis\/im\/v1\/messages(?:\/(\w+)(\/.*)?)?$/.exec(path) ?? []
  if (method === 'POST' && path === '/open-apis/im/v1/messages') return send(state, call, null)
  if (method === 'GET' && id === undefined) return list(state, call.query)
  const item = method === 'GET' && rest === '' ? listItems(state).find(({ message_id: one }) => one === id) : undefined
  if (item) return ok({ items: [item] })
  const message = state.messages.find((one) => one.id === id && !one.isDeleted)
  if (rest.startsWith('/resources/')) {
    const file = state.files.get(rest.slice('/resources/'.length))
    return file ? { status: 200, body: file } : refuse(234_003, 'File not in msg.')
  }
  if (rest === '/reply' && id !== undefined) return send(state, call, { id, message: message ?? null })
  if (!message) return notFound
  if (rest.startsWith('/reactions')) return react(state, call, message, rest.slice('/reactions/'.length))
  switch (method) {
    case 'DELETE':
      message.isDeleted = true
      return ok()
    case 'PATCH':
      return patch(state, body, message)
    default:
      return refuse(99_992_402, 'no such method', 404)
  }
}

type Item = { message_id: string; chat_id: string; create_time: string; thread_id?: string }

/** Messages of the bot and of people as the API shows them, the newest first. */
function listItems(state: FeishuState): Item[] {
  const thread = (id: string, root: string | undefined, all: readonly { root?: string }[]) =>
    root === undefined && !all.some((one) => one.root === id) ? {} : { thread_id: `omt_${(root ?? id).slice(3)}` }
  const everything = [...state.messages.filter((one) => !one.isDeleted), ...state.said]
  return everything
    .toSorted((one, other) => other.at - one.at)
    .map((one) => ({
      message_id: one.id,
      msg_type: one.type,
      chat_id: one.chat,
      create_time: String(one.at),
      deleted: false,
      sender:
        'from' in one
          ? { id: one.from, id_type: 'open_id', sender_type: 'user' }
          : { id: state.appId, id_type: 'app_id', sender_type: 'app' },
      body: { content: one.content },
      ...thread(one.id, one.root, everything),
    }))
}

function list(state: FeishuState, query: URLSearchParams): FeishuAnswer {
  const [id, type, size] = [query.get('container_id') ?? '', query.get('container_id_type'), Number(query.get('page_size') ?? 20)]
  if (!(size >= 1 && size <= 50)) return refuse(230_001, 'page_size is invalid')
  if (type !== 'chat' && type !== 'thread') return refuse(230_001, 'container_id_type is invalid')
  if (type === 'chat' && !id.startsWith('oc_')) return refuse(230_001, 'container_id is invalid')
  const until = Number(query.get('end_time') ?? Number.MAX_SAFE_INTEGER) * 1_000
  const matches = listItems(state).filter(
    (one) => (type === 'chat' ? one.chat_id : one.thread_id) === id && Number(one.create_time) <= until,
  )
  const from = Number(query.get('page_token') ?? 0)
  const hasMore = from + size < matches.length
  return ok({ items: matches.slice(from, from + size), has_more: hasMore, ...(hasMore && { page_token: String(from + size) }) })
}

function giveToken(state: FeishuState, body: Record<string, unknown>): FeishuAnswer {
  if (body['app_id'] !== state.appId) return { status: 200, body: { code: 10_003, msg: 'invalid param' } }
  if (body['app_secret'] !== state.appSecret) return { status: 200, body: { code: 10_014, msg: 'app secret invalid' } }
  const token = `t-${(state.count += 1)}`
  state.tokens.add(token)
  return { status: 200, body: { code: 0, msg: 'ok', tenant_access_token: token, expire: 7_200 } }
}

function check(state: FeishuState, operation: string, body: Record<string, unknown>, type: string): FeishuAnswer | null {
  const content = typeof body['content'] === 'string' ? body['content'] : ''
  const problem = findProblem(type, content)
  const faults =
    problem === null ? [...state.validate(operation, body), ...state.validate(`content.${type}`, JSON.parse(content))] : [problem]
  if (faults.length === 0) return null
  state.failures.push(`${operation}: ${faults.join('; ')}`)
  return refuse(230_099, `Failed to create card content, ext=${faults.join('; ')}`)
}

function send(state: FeishuState, { query, body }: FeishuCall, to: { id: string; message: FeishuMessage | null } | null): FeishuAnswer {
  const { uuid, msg_type: type = '', receive_id: receiver = '' } = body as { uuid?: string; msg_type?: string; receive_id?: string }
  const refused = check(state, to === null ? 'im.message.create' : 'im.message.reply', body, type)
  if (refused) return refused
  if (to === null && query.get('receive_id_type') !== (receiver.startsWith('ou_') ? 'open_id' : 'chat_id'))
    return refuse(230_001, 'invalid receive_id')
  const earlierMessage = uuid === undefined ? undefined : state.byUuid.get(uuid)
  const content = String(body['content'])
  const key =
    (JSON.parse(content) as { image_key?: string; file_key?: string }).image_key ?? (JSON.parse(content) as { file_key?: string }).file_key
  if (key !== undefined && !state.uploads.has(key))
    return refuse(230_055, 'The type of file upload does not match the type of message being sent.')
  const place: { chat: string; root?: string } | undefined =
    to === null ? { chat: chatFor(receiver) } : (to.message ?? state.places.get(to.id))
  if (!place) return notFound
  const root = place.root ?? (body['reply_in_thread'] === true ? to?.id : undefined)
  const message: FeishuMessage = earlierMessage ?? {
    id: `om_bot${(state.count += 1)}`,
    chat: place.chat,
    ...(to && { replyTo: to.id }),
    ...(root !== undefined && { root }),
    type,
    content,
    at: Date.now() + (state.count += 1),
    edits: 0,
    isPinned: false,
    isDeleted: false,
    reactions: [],
  }
  if (!earlierMessage) state.messages.push(message)
  if (uuid !== undefined) state.byUuid.set(uuid, message)
  return ok({ message_id: message.id, chat_id: message.chat, msg_type: type, create_time: String(Date.now()) })
}

function patch(state: FeishuState, body: Record<string, unknown>, message: FeishuMessage): FeishuAnswer {
  if (message.type !== 'interactive') return refuse(230_001, 'This message is not a card')
  const refused = check(state, 'im.message.patch', body, 'interactive')
  if (refused) return refused
  message.content = String(body['content'])
  message.edits += 1
  return ok()
}

function pin(state: FeishuState, { method, path, body }: FeishuCall): FeishuAnswer {
  const id = method === 'POST' ? body['message_id'] : path.split('/').at(-1)
  const message = state.messages.find((one) => one.id === id && !one.isDeleted)
  if (!message) return notFound
  message.isPinned = method === 'POST'
  return ok({ pin: { message_id: message.id } })
}

function react(state: FeishuState, { method, body }: FeishuCall, message: FeishuMessage, reactionId: string): FeishuAnswer {
  if (method === 'GET')
    return ok({
      items: message.reactions.map(({ id, type, by }) => ({
        reaction_id: id,
        operator: { operator_id: by, operator_type: by === state.appId ? 'app' : 'user' },
        reaction_type: { emoji_type: type },
      })),
      has_more: false,
    })
  if (method === 'DELETE') {
    message.reactions = message.reactions.filter(({ id }) => id !== reactionId)
    return ok()
  }
  const { emoji_type: type = '' } = (body['reaction_type'] ?? {}) as { emoji_type?: string }
  if (!/^\w+$/.test(type)) return refuse(231_001, 'reaction type is invalid.')
  const id = `reaction-${(state.count += 1)}`
  message.reactions.push({ id, type, by: state.appId })
  return ok({ reaction_id: id })
}

function upload(state: FeishuState, path: string, body: Record<string, unknown>): FeishuAnswer {
  const isImage = path.endsWith('/images')
  const bytes = body[isImage ? 'image' : 'file']
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return refuse(234_010, "File's size can't be 0.")
  const key = `${isImage ? 'img_v3' : 'file_v3'}_${(state.count += 1)}`
  state.uploads.set(key, { name: typeof body['file_name'] === 'string' ? body['file_name'] : '', bytes: bytes.length })
  return ok(isImage ? { image_key: key } : { file_key: key })
}

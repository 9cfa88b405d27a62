import {
  type FileInfo,
  listBlocks,
  type MattermostCall,
  type MattermostPost,
  type MattermostState,
  type Props,
} from './mattermost-state.ts'

type Answer = { status: number; body: unknown }

const ok = (body: unknown, status = 200): Answer => ({ status, body })
const fault = (status: number, id: string, message: string): Answer => ({ status, body: { id, message, status_code: status } })
const statusOk = ok({ status: 'OK' })

type PostBody = { channel_id?: string; root_id?: string; message?: string; props?: Props; file_ids?: string[]; pending_post_id?: string }

/** One request to the API, version 4, with the errors that Mattermost gives. */
export function mattermostRoutes(state: MattermostState, call: MattermostCall): Answer {
  const { method, path, body } = call
  if (call.token !== state.token) return fault(401, 'api.context.session_expired.app_error', 'Invalid or expired session')
  const route = `${method} ${path}`
  if (route === 'GET /config/client') return ok(describeServer(state))
  if (route === 'GET /users/me/channels') return ok([...state.channels.values()])
  if (route === 'POST /users/me/typing') return type(state, body as { channel_id: string })
  if (route === 'POST /channels/direct') return openDirect(state, body as string[])
  if (route === 'POST /posts') return create(state, body as PostBody)
  if (route === 'POST /posts/ephemeral') return createEphemeral(state, body as { user_id: string; post: PostBody })
  if (route === 'POST /reactions') return react(state, body as MattermostState['reactions'][number])
  if (route === 'POST /files') return upload(state, call)
  const [, noun = '', id = '', rest = ''] = /^\/(\w+)\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (noun === 'users') return onUser(state, method, id, rest)
  if (noun === 'channels') return onChannel(state, id, rest, call.query)
  if (noun === 'files') return onFile(state, id)
  return noun === 'posts' ? onPost(state, call, id, rest) : missing(state, route)
}

function missing(state: MattermostState, route: string): Answer {
  state.failures.push(`there is no route ${route}`)
  return fault(404, 'api.context.404.app_error', 'there is no such route')
}

const describeServer = ({ hasBlocks, publicKey }: MattermostState): Record<string, string> => ({
  Version: hasBlocks ? '11.9.0' : '10.5.0',
  AsymmetricSigningPublicKey: publicKey,
  ...(hasBlocks && { FeatureFlagMmBlocksEnabled: 'true' }),
})

function type(state: MattermostState, { channel_id: channel }: { channel_id: string }): Answer {
  if (!state.channels.has(channel)) return fault(403, 'api.context.permissions.app_error', 'no permission')
  state.typing.push(channel)
  return statusOk
}

export function openDirect(state: MattermostState, people: readonly string[]): Answer {
  if (people.length !== 2 || !people.every((id) => state.people.has(id)))
    return fault(400, 'api.channel.create_direct_channel.invalid_user.app_error', 'Invalid user')
  const name = people.toSorted().join('__')
  const existing = [...state.channels.values()].find((one) => one.name === name)
  const channel = existing ?? { id: state.nextId(), type: 'D' as const, name, team_id: '', last_post_at: 0 }
  state.channels.set(channel.id, channel)
  return ok(channel, 201)
}

function create(state: MattermostState, body: PostBody): Answer {
  const earlierPost = body.pending_post_id && state.posts.find((one) => one.pending_post_id === body.pending_post_id)
  if (earlierPost) return ok(earlierPost, 201)
  const channel = state.channels.get(body.channel_id ?? '')
  if (!channel) return fault(403, 'api.context.permissions.app_error', 'no permission to create a post there')
  const root = state.posts.find((one) => one.id === body.root_id)
  if (body.root_id && (!root || root.root_id !== ''))
    return fault(400, 'api.post.create_post.root_id.app_error', 'Invalid RootId parameter.')
  const problem = findProblem(state, body)
  if (problem !== null) return refuse(state, `create: ${problem}`)
  return ok(addPost(state, state.bot.id, { ...body, channel_id: channel.id }), 201)
}

const toInfo = ({ id, name, size, mime_type }: FileInfo): FileInfo => ({ id, name, size, mime_type })

/** Stores a post and reports it on the socket. */
export function addPost(state: MattermostState, user: string, body: PostBody & { channel_id: string }): MattermostPost {
  const time = state.now()
  const isBot = user === state.bot.id
  const post: MattermostPost = {
    id: state.nextId(),
    channel_id: body.channel_id,
    user_id: user,
    root_id: body.root_id ?? '',
    message: body.message ?? '',
    props: { ...body.props, ...(isBot && { from_bot: 'true' }) },
    file_ids: body.file_ids ?? [],
    create_at: time,
    update_at: time,
    edit_at: 0,
    delete_at: 0,
    is_pinned: false,
    type: '',
    pending_post_id: body.pending_post_id ?? '',
    metadata: { files: (body.file_ids ?? []).flatMap((id) => state.files.get(id) ?? []).map(toInfo) },
  }
  state.posts.push(post)
  const channel = state.channels.get(post.channel_id)
  if (channel) channel.last_post_at = time
  const data = {
    channel_type: channel?.type,
    channel_name: channel?.name,
    sender_name: `@${state.people.get(user)?.username}`,
    post: JSON.stringify(post),
  }
  state.emit('posted', data, { channel_id: post.channel_id })
  return post
}

function createEphemeral(state: MattermostState, { user_id: user, post }: { user_id: string; post: PostBody }): Answer {
  if (!state.isAdmin) return fault(403, 'api.context.permissions.app_error', 'You do not have the appropriate permissions.')
  const problem = findProblem(state, post)
  if (problem !== null) return refuse(state, `create ephemeral: ${problem}`)
  state.ephemerals.push({ user, channel: post.channel_id ?? '', text: post.message ?? '' })
  return ok({ ...post, id: state.nextId(), create_at: state.now() }, 201)
}

function react(state: MattermostState, reaction: MattermostState['reactions'][number]): Answer {
  if (reaction.user_id !== state.bot.id || !/^[\w+-]{1,64}$/.test(reaction.emoji_name))
    return refuse(state, `reaction ${JSON.stringify(reaction)}`)
  state.reactions.push({ ...reaction, create_at: state.now() })
  return ok(reaction)
}

function upload(state: MattermostState, { files }: MattermostCall): Answer {
  const infos = files.map(({ name, bytes }) => ({ id: state.nextId(), name, size: bytes.length, mime_type: 'text/plain', bytes }))
  for (const info of infos) state.files.set(info.id, info)
  return ok({ file_infos: infos.map(toInfo), client_ids: [] }, 201)
}

function onUser(state: MattermostState, method: string, id: string, rest: string): Answer {
  const [, post, emoji = ''] = /^\/posts\/([^/]+)\/reactions\/([^/]+)$/.exec(rest) ?? []
  if (method === 'DELETE' && post !== undefined) {
    const at = state.reactions.findIndex((one) => one.post_id === post && one.emoji_name === decodeURIComponent(emoji))
    state.reactions.splice(at, at === -1 ? 0 : 1)
    return statusOk
  }
  const person = id === 'me' ? state.bot : state.people.get(id)
  return person && rest === '' ? ok(person) : fault(404, 'app.user.missing_account.const', 'Unable to find the user.')
}

function onChannel(state: MattermostState, id: string, rest: string, query: URLSearchParams): Answer {
  const channel = state.channels.get(id)
  if (!channel) return fault(404, 'app.channel.get.existing.app_error', 'Unable to find the existing channel.')
  if (rest === '') return ok(channel)
  const since = Number(query.get('since'))
  const posts = state.posts.filter((one) => one.channel_id === id && one.update_at > since)
  if (query.has('since')) return ok(toList(posts))
  const there = posts.filter((one) => one.delete_at === 0)
  const end = query.has('before') ? there.findIndex((one) => one.id === query.get('before')) : there.length
  return ok(toList(there.slice(Math.max(0, end - Number(query.get('per_page') ?? 60)), end)))
}

/** The newest first. */
const toList = (posts: readonly MattermostPost[]): object => ({
  order: posts.map((one) => one.id).toReversed(),
  posts: Object.fromEntries(posts.map((one) => [one.id, one])),
})

/** Upwards from the newest post, or from the one before `fromPost`. The first post of a thread is always there. */
function listThread(state: MattermostState, root: MattermostPost, query: URLSearchParams): Answer {
  const replies = state.posts.filter((one) => one.root_id === root.id && one.delete_at === 0)
  const end = query.has('fromPost') ? replies.findIndex((one) => one.id === query.get('fromPost')) : replies.length
  return ok(toList([root, ...replies.slice(Math.max(0, end - Number(query.get('perPage') ?? 60)), end)]))
}

function onFile(state: MattermostState, id: string): Answer {
  const file = state.files.get(id)
  return file ? ok(toInfo(file)) : fault(404, 'app.file_info.get.app_error', 'Unable to get the file info.')
}

function onPost(state: MattermostState, { method, query, body: given }: MattermostCall, id: string, rest: string): Answer {
  const body = given as PostBody
  const post = state.posts.find((one) => one.id === id && one.delete_at === 0)
  if (!post) return fault(404, 'app.post.get.app_error', 'Unable to get the post.')
  if (method === 'GET' && rest === '') return ok(post)
  if (rest === '/thread') return listThread(state, post, query)
  if (rest === '/reactions') return ok(state.reactions.filter((one) => one.post_id === id))
  if (rest === '/pin' || rest === '/unpin') {
    post.is_pinned = rest === '/pin'
    return statusOk
  }
  if (method === 'DELETE') {
    post.delete_at = post.update_at = state.now()
    return statusOk
  }
  if (rest !== '/patch' || method !== 'PUT') return missing(state, `${method} /posts/…${rest}`)
  if (post.user_id !== state.bot.id) return fault(403, 'api.context.permissions.app_error', 'no permission to edit it')
  const problem = findProblem(state, { file_ids: post.file_ids, message: post.message, props: post.props, ...body })
  if (problem !== null) return refuse(state, `patch: ${problem}`)
  Object.assign(post, body.message !== undefined && { message: body.message }, body.file_ids && { file_ids: body.file_ids })
  if (body.props) post.props = { ...body.props, from_bot: 'true' }
  post.edit_at = post.update_at = state.now()
  return ok(post)
}

function refuse(state: MattermostState, why: string): Answer {
  state.failures.push(why)
  return fault(400, 'api.context.invalid_body_param.app_error', why)
}

/** Rules of posts that the server or its clients apply. */
function findProblem({ hasBlocks }: MattermostState, { message = '', props = {}, file_ids: files = [] }: PostBody): string | null {
  const { mm_blocks: blocks, mm_blocks_actions: actions = {}, attachments } = props
  if (blocks && attachments) return 'two kinds of content'
  if (blocks && !hasBlocks) return 'Mattermost Blocks on a server that does not know them'
  if (message.trim() === '' && !blocks && !attachments && files.length === 0) return 'an empty post'
  if (message.length > 16_383) return `${message.length} characters in the message`
  if (files.length > 10) return `${files.length} files`
  const all = listBlocks(blocks ?? [])
  if (all.length > 100) return `${all.length} blocks`
  const length = all.reduce((sum, { text = '' }) => sum + text.length, 0)
  if (length > 16_000) return `${length} characters in blocks`
  const ids = all.flatMap(({ action_id: id }) => id ?? [])
  const actionIds = Object.keys(actions)
  if (ids.length > 50 || new Set(ids).size !== ids.length || ids.toSorted().join() !== actionIds.toSorted().join())
    return 'actions and controls do not match'
  const legacy = (attachments ?? []).flatMap(({ actions: list = [] }) => list.map(({ id }) => id))
  if (new Set(legacy).size !== legacy.length || legacy.some((id) => !/^[A-Za-z0-9]+$/.test(id))) return 'ids of actions in attachments'
  return null
}

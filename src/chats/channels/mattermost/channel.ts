import { createHash } from 'node:crypto'
import type { Channel, PlatformRequest, Receipt, SendFailure, Sender, SentAt } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { mattermostAddress, toPlace } from './address.ts'
import { mattermostCapabilities } from './capabilities.ts'
import type { Called, MattermostClient } from './client.ts'
import { toEmojiName } from '../emoji-names.ts'
import { refuse } from '../failure.ts'
import { mattermostLookups } from './lookups.ts'
import { escapeMarkdown } from './markdown.ts'
import { type RenderAccount, renderMattermost } from './render.ts'

export const mattermostChannelLimits = { directChannels: 10_000, reactions: 40 } as const

type ChannelParts = {
  name: string
  client: MattermostClient
  /** As it is known now: a server can be updated while the account is open. */
  account(): RenderAccount
  /** The id of the bot; null while the server cannot be reached. */
  ownId(): Promise<string | null>
  addNames: <Each extends { from: Sender }>(items: Each[]) => Promise<Each[]>
}

/** One bot of one server. */
export function mattermostChannel({ name, client, account, ownId, addNames }: ChannelParts): Channel {
  const directChannels = new Map<string, string>()

  async function directChannel(person: string, signal: AbortSignal): Promise<string | { failure: SendFailure }> {
    const channelId = directChannels.get(person)
    if (channelId !== undefined) return channelId
    const own = await ownId()
    if (own === null) return { failure: unknownSelf }
    const opened = await client.call({ operation: 'CreateDirectChannel', body: { user_ids: [own, person] } }, signal)
    if ('failure' in opened) return opened
    const { id } = opened.result
    if (typeof id !== 'string') return { failure: refuse('Mattermost opened no channel for direct messages') }
    if (directChannels.size >= mattermostChannelLimits.directChannels) directChannels.clear()
    directChannels.set(person, id)
    return id
  }

  /** Direct messages are addressed by the person; requests name the channel that Mattermost has for them. */
  async function withChannel(
    body: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown> | { failure: SendFailure }> {
    if (isRecord(body['post'])) {
      const post = await withChannel(body['post'], signal)
      return 'failure' in post ? post : { ...body, post }
    }
    const [, person] = /^user:(.+)$/.exec((body['channel_id'] ?? '') as string) ?? []
    if (person === undefined) return body
    const channel = await directChannel(person, signal)
    return typeof channel === 'string' ? { ...body, channel_id: channel } : channel
  }

  async function complete(request: PlatformRequest, key: string, signal: AbortSignal): Promise<PlatformRequest | { failure: SendFailure }> {
    if (!request.body) return request
    const body = await withChannel(request.body, signal)
    if ('failure' in body) return { failure: body['failure'] as SendFailure }
    if (request.operation === 'PatchPost') {
      const path = await withChannel(request.path ?? {}, signal)
      return 'failure' in path ? { failure: path['failure'] as SendFailure } : { ...request, path: path as Record<string, string> }
    }
    if (request.operation === 'CreatePost') return { ...request, body: { ...body, pending_post_id: toPendingId(key) } }
    if (request.operation !== 'SaveReaction') return { ...request, body }
    const own = await ownId()
    return own === null ? { failure: unknownSelf } : { ...request, body: { ...body, user_id: own } }
  }

  /** Mattermost removes one reaction at a time, so the own ones are looked up. */
  async function removeReactions(path: { post_id?: string }, signal: AbortSignal): Promise<Called> {
    const own = await ownId()
    const answer = await client.call({ operation: 'GetReactions', path: { post_id: path.post_id ?? '' } }, signal)
    if ('failure' in answer) return answer
    const reactions = (answer.result['items'] ?? []) as { user_id?: string; emoji_name?: string }[]
    for (const { user_id: by, emoji_name: emoji } of reactions.slice(0, mattermostChannelLimits.reactions)) {
      if (by !== own || emoji === undefined) continue
      const removed = await client.call({ operation: 'DeleteReaction', path: { post_id: path.post_id ?? '', emoji_name: emoji } }, signal)
      if ('failure' in removed) return removed
    }
    return { result: {} }
  }

  const at = ({ messageId }: SentAt) => ({ post_id: messageId })
  return {
    name,
    get capabilities() {
      return mattermostCapabilities(account().format)
    },
    address: mattermostAddress,
    render: (adapted, to) => renderMattermost(adapted, to, account()),
    async send(request, { key, signal }) {
      const ready = await complete(request, key, signal)
      if ('failure' in ready) return ready
      const isAllReactions = ready.operation === 'DeleteReaction' && ready.path?.['emoji_name'] === undefined
      const outcome = isAllReactions ? await removeReactions(ready.path ?? {}, signal) : await client.call(ready, signal)
      return 'failure' in outcome ? outcome : { receipt: toReceipt(outcome.result, request) }
    },
    download: (fileId, signal) => client.download(fileId, signal),
    lookups: mattermostLookups(client, {
      addNames,
      async findChannel(address, signal) {
        const { channel_id: channel } = toPlace(address)
        const [, person] = /^user:(.+)$/.exec(channel) ?? []
        return person === undefined ? channel : directChannel(person, signal)
      },
    }),
    operations: {
      pin: (where) => ({ operation: 'PinPost', path: at(where) }),
      unpin: (where) => ({ operation: 'UnpinPost', path: at(where) }),
      remove: (where) => ({ operation: 'DeletePost', path: at(where) }),
      react: (where, emoji) =>
        emoji === null
          ? { operation: 'DeleteReaction', path: at(where) }
          : { operation: 'SaveReaction', body: { ...at(where), emoji_name: toEmojiName(emoji) } },
      stripControls: (where) => ({ operation: 'PatchPost', path: at(where), body: { props: {} } }),
      typing(address) {
        const { channel_id, root_id } = toPlace(address)
        return { operation: 'PublishUserTyping', body: { channel_id, ...(root_id !== undefined && { parent_id: root_id }) } }
      },
      answerTap({ data }, toast) {
        const { user = '', channel = '', thread = '' } = data
        if (toast === null) return null
        const post = { channel_id: channel, message: escapeMarkdown(toast), ...(thread !== '' && { root_id: thread }) }
        return { operation: 'CreatePostEphemeral', body: { user_id: user, post } }
      },
    },
  }
}

const unknownSelf: SendFailure = { code: 'unreachable', why: 'Mattermost cannot be reached', retryable: true, maybeSent: false }

/** Mattermost returns the first post to a request with the same id. */
const toPendingId = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 26)

function toReceipt(result: Record<string, unknown>, { path = {}, body = {} }: PlatformRequest): Receipt {
  const id = typeof result['id'] === 'string' ? result['id'] : (path['post_id'] ?? body['post_id'])
  return {
    address: (body['channel_id'] ?? '') as string,
    messageIds: typeof id === 'string' ? [id] : [],
    at: typeof result['create_at'] === 'number' ? result['create_at'] : 0,
  }
}

import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { directAddress, withThread } from './address.ts'

type Fields = Record<string, unknown>

/** An event of the socket. */
export type MattermostEvent = { event: string; data: Fields; broadcast: Fields }

/** A channel as events and the API describe it. `type` is O, P, G, or D for direct messages, whose name holds both people. */
export type ChannelFacts = { type: string; name: string }

/** Facts that an event does not tell. */
export type Known = {
  channel(id: string): Promise<ChannelFacts | null>
  /** The bot itself. */
  own: { id: string; username: string }
  now: number
}

/** It comes from outside, so every field is looked at before it is used. Unknown events are skipped. */
export async function parseEvent({ event, data, broadcast }: MattermostEvent, known: Known): Promise<Inbound[]> {
  switch (event) {
    case 'posted':
      return inPost(readJson(data.post), known, isMentioned(data.mentions, known.own.id))
    case 'post_edited':
      return inEdit(readJson(data.post), known)
    case 'post_deleted':
      return inDeleted(readJson(data.post), known)
    case 'reaction_added':
    case 'reaction_removed':
      return inReaction(readJson(data.reaction), event === 'reaction_added', known)
    case 'user_added':
    case 'user_removed':
      return inMembership(event, data.channel_id ?? broadcast.channel_id, data.user_id ?? broadcast.user_id, known)
    default:
      return []
  }
}

/** A post as the server lists it after a pause. `since` is a little earlier than `position`, the time of the last post that was stored. */
export async function parseMissed(
  post: Fields,
  { since, position }: { since: number; position: number },
  known: Known,
): Promise<Inbound[]> {
  const isAfter = (time: unknown, limit: number): boolean => typeof time === 'number' && time > limit
  const isNew = isAfter(post.create_at, position)
  if (isAfter(post.delete_at, since)) return isNew ? [] : inDeleted(post, known)
  return [
    ...(isAfter(post.create_at, since) ? await inPost(post, known, false) : []),
    ...(!isNew && isAfter(post.edit_at, since) ? await inEdit(post, known) : []),
  ]
}

async function inPost(post: Fields | undefined, known: Known, isNamed: boolean): Promise<Inbound[]> {
  const common = post && (await getCommon(post, known))
  if (!common) return []
  const text = typeof post.message === 'string' ? post.message : ''
  const media = listMedia(post)
  if (text === '' && media.length === 0) return []
  const isMention =
    isNamed ||
    text
      .toLowerCase()
      .split(/[^\w@.-]+/)
      .includes(`@${known.own.username}`)
  return [{ id: `message:${common.messageId}`, type: 'message', ...common, text, media, ...(isMention && { isMention: true as const }) }]
}

async function inEdit(post: Fields | undefined, known: Known): Promise<Inbound[]> {
  // Previews of links and new replies change a post too, and leave the time of its last edit.
  const edited = post?.edit_at
  const common = post && typeof edited === 'number' && edited > 0 ? await getCommon(post, known) : null
  if (!common || typeof post?.message !== 'string' || post.message === '') return []
  return [{ id: `edit:${common.messageId}:${String(edited)}`, type: 'edit', ...common, text: post.message }]
}

async function inDeleted(post: Fields | undefined, known: Known): Promise<Inbound[]> {
  const common = post && (await getCommon(post, known))
  return common ? [{ id: `deleted:${common.messageId}`, type: 'deleted', ...common }] : []
}

async function inReaction(reaction: Fields | undefined, isAdded: boolean, known: Known): Promise<Inbound[]> {
  const { user_id: user, post_id: messageId, emoji_name: emoji, channel_id: channel } = reaction ?? {}
  if (!isId(user) || user === known.own.id || !isId(messageId) || !isId(channel) || typeof emoji !== 'string') return []
  const chat = await getChat(channel, '', known)
  if (!chat) return []
  const at = typeof reaction?.create_at === 'number' ? reaction.create_at : known.now
  const id = `reaction:${messageId}:${user}:${emoji}:${isAdded}:${at}`
  return [{ id, type: 'reaction', ...chat, from: { id: user, name: user }, at, messageId, emoji, isAdded }]
}

async function inMembership(event: string, channel: unknown, user: unknown, known: Known): Promise<Inbound[]> {
  if (!isId(channel) || user !== known.own.id) return []
  const change = event === 'user_added' ? 'added' : 'removed'
  const from = { id: known.own.id, name: known.own.username }
  return [{ id: `${change}:${channel}:${known.now}`, type: 'membership', address: channel, isPrivate: false, from, at: known.now, change }]
}

/** Posts of the server itself have a type; those of bots and webhooks say so. */
async function getCommon(
  post: Fields,
  known: Known,
): Promise<{ address: string; isPrivate: boolean; from: Sender; at: number; messageId: string } | null> {
  const { id, user_id: user, channel_id: channel, root_id: root, create_at: at, type, props } = post
  const isAutomatic = isRecord(props) && (props['from_bot'] === 'true' || props['from_webhook'] === 'true')
  if (!isId(id) || !isId(user) || !isId(channel) || user === known.own.id || isAutomatic || (type !== undefined && type !== '')) return null
  const chat = await getChat(channel, isId(root) ? root : '', known)
  return chat && { ...chat, from: { id: user, name: user }, at: typeof at === 'number' ? at : known.now, messageId: id }
}

async function getChat(channel: string, root: string, known: Known): Promise<{ address: string; isPrivate: boolean } | null> {
  const facts = await known.channel(channel)
  if (!facts) return null
  if (facts.type !== 'D') return { address: withThread(channel, root), isPrivate: false }
  const other = facts.name.split('__').find((id) => id !== known.own.id)
  return isId(other) ? { address: withThread(directAddress(other), root), isPrivate: true } : null
}

function listMedia({ file_ids: ids, metadata }: Fields): InboundMedia[] {
  const infos = new Map(
    list(isRecord(metadata) ? metadata['files'] : undefined).flatMap((one) => (isRecord(one) ? [[one['id'], one] as const] : [])),
  )
  return list(ids).flatMap((id) => {
    if (!isId(id)) return []
    const { name, size, mime_type: mime } = infos.get(id) ?? {}
    const mimeType = typeof mime === 'string' ? mime : ''
    return [
      {
        kind: (['image', 'audio', 'video'] as const).find((each) => mimeType.startsWith(`${each}/`)) ?? 'file',
        fileId: id,
        ...(typeof name === 'string' && { name }),
        ...(typeof size === 'number' && { sizeBytes: size }),
        ...(mimeType !== '' && { mimeType }),
      },
    ]
  })
}

/** Events carry their objects as JSON in a text. */
export function readJson(text: unknown): Fields | undefined {
  try {
    const value = JSON.parse(typeof text === 'string' ? text : '') as unknown
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMentioned(mentions: unknown, own: string): boolean {
  return typeof mentions === 'string' && mentions.includes(`"${own}"`)
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
export const isId = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9]{26}$/.test(value)

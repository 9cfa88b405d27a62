import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { toAddress, toChat } from './address.ts'
import { readValue } from './elements.ts'
import { teamsLimits } from './limits.ts'

type Fields = Record<string, unknown>
type Common = Pick<Inbound, 'address' | 'isPrivate' | 'from' | 'at'>

/** It comes from outside, so every field is looked at before it is used. Unknown activities are skipped. */
export function parseActivity(activity: Fields, now: number): Inbound[] {
  const common = getCommon(activity, now)
  if (!common) return []
  const chat = toChat(common.address)
  switch (activity.type) {
    case 'message':
      return isTap(activity) ? inTap(activity, fields(activity.value), common) : inMessage(activity, common)
    case 'invoke':
      return activity.name === 'adaptiveCard/action' ? inTap(activity, fields(fields(fields(activity.value)?.action)?.data), common) : []
    case 'messageUpdate':
    case 'messageDelete': {
      const event = fields(activity.channelData)?.eventType
      const { id, timestamp } = activity
      if (typeof id !== 'string') return []
      if (event === 'softDeleteMessage') return [{ id: `deleted:${chat}:${id}`, type: 'deleted', ...common, messageId: id }]
      if (event !== 'editMessage') return []
      return [{ id: `edit:${chat}:${id}:${String(timestamp)}`, type: 'edit', ...common, messageId: id, text: readText(activity).text }]
    }
    case 'messageReaction':
      return inReaction(activity, common)
    case 'conversationUpdate':
      return inMembership(activity, common)
    case 'installationUpdate': {
      // In a chat with one person, removing the app is all that a person can do to end it.
      if (!common.isPrivate || (activity.action !== 'add' && activity.action !== 'remove')) return []
      const change = activity.action === 'add' ? 'unblocked' : 'blocked'
      return [{ id: `${change}:${chat}:${String(activity.id)}`, type: 'membership', ...common, change }]
    }
    default:
      return []
  }
}

/** An Action.Submit arrives as a message without text, whose value is the data of the button. */
function isTap({ text, value }: Fields): boolean {
  const data = fields(value)
  return (typeof text !== 'string' || text === '') && (typeof data?.value === 'string' || typeof data?.input === 'string')
}

function inMessage(activity: Fields, common: Common): Inbound[] {
  const { id } = activity
  const { text, isMention } = readText(activity)
  const media = listMedia(activity.attachments)
  if (typeof id !== 'string' || (text === '' && media.length === 0)) return []
  const replyTo = getQuoted(activity)
  return [
    {
      id: `message:${toChat(common.address)}:${id}`,
      type: 'message',
      ...common,
      messageId: id,
      text,
      media,
      ...(replyTo !== null && { replyTo }),
      ...(isMention && { isMention: true as const }),
    },
  ]
}

function inTap(activity: Fields, data: Fields | undefined, common: Common): Inbound[] {
  const { id, replyToId: messageId } = activity
  const value = data && readValue(data)
  if (typeof id !== 'string' || typeof messageId !== 'string' || !value) return []
  const tap = { data: {}, expiresAt: common.at + teamsLimits.tapLifeMs }
  const place = atRoot(common, messageId)
  return [{ id: `tap:${toChat(common.address)}:${id}`, type: 'tap', ...common, ...place, tap, messageId, value }]
}

/** A message that begins a thread was sent to the channel. */
const atRoot = ({ address }: Common, messageId: string): { address?: string } =>
  address.endsWith(`:thread:${messageId}`) ? { address: toChat(address) } : {}

function inReaction(activity: Fields, common: Common): Inbound[] {
  const { id, replyToId: messageId } = activity
  if (typeof messageId !== 'string') return []
  const toReactions = (reactions: unknown, isAdded: boolean): Inbound[] =>
    list(reactions).flatMap((one): Inbound[] => {
      const type = fields(one)?.type
      if (typeof type !== 'string') return []
      const key = `reaction:${toChat(common.address)}:${String(id)}:${type}:${isAdded}`
      return [{ id: key, type: 'reaction', ...common, ...atRoot(common, messageId), messageId, emoji: emojis[type] ?? type, isAdded }]
    })
  return [...toReactions(activity.reactionsAdded, true), ...toReactions(activity.reactionsRemoved, false)]
}

const emojis: Readonly<Record<string, string>> = { like: '👍', heart: '❤️', laugh: '😆', surprised: '😮', sad: '😢', angry: '😠' }

function inMembership(activity: Fields, common: Common): Inbound[] {
  const own = fields(activity.recipient)?.id
  const isOwn = (one: unknown): boolean => typeof own === 'string' && fields(one)?.id === own
  const change = list(activity.membersAdded).some(isOwn) ? 'added' : list(activity.membersRemoved).some(isOwn) ? 'removed' : null
  if (change === null) return []
  return [{ id: `${change}:${toChat(common.address)}:${String(activity.id)}`, type: 'membership', ...common, change }]
}

/** Mentions are tags in the text; that of the bot itself is left out. */
function readText(activity: Fields): { text: string; isMention: boolean } {
  if (typeof activity.text !== 'string') return { text: '', isMention: false }
  const own = fields(activity.recipient)?.id
  let text = activity.text
  let isMention = false
  for (const one of list(activity.entities)) {
    const entity = fields(one)
    if (entity?.type !== 'mention' || typeof entity.text !== 'string' || entity.text === '') continue
    const isOwn = typeof own === 'string' && fields(entity.mentioned)?.id === own
    isMention ||= isOwn
    text = text.replaceAll(entity.text, isOwn ? '' : `@${entity.text.replaceAll(/<\/?at[^<>]*>/g, '')}`)
  }
  const plainText = text
    .replaceAll('\r\n', '\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return { text: plainText.trim(), isMention }
}

/** The quoted message is an entity in newer clients; older ones write its id into the HTML of the message. */
function getQuoted({ entities, attachments }: Fields): string | null {
  for (const one of list(entities)) {
    const quoted = fields(fields(one)?.quotedReply)?.messageId
    if (fields(one)?.type === 'quotedReply' && typeof quoted === 'string') return quoted
  }
  for (const one of list(attachments)) {
    const html = fields(one)
    const text = html?.contentType === 'text/html' && typeof html.content === 'string' ? html.content.slice(0, 10_000) : ''
    const [, id] = /<blockquote[^<>]{0,300}\bitemid="(\d{1,20})"/.exec(text) ?? []
    if (id !== undefined) return id
  }
  return null
}

function listMedia(attachments: unknown): InboundMedia[] {
  return list(attachments).flatMap((one): InboundMedia[] => {
    const file = fields(one)
    const name = typeof file?.name === 'string' ? { name: file.name } : {}
    if (file?.contentType === 'application/vnd.microsoft.teams.file.download.info') {
      const url = fields(file.content)?.downloadUrl
      return isUrl(url) ? [{ kind: 'file', fileId: url, ...name }] : []
    }
    const mimeType = typeof file?.contentType === 'string' ? file.contentType : ''
    const kind = (['image', 'audio', 'video'] as const).find((each) => mimeType.startsWith(`${each}/`))
    const url = file?.contentUrl
    if (!kind || !isUrl(url)) return []
    return [{ kind, fileId: url, ...name, ...(!mimeType.endsWith('/*') && { mimeType }) }]
  })
}

function getCommon(activity: Fields, now: number): Common | null {
  const conversation = fields(activity.conversation)
  const address = typeof conversation?.id === 'string' ? toAddress(conversation.id) : null
  const from = getSender(fields(activity.from), activity)
  if (!conversation || address === null || !from) return null
  const at = typeof activity.timestamp === 'string' ? Date.parse(activity.timestamp) : Number.NaN
  return { address, isPrivate: conversation.conversationType === 'personal', from, at: Number.isFinite(at) ? at : now }
}

/** Bots have ids that begin with 28. */
function getSender(from: Fields | undefined, { locale }: Fields): Sender | null {
  if (typeof from?.id !== 'string' || from.id === '' || from.id.startsWith('28:')) return null
  const name = typeof from.name === 'string' && from.name !== '' ? from.name : from.id
  return { id: from.id, name, ...(typeof locale === 'string' && { language: locale }) }
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value) && value.length <= 4_000
const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { lineLimits } from './limits.ts'

type Fields = Record<string, unknown>

/** A reply token with the chat it answers. */
export type ReplyToken = { address: string; token: string; expiresAt: number }

/** Parses the events of one call of LINE. Events of other kinds, and of bots that another provider answers for, are skipped. */
export function parseEvents(events: readonly unknown[]): { inbounds: Inbound[]; replyTokens: ReplyToken[] } {
  const inbounds: Inbound[] = []
  const replyTokens: ReplyToken[] = []
  for (const one of events) {
    const event = fields(one)
    const common = event && event.mode !== 'standby' ? getCommon(event) : null
    if (!event || !common) continue
    inbounds.push(...toInbounds(event, common))
    const token = toReplyToken(event, common)
    if (token) replyTokens.push(token)
  }
  return { inbounds, replyTokens }
}

type Common = Pick<Inbound, 'id' | 'address' | 'isPrivate' | 'from' | 'at'>

function toInbounds(event: Fields, common: Common): Inbound[] {
  switch (event.type) {
    case 'message':
      return inMessage(fields(event.message), common)
    case 'postback': {
      const value = fields(event.postback)?.data
      if (typeof value !== 'string') return []
      const replyToken = typeof event.replyToken === 'string' ? event.replyToken : ''
      // LINE does not say which message was tapped.
      const tap = { data: { replyToken }, expiresAt: common.at + lineLimits.replyTokenMs }
      return [{ ...common, type: 'tap', tap, messageId: '', value }]
    }
    case 'unsend': {
      const messageId = fields(event.unsend)?.messageId
      return typeof messageId === 'string' ? [{ ...common, type: 'deleted', messageId }] : []
    }
    case 'follow':
      return fields(event.follow)?.isUnblocked === true ? [{ ...common, type: 'membership', change: 'unblocked' }] : []
    case 'unfollow':
      return [{ ...common, type: 'membership', change: 'blocked' }]
    case 'join':
    case 'leave':
      return [{ ...common, type: 'membership', change: event.type === 'join' ? 'added' : 'removed' }]
    default:
      return []
  }
}

function inMessage(message: Fields | undefined, common: Common): Inbound[] {
  if (typeof message?.id !== 'string') return []
  const mentionees = fields(message.mention)?.mentionees
  const isMention = Array.isArray(mentionees) && mentionees.some((one) => fields(one)?.isSelf === true)
  return [
    {
      ...common,
      type: 'message',
      messageId: message.id,
      text: toText(message),
      media: listMedia(message),
      ...(typeof message.quotedMessageId === 'string' && { replyTo: message.quotedMessageId }),
      ...(isMention && { isMention: true as const }),
    },
  ]
}

/** Stickers and places are told in words. */
function toText(message: Fields): string {
  const texts = (...values: unknown[]): string[] => values.filter((one): one is string => typeof one === 'string' && one !== '')
  switch (message.type) {
    case 'text':
      return texts(message.text).join('')
    case 'sticker':
      return `[sticker: ${texts(message.text, ...(Array.isArray(message.keywords) ? (message.keywords as unknown[]) : [])).join(', ') || '?'}]`
    case 'location':
      return `[location: ${[...texts(message.title, message.address), `${String(message.latitude)}, ${String(message.longitude)}`].join('; ')}]`
    default:
      return ''
  }
}

function listMedia(message: Fields): InboundMedia[] {
  const kind = (['image', 'video', 'audio', 'file'] as const).find((one) => one === message.type)
  if (!kind || typeof message.id !== 'string') return []
  return [
    {
      kind,
      fileId: message.id,
      ...(typeof message.fileName === 'string' && { name: message.fileName }),
      ...(typeof message.fileSize === 'number' && { sizeBytes: message.fileSize }),
    },
  ]
}

/** Only those of messages: the token of a tap answers the tap. */
function toReplyToken(event: Fields, { address, at }: Common): ReplyToken | null {
  const isRepeated = fields(event.deliveryContext)?.isRedelivery === true
  if (event.type !== 'message' || typeof event.replyToken !== 'string' || isRepeated) return null
  return { address, token: event.replyToken, expiresAt: at + lineLimits.replyTokenMs }
}

function getCommon(event: Fields): Common | null {
  const source = fields(event.source)
  if (!source || typeof event.webhookEventId !== 'string' || typeof event.timestamp !== 'number') return null
  const address = [source.groupId, source.roomId, source.userId].find((one) => typeof one === 'string')
  if (typeof address !== 'string') return null
  return { id: event.webhookEventId, address, isPrivate: source.type === 'user', from: getSender(source, address), at: event.timestamp }
}

/** In a group, LINE leaves out the id of a person who has not agreed to it. */
function getSender({ userId }: Fields, address: string): Sender {
  return typeof userId === 'string' ? { id: userId, name: userId } : { id: address, name: address, isAnonymous: true }
}

const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)

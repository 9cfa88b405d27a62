import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { getAddress } from './address.ts'
import { slackLimits } from './limits.ts'

type Fields = Record<string, unknown>

/** A report of Slack: an event, an interaction or a slash command. */
export type SlackReport = { type: 'events_api' | 'interactive' | 'slash_commands'; body: unknown }

/** It comes from outside, so every field is looked at before it is used. Unknown parts are skipped. */
export function parseReport({ type, body }: SlackReport, now: number = Date.now()): Inbound[] {
  const report = fields(body)
  if (!report) return []
  if (type === 'events_api') return inEvent(report, now)
  return type === 'interactive' ? inInteraction(report, now) : inCommand(report, now)
}

function inEvent(report: Fields, now: number): Inbound[] {
  const event = fields(report.event)
  if (!event) return []
  if (event.type === 'message' || event.type === 'app_mention') return inMessage(event, ownId(report), now)
  if (event.type === 'reaction_added' || event.type === 'reaction_removed') return inReaction(event, now)
  if (event.type === 'member_joined_channel' || event.type === 'member_left_channel') return inMembership(event, ownId(report), now)
  return []
}

function inMessage(event: Fields, own: string | null, now: number): Inbound[] {
  if (event.subtype === 'message_changed') return inEdit(event, now)
  if (event.subtype === 'message_deleted') return inDeleted(event, now)
  const isPlain = event.subtype === undefined || event.subtype === 'file_share' || event.subtype === 'thread_broadcast'
  const common = isPlain ? getCommon(event, event.channel, now) : null
  if (!common) return []
  const text = toText(event.text)
  const media = listMedia(event.files)
  if (text === '' && media.length === 0) return []
  // The same message is reported as an event of its channel and as a mention.
  const id = `message:${String(event.channel)}:${common.messageId}`
  const isMention = own !== null && typeof event.text === 'string' && event.text.includes(`<@${own}>`)
  return [{ id, type: 'message', ...common, text, media, ...(isMention && { isMention: true as const }) }]
}

function inEdit(event: Fields, now: number): Inbound[] {
  const message = fields(event.message)
  const before = fields(event.previous_message)
  const common = message && getCommon(message, event.channel, now)
  // Unfurled links and new replies change a message too.
  if (!common || message.text === before?.text || typeof event.ts !== 'string') return []
  return [{ id: `edit:${String(event.channel)}:${event.ts}`, type: 'edit', ...common, text: toText(message.text) }]
}

function inDeleted(event: Fields, now: number): Inbound[] {
  const before = fields(event.previous_message)
  const common = before && getCommon(before, event.channel, now)
  return common ? [{ id: `deleted:${String(event.channel)}:${common.messageId}`, type: 'deleted', ...common }] : []
}

function inReaction(event: Fields, now: number): Inbound[] {
  const item = fields(event.item)
  const from = getSender(event.user)
  if (!from || typeof item?.channel !== 'string' || typeof item.ts !== 'string' || typeof event.reaction !== 'string') return []
  const place = getPlace(item.channel, from)
  const id = `reaction:${item.channel}:${String(event.event_ts)}`
  const isAdded = event.type === 'reaction_added'
  return [{ id, type: 'reaction', ...place, from, at: now, messageId: item.ts, emoji: event.reaction, isAdded }]
}

function inMembership(event: Fields, own: string | null, now: number): Inbound[] {
  const from = getSender(event.user)
  if (!from || from.id !== own || typeof event.channel !== 'string') return []
  const change = event.type === 'member_joined_channel' ? 'added' : 'removed'
  const id = `${change}:${event.channel}:${String(event.event_ts)}`
  return [{ id, type: 'membership', ...getPlace(event.channel, from), from, at: now, change }]
}

function inInteraction(report: Fields, now: number): Inbound[] {
  const from = getSender(report.user)
  const message = fields(report.message)
  const container = fields(report.container)
  const channel = container?.channel_id ?? fields(report.channel)?.id
  const ts = message?.ts ?? container?.message_ts
  if (report.type !== 'block_actions' || !from || typeof channel !== 'string' || typeof ts !== 'string') return []
  const place = getPlace(channel, from, getThread({ ...message, ts }))
  return (Array.isArray(report.actions) ? (report.actions as unknown[]) : []).flatMap((one): Inbound[] => {
    const action = fields(one)
    const value = action?.value ?? fields(action?.selected_option)?.value
    if (!action || typeof value !== 'string' || typeof action.action_ts !== 'string') return []
    const id = `tap:${channel}:${ts}:${from.id}:${action.action_ts}`
    const tap = { data: { channel, user: from.id, thread: getThread({ ...message, ts }) ?? '' }, expiresAt: now + slackLimits.tapLifeMs }
    return [{ id, type: 'tap', ...place, from, at: now, tap, messageId: ts, value }]
  })
}

function inCommand(report: Fields, now: number): Inbound[] {
  const { command, text, channel_id: channel, trigger_id: trigger } = report
  const from = getSender({ id: report.user_id, username: report.user_name })
  if (!from || typeof command !== 'string' || typeof channel !== 'string' || typeof trigger !== 'string') return []
  const name = command.replace(/^\//, '')
  return [{ id: `command:${trigger}`, type: 'command', ...getPlace(channel, from), from, at: now, name, text: toText(text) }]
}

/** The bot itself, as the report names it. */
function ownId({ authorizations }: Fields): string | null {
  const first = fields(Array.isArray(authorizations) ? authorizations[0] : undefined)
  return typeof first?.user_id === 'string' ? first.user_id : null
}

function getCommon(
  message: Fields,
  channel: unknown,
  now: number,
): { address: string; isPrivate: boolean; from: Sender; at: number; messageId: string } | null {
  const from = message.bot_id === undefined ? getSender(message.user) : null
  if (!from || typeof channel !== 'string' || typeof message.ts !== 'string') return null
  return { ...getPlace(channel, from, getThread(message)), from, at: Math.round(Number(message.ts) * 1_000) || now, messageId: message.ts }
}

/** A message that begins a thread stands in its channel. */
const getThread = ({ thread_ts: thread, ts }: Fields): string | undefined =>
  typeof thread === 'string' && thread !== ts ? thread : undefined

/** Direct messages have the id of the person as their address, not that of the channel Slack made for them. */
const getPlace = (channel: string, from: Sender, thread?: string): { address: string; isPrivate: boolean } => ({
  address: getAddress(channel.startsWith('D') ? from.id : channel, thread),
  isPrivate: channel.startsWith('D'),
})

function getSender(value: unknown): Sender | null {
  const person = typeof value === 'string' ? { id: value } : fields(value)
  if (typeof person?.id !== 'string' || !/^[UW][A-Z0-9]+$/.test(person.id)) return null
  const name = [person.name, person.username].find((one) => typeof one === 'string' && one !== '')
  return { id: person.id, name: typeof name === 'string' ? name : person.id }
}

/** Links are written out, and the three escaped characters are what they stand for. */
export const toText = (text: unknown): string =>
  typeof text !== 'string'
    ? ''
    : text
        .replaceAll(/<((?:https?|mailto):[^|<>]*)\|([^<>]*)>/g, '$2 ($1)')
        .replaceAll(/<((?:https?|mailto):[^|<>]*)>/g, '$1')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')

function listMedia(files: unknown): InboundMedia[] {
  return (Array.isArray(files) ? (files as unknown[]) : []).flatMap((one) => {
    const file = fields(one)
    if (typeof file?.id !== 'string') return []
    const mimeType = typeof file.mimetype === 'string' ? file.mimetype : ''
    const kind = (['image', 'audio', 'video'] as const).find((each) => mimeType.startsWith(`${each}/`)) ?? 'file'
    return [
      {
        kind,
        fileId: file.id,
        ...(typeof file.name === 'string' && { name: file.name }),
        ...(typeof file.size === 'number' && { sizeBytes: file.size }),
        ...(mimeType !== '' && { mimeType }),
      },
    ]
  })
}

const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)

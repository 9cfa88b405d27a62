import type { Inbound, InboundMedia, Sender } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { directAddress, getAddress, idTime } from './address.ts'
import { valueIn } from './components.ts'
import { interactionTypes } from './interactions.ts'
import { discordLimits } from './limits.ts'

type Fields = Record<string, unknown>

/** An event of the gateway. An interaction over HTTP has the form of an `INTERACTION_CREATE`. */
export type DiscordEvent = { name: string; data: Fields }

/** Facts that an event does not tell. */
export type Known = {
  /** The channel of a thread; null for a channel. */
  parentOf(channel: string): Promise<string | null>
  /** The id of the bot, once it is known. */
  own: string | null
  by: 'gateway' | 'http'
  now: number
}

/** Types of messages that people write: D resources/message, default and reply. */
const writtenTypes = new Set<unknown>([0, 19])

/** It comes from outside, so every field is looked at before it is used. Unknown events are skipped. */
export async function parseEvent({ name, data }: DiscordEvent, known: Known): Promise<Inbound[]> {
  switch (name) {
    case 'MESSAGE_CREATE':
      return inMessage(data, known)
    case 'MESSAGE_UPDATE':
      return inEdit(data, known)
    case 'INTERACTION_CREATE':
      return inInteraction(data, known)
    case 'MESSAGE_REACTION_ADD':
    case 'MESSAGE_REACTION_REMOVE':
      return inReaction(data, name === 'MESSAGE_REACTION_ADD', known)
    default:
      return []
  }
}

async function inMessage(message: Fields, known: Known): Promise<Inbound[]> {
  const common = await getCommon(message, known)
  if (!common || !writtenTypes.has(message.type ?? 0)) return []
  const text = textIn(message)
  const media = listMedia(message)
  if (text === '' && media.length === 0) return []
  const reference = fields(message.message_reference)
  const isMention = list(message.mentions).some((one) => fields(one)?.id === known.own)
  return [
    {
      id: `message:${common.messageId}`,
      type: 'message',
      ...common,
      text,
      media,
      ...(message.type === 19 && typeof reference?.message_id === 'string' && { replyTo: reference.message_id }),
      ...(isMention && { isMention: true as const }),
    },
  ]
}

async function inEdit(message: Fields, known: Known): Promise<Inbound[]> {
  const { edited_timestamp: edited } = message
  // A preview of a link changes a message too, and leaves the time of its last edit.
  if (typeof edited !== 'string' || !writtenTypes.has(message.type ?? 0)) return []
  const common = await getCommon(message, known)
  const text = textIn(message)
  return common && text !== '' ? [{ id: `edit:${common.messageId}:${edited}`, type: 'edit', ...common, text }] : []
}

async function inReaction(event: Fields, isAdded: boolean, known: Known): Promise<Inbound[]> {
  const { user_id: user, message_id: messageId, channel_id: channel } = event
  const emoji = fields(event.emoji)?.name
  if (!isId(user) || user === known.own || !isId(messageId) || !isId(channel) || typeof emoji !== 'string') return []
  const from = getSender(fields(fields(event.member)?.user) ?? { id: user }, fields(event.member))
  if (!from) return []
  const place = await getPlace(event, channel, from, known)
  return [
    { id: `reaction:${messageId}:${user}:${emoji}:${isAdded}`, type: 'reaction', ...place, from, at: known.now, messageId, emoji, isAdded },
  ]
}

async function inInteraction(interaction: Fields, known: Known): Promise<Inbound[]> {
  const { id, token, application_id: application, type, context } = interaction
  const member = fields(interaction.member)
  const from = getSender(fields(member?.user) ?? fields(interaction.user), member)
  const channel = interaction.channel_id ?? fields(interaction.channel)?.id
  // In a group of friends (context 2) the bot is no member and cannot write.
  if (!from || !isId(id) || !isId(channel) || typeof token !== 'string' || !isId(application) || context === 2) return []
  const sender = { ...from, ...(typeof interaction.locale === 'string' && { language: interaction.locale }) }
  const place = await getPlace(interaction, channel, sender, known)
  const at = idTime(id)
  const data = fields(interaction.data)
  if (type === interactionTypes.command) {
    if (typeof data?.name !== 'string') return []
    return [{ id: `command:${id}`, type: 'command', ...place, from: sender, at, name: data.name, text: optionsIn(data.options) }]
  }
  const messageId = fields(interaction.message)?.id
  const value = readValue(data)
  if (type !== interactionTypes.component || !isId(messageId) || value === null) return []
  const lifeMs = known.by === 'http' ? discordLimits.interactionLifeMs : discordLimits.tapDeadlineMs
  const tap = { data: { id, token, application, by: known.by }, expiresAt: at + lifeMs }
  return [{ id: `tap:${id}`, type: 'tap', ...place, from: sender, at, tap, messageId, value }]
}

/** The value of a button, or of the chosen option of a select. */
function readValue(data: Fields | undefined): string | null {
  const [chosen] = list(data?.values)
  const value = data?.component_type === 3 ? chosen : data?.custom_id
  return typeof value === 'string' ? valueIn(value) : null
}

/** The options of a slash command, as a person would type them. */
const optionsIn = (options: unknown): string =>
  list(options)
    .flatMap((one) => {
      const { value } = fields(one) ?? {}
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
    })
    .join(' ')

async function getCommon(
  message: Fields,
  known: Known,
): Promise<{ address: string; isPrivate: boolean; from: Sender; at: number; messageId: string } | null> {
  const author = fields(message.author)
  const from = author?.bot === true || message.webhook_id !== undefined ? null : getSender(author, fields(message.member))
  if (!from || !isId(message.id) || !isId(message.channel_id)) return null
  return { ...(await getPlace(message, message.channel_id, from, known)), from, at: idTime(message.id), messageId: message.id }
}

/** Outside of a server there are only the direct messages of one person. */
async function getPlace(event: Fields, channel: string, from: Sender, known: Known): Promise<{ address: string; isPrivate: boolean }> {
  if (event.guild_id === undefined || event.guild_id === null) return { address: directAddress(from.id), isPrivate: true }
  const parent = await known.parentOf(channel)
  return { address: parent === null ? getAddress(channel) : getAddress(parent, channel), isPrivate: false }
}

export function getSender(user: Fields | undefined, member: Fields | undefined): Sender | null {
  if (!isId(user?.id)) return null
  const name = [member?.nick, user.global_name, user.username].find((one) => typeof one === 'string' && one !== '')
  return { id: user.id, name: typeof name === 'string' ? name : user.id }
}

/** Mentions carry ids; the names are beside them. */
export function textIn({ content, mentions }: Fields): string {
  if (typeof content !== 'string') return ''
  const names = new Map(list(mentions).flatMap((one) => [[String(fields(one)?.id), String(fields(one)?.username)] as const]))
  return content.replaceAll(/<@!?(\d+)>/g, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
}

/** The addresses of attachments expire, so a file is named by its place and looked up again. */
function listMedia({ attachments, channel_id: channel, id: message }: Fields): InboundMedia[] {
  return list(attachments).flatMap((one) => {
    const file = fields(one)
    if (!isId(file?.id)) return []
    const mimeType = typeof file.content_type === 'string' ? file.content_type : ''
    const kind = (['image', 'audio', 'video'] as const).find((each) => mimeType.startsWith(`${each}/`)) ?? 'file'
    return [
      {
        kind,
        fileId: `${String(channel)}/${String(message)}/${file.id}`,
        ...(typeof file.filename === 'string' && { name: file.filename }),
        ...(typeof file.size === 'number' && { sizeBytes: file.size }),
        ...(mimeType !== '' && { mimeType }),
      },
    ]
  })
}

const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])
const isId = (value: unknown): value is string => typeof value === 'string' && /^\d{1,20}$/.test(value)

import type { Language } from '../shapes/language.ts'
import type { ReplyPayload } from '../chats/message/reply-payload.ts'
import type { Channel, Inbound, Sender } from './channel.ts'

/** A finished reply of an agent on its way to one place. `turn` names it: the same turn asks with the same name again. */
export type ReplyOnItsWay = {
  dialog: string
  turn: number
  agent: string
  language: Language
  /** The account it goes out by, and what kind of channel that is. The page is the channel `web`. */
  channel: string
  kind: string
  address: string
  isPrivate: boolean
  /** Platform id of the person whose message it answers; null without such a message. */
  asker: string | null
  /** Buttons are shown there; elsewhere their labels are listed as text. */
  hasButtons: boolean
  message: ReplyPayload
}

/** `reply` and `draft` say what an agent wrote; `sent` was sent by a tool, a program or a person. */
export type MessagePurpose = 'reply' | 'draft' | 'question' | 'notice' | 'sent'

/** A message on its way to a chat. Approvals, requests of strangers and what plugins send themselves are never among them. */
export type OutgoingMessage = {
  purpose: MessagePurpose
  channel: string
  kind: string
  address: string
  /** The dialog whose reply it is. */
  dialog: string | null
  message: ReplyPayload
}

/** A tap on a button that a plugin made, after the core checked that it was sent, may be tapped and was not used up. */
export type PluginActionTap = {
  plugin: string
  value: string
  channel: string
  kind: string
  address: string
  messageId: string
  /** The dialog that the address is bound to. */
  dialog: string | null
  /** The same for a repeat of the same tap after a crash. */
  tap: string
  from: Sender
  isPrivate: boolean
}

export type TapOutcome = { toast: string | null; isTaken?: boolean; act(): Promise<void> }

/** A reply that arrived: `messageIds` are its platform messages, first to last. */
export type ReplyThere = Pick<ReplyOnItsWay, 'dialog' | 'turn' | 'channel' | 'kind' | 'address'> & {
  delivery: string
  messageIds: readonly string[]
}

export type InboundText = Extract<Inbound, { type: 'message' }>
export type InboundTouch = Extract<Inbound, { type: 'tap' }>

/** A voice message or another recording of a person. `language` is what the platform says of the person. */
export type ReceivedVoice = {
  channel: string
  kind: string
  name: string
  mimeType: string
  bytes: Uint8Array
  language: string | null
}

/** Notes of a plugin for the next turn. */
export type TurnNotes = {
  /** One line each, for the agent's prompt. */
  lines: readonly string[]
  /** Says if the agent may end with a question or a suggestion of its own, or be nudged to go on. */
  followUps: 'allowed' | 'suppressed'
}

/** Notes of all plugins, each line with the name of its plugin. */
export type NamedNotes = { lines: readonly { plugin: string; text: string }[]; followUps: TurnNotes['followUps'] }

/**
 * Where plugins have a say. Each of these may be asked again after a crash with the same names, and answers the same
 * then. None throws, and none takes long: a plugin that fails is reported and passed over.
 */
export type Hooks = {
  /** The reply as it is sent; what a plugin adds stands below what the agent wrote. */
  prepareReply(reply: ReplyOnItsWay): Promise<ReplyPayload>
  replyDelivered(reply: ReplyThere): Promise<void>
  /** A message arrived. Called before it is stored; the platform gets its acknowledgement after both. */
  messageReceived(from: { channel: string; kind: string; inbound: InboundText }): Promise<void>
  /** The words of a voice message; null where no plugin writes them down. */
  transcribe(voice: ReceivedVoice): Promise<string | null>
  /** A person wrote in a dialog outside of channels, such as on the page. */
  saidInDialog(said: { dialog: string; text: string; via: string; key: string }): Promise<void>
  /** A tap with data that is not Parley's own. Null: not mine. `isTaken`: it counted, where the plugin says so. */
  tapped(from: { channel: Channel; kind: string; tap: InboundTouch }): Promise<TapOutcome | null>
  /** A tap on a button of this plugin. Null: the plugin is gone, or did not take it. */
  actionTapped(tap: PluginActionTap): Promise<TapOutcome | null>
  /** A message as it is sent; what it asks and decides stays the same. Asked only where `preparesMessages` says so. */
  prepareMessage(outgoing: OutgoingMessage): Promise<ReplyPayload>
  preparesMessages(): boolean
  /** Asked at the start of a turn; the same turn gets the same answer. */
  turnNotes(turn: { dialog: string; turn: number; agent: string }): Promise<NamedNotes>
  /** Data in a button that a plugin signs itself and that therefore travels as it is. */
  ownsData(value: string): boolean
}

/** `via` of what a plugin says in a dialog. */
export const pluginVia = 'plugin'

/** Messages that plugins send by themselves. A message is checked before it comes here. */
export type PluginMessages = {
  send(plugin: string, message: { channel: string; target: string; message: ReplyPayload; once: string }): Promise<{ delivery: string }>
  edit(plugin: string, delivery: string, message: ReplyPayload): Promise<void>
  say(plugin: string, said: { dialog: string; text: string; once: string }): Promise<void>
}

export const noNotes: NamedNotes = { lines: [], followUps: 'allowed' }

export const noHooks: Hooks = {
  prepareReply: async ({ message }) => message,
  replyDelivered: async () => {},
  messageReceived: async () => {},
  transcribe: async () => null,
  saidInDialog: async () => {},
  tapped: async () => null,
  actionTapped: async () => null,
  prepareMessage: async ({ message }) => message,
  preparesMessages: () => false,
  turnNotes: async () => noNotes,
  ownsData: () => false,
}

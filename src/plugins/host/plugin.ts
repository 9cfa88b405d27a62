import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import type { AgentRuntime, Tool } from '../../ports/agent-runtime.ts'
import type { ChannelKind } from '../../ports/channel-kind.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  InboundText,
  InboundTouch,
  OutgoingMessage,
  PluginActionTap,
  ReceivedVoice,
  ReplyOnItsWay,
  ReplyThere,
  TurnNotes,
} from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'

/** Raised when a plugin written for the number before would no longer work. */
export const pluginApi = 1

/**
 * One plugin: the default export of a module. It is set up once at the start and again whenever its entry in parley.yaml
 * changes. Everything it may use of Parley comes with `host`.
 */
export type Plugin<Config = Record<string, unknown>> = {
  name: string
  version: string
  api: typeof pluginApi
  /** Purpose in one sentence. */
  about: string
  /** Defaults of `config`; an update lists new keys. */
  defaults?: Record<string, unknown>
  /** `defaults` with what parley.yaml says on top. `fault` says in words what is wrong, and the plugin is left out. */
  checkConfig?(config: Record<string, unknown>): { config: Config } | { fault: string }
  setUp(host: PluginHost, config: Config): PluginParts | Promise<PluginParts>
}

/** Only for the types: an object of the same shape is a plugin as well. */
export const definePlugin = <Config = Record<string, unknown>>(plugin: Plugin<Config>): Plugin<Config> => plugin

/** All of Parley that a plugin gets. */
export type PluginHost = {
  storage: PluginStorage
  log: Log
  clock: Clock
  /** A key of this plugin alone for one purpose; the same after a restart, different on every installation. */
  secret(purpose: string): string
  /**
   * Takes the controls of this plugin off a message that is there; a `marker` stays in their place as a button that does
   * nothing, where the channel has such buttons. Gone or already bare counts as done; a rejection is worth another try.
   */
  stripControls(at: StrippedControls): Promise<void>
  /** Sends a message to a chat. It is durable when this resolves. The same `once` again sends nothing and gives the same delivery. */
  send(message: SentByPlugin): Promise<{ delivery: string }>
  /** Replaces a message that this plugin sent. */
  edit(delivery: string, message: ReplyPayload): Promise<void>
  /** Writes in a dialog, as a guest with the name of the plugin. The same `once` again says nothing. */
  say(said: { dialog: string; text: string; once: string }): Promise<void>
}

/** `channel` is the name of an account in parley.yaml, `target` an address there. */
export type SentByPlugin = { channel: string; target: string; message: ReplyPayload; once: string }

export type StrippedControls = { channel: string; address: string; messageId: string; marker?: string }

/** Documents that outlive the process. Values are JSON; what is handed out is a copy. */
export type PluginStorage = {
  /** Null: never written. A document that was taken away has the value null and keeps its `rev`. */
  get(key: string): Promise<{ value: unknown; rev: number } | null>
  /** Writes only if the document still has revision `rev` (0: never written). False: read again. Null removes the document. */
  put(key: string, value: unknown, rev: number): Promise<boolean>
  /** Of the documents there are. */
  keys(): Promise<string[]>
}

/**
 * The parts of a plugin; each is optional. Everything handed in is a copy. A part that throws, takes too long
 * or returns nonsense is reported and passed over; one that keeps failing is set aside together with its plugin. Each may
 * be asked again after a crash with the same names.
 */
export type PluginParts = {
  /** The reply as it should be sent; null leaves it as it is. What is added belongs below what the agent wrote. */
  prepareReply?(reply: ReplyOnItsWay): Given<ReplyPayload | null | undefined>
  /**
   * A message on its way to a chat, such as to translate it; null leaves it as it is. Buttons of a question and of a notice keep
   * their actions and their order. Approvals are never among them.
   */
  prepareMessage?(outgoing: OutgoingMessage): Given<ReplyPayload | null | undefined>
  replyDelivered?(reply: ReplyThere): Given<void>
  messageReceived?(from: { channel: string; kind: string; inbound: InboundText }): Given<void>
  /** The words of a voice message, for the agent; null leaves it to others. It may take a minute. */
  transcribe?(voice: ReceivedVoice): Given<string | null | undefined>
  saidInDialog?(said: { dialog: string; text: string; via: string; key: string }): Given<void>
  /** A tap on data that is not Parley's own. The toast is shown at once, then `act` is called. Null: not mine. */
  onTap?(from: { channel: string; kind: string; tap: InboundTouch }): Given<PluginTap | null | undefined>
  /**
   * A tap on a button that this plugin made with `action: { type: 'plugin', value }`. Parley has checked that the button was sent,
   * that this person may tap it and that it was not used up.
   */
  onAction?(tap: Omit<PluginActionTap, 'plugin'>): Given<PluginTap | null | undefined>
  /** For the prompt of the turn that starts. */
  turnNotes?(turn: { dialog: string; turn: number; agent: string }): Given<TurnNotes | null | undefined>
  /** Data of buttons that this plugin signs itself, so that it must come back to the letter. Quick, and awaits nothing. */
  ownsData?(value: string): boolean
  /** Members may name these under `tools`. */
  tools?: readonly Tool[]
  /** Members of the team that need no entry of their own. */
  agents?: readonly PluginAgent[]
  /** Chat platforms that Parley does not have. The settings of their accounts are those under `options`. */
  channels?: readonly ChannelKind[]
  /** Called at the start and then every `sweepEveryMs` (5 minutes unless set). */
  sweep?(): Given<void>
  sweepEveryMs?: number
  close?(): Given<void>
}

type Given<Value> = Value | Promise<Value>

/** `isTaken`: it counted; one that came too late did not. The page then shows the choice. */
export type PluginTap = { toast: string | null; isTaken?: boolean; act?(): Given<void> }
export type PluginAgent = { name: string; about: string; runtime: AgentRuntime; tools?: readonly Tool[] }

import type { z } from 'zod'
import type { Language } from '../shapes/language.ts'
import type { AddressRules, Channel, ChannelRenderer, Inbound } from './channel.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/**
 * A chat platform. Everything Parley knows about it is here; built-in kinds and those of plugins have the same type. Loading
 * a kind loads no SDK: `open` does that on first use.
 */
export type ChannelKind<Config = unknown> = {
  readonly kind: string
  /** The platform's name for people. */
  readonly title: string
  readonly renderer: ChannelRenderer
  /** Settings of an account besides those that every account has. */
  readonly config: z.ZodType<Config>
  /** Settings that `parley channels add` asks for. */
  readonly secrets: readonly ChannelSecret[]
  readonly address: AddressRules
  /** Opens an account and keeps it connected until it is closed. Never throws: problems are in its state. */
  open(account: { name: string; config: Config }, parts: OpenParts): OpenAccount
}

export type ChannelSecret = {
  /** Name of the setting. */
  key: string
  /** English where a language is missing: a new language touches no channel. */
  title: { readonly en: string } & Readonly<Partial<Record<Language, string>>>
  /** Environment variables that usually hold it. */
  variables: readonly string[]
  optional?: true
}

export type OpenParts = {
  /** Stores what a polling or socket connection received. It is durable when this resolves; acknowledge it only then. */
  take(inbounds: readonly Inbound[]): Promise<void>
  /**
   * The same for a tap, and waits for its outcome: for a platform that shows the answer on the socket. Absent where an account
   * is opened only to check it.
   */
  takeTap?(inbounds: readonly Inbound[]): Promise<TapVerdict | undefined>
  readFile: ReadFile
  reading: Reading
  cursor: Cursor
  clock: Clock
  log: Log
  /** When aborted, the account stops connecting and reading. With one that is aborted already, `check` and `channel` still work. */
  signal: AbortSignal
  /** Where the platform reaches the webhook of this account; null where the address is not known. */
  publicUrl: string | null
}

/**
 * A short text that an account keeps over restarts: its position in the events of a platform that does not know what was stored.
 * Write it after `take`, never before; the events after an older position are reported again and stored once.
 */
export type Cursor = { read(): Promise<string | null>; write(text: string): Promise<void> }

/** Whether this process reads the updates of accounts: of several processes on one store, one does. */
export type Reading = {
  readonly isOn: boolean
  /** Resolves when `isOn` is as given, or the signal aborts. */
  until(isOn: boolean, signal: AbortSignal): Promise<void>
}

/** Reads a file of this machine. `problem` is a text for people. */
export type ReadFile = (url: string) => Promise<{ bytes: Uint8Array; name: string } | { problem: string }>

/** An account that is connecting, connected, or waiting for a person to fix a problem. */
export type OpenAccount = {
  /** Null until the platform's library is loaded. */
  readonly channel: Channel | null
  readonly receives: 'polling' | 'socket' | 'webhook'
  readonly webhook: 'none' | Webhook
  readonly state: AccountState
  /** Resolves when the account can be written to, or is known not to. */
  readonly ready: Promise<void>
  /** Asks the platform for the name of the account. */
  check(): Promise<Checked>
  close(): Promise<void>
}

export type AccountState = { state: 'connecting' | 'connected' | 'waiting'; account: string | null; problem: string | null }

/** `isPassing`: the platform could not be reached, so the settings are neither right nor wrong. */
export type Checked = { account: string } | { problem: string; isPassing: boolean }

export type Webhook = {
  /**
   * Verifies the raw bytes and decodes them. Challenges and pings get their `answer` at once. The server stores `inbounds`
   * before it calls `answer`; a verdict is there when one of them is a tap and the platform wants the toast in the response.
   */
  receive(request: WebhookRequest): Promise<Received>
}

export type WebhookRequest = {
  method: string
  path: string
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/** `forged` also covers a request that is too old. `unreadable` is genuine and cannot be decoded. */
export type Received =
  | { forged: true }
  | { unreadable: true }
  | { answer: Response }
  | { inbounds: readonly Inbound[]; answer(verdict?: TapVerdict): Response }

/** Outcome of a tap for the person who tapped. */
export type TapVerdict = { toast: string | null }

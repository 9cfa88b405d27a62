import type { Dropped } from '../message/normalise-blocks.ts'
import type { InboundFile, Loss, PlatformRequest, RawInbound, Sender } from './channel.ts'
import type { Caller } from './parley.ts'

/** One connected account, as its owner sees it. */
export type ChannelView = {
  /** Its name in parley.yaml. */
  name: string
  /** Which platform: `telegram`. */
  kind: string
  state: 'connecting' | 'connected' | 'waiting' | 'off'
  /** How it is known over there, such as `@ada_bot`; null while nobody has asked. */
  account: string | null
  receives: 'polling' | 'webhook'
  /** What is wrong and what to do; null while nothing is. */
  problem: string | null
}

/** A delivery as people and programs see it. */
export type DeliveryView = {
  id: string
  channel: string
  address: string
  state: 'waiting' | 'sent' | 'partly-sent' | 'unknown' | 'failed' | 'parked' | 'dismissed'
  text: string
  about: string | null
  plannedAt: number
  parts: { sent: number; total: number | null }
  receipts: { messageId: string; at: number }[]
  losses: Loss[]
  pin: 'none' | 'wanted' | 'pinned' | 'failed'
  tries: number
  /** What is wrong and what a person can do; null while nothing is. */
  error: { message: string; hint: string } | null
}

export type PairingState = 'none' | 'requested' | 'accepted' | 'bound' | 'declined' | 'expired' | 'blocked'

/** Who may write from one address, and where it goes. The code is the owner's to compare with what the stranger says. */
export type PairingView = {
  channel: string
  address: string
  state: PairingState
  dialog: string | null
  pairing: { code: string; from: Sender; text: string; requestedAt: number; expiresAt: number } | null
}

/** Something that came in and that nobody took. */
export type UnclaimedView = { id: string; channel: string; address: string; from: Sender; text: string; why: string; at: number }

/** Which of them. */
export type UnclaimedName = Pick<UnclaimedView, 'channel' | 'address' | 'id'>

/** Where on which account. `channel` is the account's name; it may be left out when there is only one. */
export type Target = { channel?: string | undefined; target: string }

export type SendInput = Target & {
  /** Plain words, in Markdown. */
  message?: string | undefined
  /** Untrusted JSON: it is normalised, and what was left out is told. */
  presentation?: unknown
  delivery?: unknown
  /** Addresses of pictures, sounds, films and files, in their order. */
  media?: string | readonly string[] | undefined
  /** The owner of this machine asks: files of the project may be sent, as `file:` addresses. Never set for an agent. */
  mayUseFiles?: boolean | undefined
  replyTo?: string | undefined
  silent?: boolean | undefined
  /** The dialog this is sent from; somewhere else than its own place, the message says where it comes from. */
  from?: string | undefined
}

export type DrySend = { channel: string; address: string; requests: PlatformRequest[]; text: string; losses: Loss[]; dropped: Dropped[] }

export type Sent = { delivery: DeliveryView; dropped: Dropped[] }

/** What was done at once to a message that is there. Throws ParleyError when the platform said no. */
export type Done = { channel: string; address: string; messageId: string }

/** The chat apps connected to one Parley. Like `Parley`, it throws a ParleyError when something is not allowed. */
export type Messaging = {
  readonly channels: {
    list(): ChannelView[]
    /** Asks the platform who we are; with a target, sends a short message there too. */
    test(channel: string, caller: Caller, target?: string): Promise<{ account: string; delivery: DeliveryView | null }>
  }
  readonly messages: {
    /** Durable when it resolves; `waitMs` waits so long for its outcome. */
    send(input: SendInput, caller: Caller, waitMs?: number): Promise<Sent>
    dryRun(input: SendInput): Promise<DrySend>
    /** The account and address a target stands for. `isOwn`: the tree of the dialog `from` is bound to it. */
    resolve(at: Target, from: string): Promise<{ channel: string; address: string; isOwn: boolean }>
    /** By a delivery, or by the platform's own id of a message of ours. */
    edit(
      which: { delivery: string } | (Target & { messageId: string }),
      input: Pick<SendInput, 'message' | 'presentation'>,
      caller: Caller,
    ): Promise<Sent>
    remove(at: Target & { messageId: string }): Promise<Done>
    react(at: Target & { messageId: string }, emoji: string | null): Promise<Done>
    pin(at: Target & { messageId: string }, notify: boolean): Promise<Done>
    unpin(at: Target & { messageId: string }): Promise<Done>
    /** What Parley pinned there and has not taken down, newest first. */
    pins(at: Target, limit: number): Promise<DeliveryView[]>
  }
  readonly files: {
    /** What somebody sent, by the account and the id that its line in the dialog names. */
    get(channel: string, fileId: string, signal: AbortSignal): Promise<InboundFile>
  }
  readonly deliveries: {
    list(query: {
      state?: DeliveryView['state'] | undefined
      search?: string | undefined
      limit?: number | undefined
      after?: string | undefined
    }): Promise<{ items: DeliveryView[]; next: string | null }>
    get(delivery: string): Promise<DeliveryView>
    /** Whether a stuck one is tried again is a person's decision. */
    retry(delivery: string, caller: Caller): Promise<DeliveryView>
    /** So is that a stuck one is let be. It can still be tried again. */
    dismiss(delivery: string, caller: Caller): Promise<DeliveryView>
  }
  readonly pairings: {
    list(state?: PairingState): Promise<PairingView[]>
    /** By the code the stranger says. */
    accept(code: string, caller: Caller, dialog?: string): Promise<PairingView>
    decline(code: string, caller: Caller): Promise<PairingView>
    block(at: Target, caller: Caller): Promise<PairingView>
    unblock(at: Target, caller: Caller): Promise<PairingView>
    bind(at: Target, dialog: string, caller: Caller): Promise<PairingView>
    unbind(at: Target, caller: Caller): Promise<PairingView>
  }
  unclaimed(): Promise<UnclaimedView[]>
  /** A person saw it and lets it be. */
  dismissUnclaimed(which: UnclaimedName, caller: Caller): Promise<void>
  /** What a platform called us with, as raw bytes. `unknown`: no such account, or it does not use a webhook. */
  webhook(account: string, raw: RawInbound): Promise<'kept' | 'forged' | 'unreadable' | 'unknown'>
}

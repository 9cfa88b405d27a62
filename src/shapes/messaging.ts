import type { z } from 'zod'
import type * as chats from './schemas/chat-responses.ts'
import type { WebhookRequest } from '../ports/channel-kind.ts'
import type { InboundFile } from '../ports/channel.ts'
import type { Caller } from './parley.ts'

/** One connected account, as its owner sees it. */
export type ChannelView = z.infer<typeof chats.channel>

/** A delivery as people and programs see it. */
export type DeliveryView = z.infer<typeof chats.delivery>

export type PairingState = PairingView['state']

/** Permission of one address to write, and the dialog it is bound to. The owner compares the code with the one the stranger names. */
export type PairingView = z.infer<typeof chats.pairing>

/** A received message that no dialog or plugin took. */
export type UnclaimedView = z.infer<typeof chats.unclaimed>

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
  /** The one person of a group who sees it, by the id of the platform. */
  onlyFor?: string | undefined
  /** The dialog this is sent from; somewhere else than its own place, the message says where it comes from. */
  from?: string | undefined
}

/** A poll and where it goes. */
export type PollInput = Target & {
  poll: { question: string; options: readonly string[]; isMultiple?: boolean; isAnonymous?: boolean; openForMs?: number }
  pin?: boolean | undefined
  silent?: boolean | undefined
  replyTo?: string | undefined
}

/** A message of a chat, by anyone, as the platform has it now. */
export type FoundMessageView = z.infer<typeof chats.foundMessage>

export type FoundReactionView = z.infer<typeof chats.foundReaction>

export type DrySend = z.infer<typeof chats.drySend>

/** One message as each kind of channel would get it. */
export type PreviewView = z.infer<typeof chats.preview>

export type Sent = z.infer<typeof chats.sent>

/** An immediate change of an existing message. A refusal of the platform is thrown as ParleyError. */
export type Done = z.infer<typeof chats.done>

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
    /** Sent like a message; a platform without polls is refused. */
    poll(input: PollInput, caller: Caller, waitMs?: number): Promise<Sent>
    /**
     * The account and address a target stands for. `isOwn`: the tree of the dialog `from` is bound to it. `isUnresolved`: it may
     * be another spelling of an address that is not known.
     */
    resolve(at: Target, from: string): Promise<{ channel: string; address: string; isOwn: boolean; isUnresolved?: true }>
    /** By a delivery, or by the platform's own id of a message of ours. */
    edit(
      which: { delivery: string } | (Target & { messageId: string }),
      input: Pick<SendInput, 'message' | 'presentation'>,
      caller: Caller,
      waitMs?: number,
    ): Promise<Sent>
    remove(at: Target & { messageId: string }): Promise<Done>
    react(at: Target & { messageId: string }, emoji: string | null): Promise<Done>
    pin(at: Target & { messageId: string }, notify: boolean): Promise<Done>
    unpin(at: Target & { messageId: string }): Promise<Done>
    /** Messages that Parley pinned there, newest first. */
    pins(at: Target, limit: number): Promise<DeliveryView[]>
    /** Messages of a chat, the newest first: those before `before`, or `messageId` alone. Asked of the platform. */
    read(at: Target & { limit: number; before?: string | undefined; messageId?: string | undefined }): Promise<FoundMessageView[]>
    reactions(at: Target & { messageId: string }): Promise<FoundReactionView[]>
  }
  readonly files: {
    /** A received file, by account and the id named in the dialog. */
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
    /** A person decides whether a stuck delivery is retried. */
    retry(delivery: string, caller: Caller): Promise<DeliveryView>
    /** A person saw that an unconfirmed one arrived. Nothing is sent again. */
    confirm(delivery: string, caller: Caller): Promise<DeliveryView>
    /** A person dismisses a stuck one. It can still be retried. */
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
  /** Handles a webhook call of a platform. `unknown`: no such account, or it does not use a webhook. */
  webhook(account: string, request: WebhookRequest): Promise<Response | 'forged' | 'unreadable' | 'unknown'>
}

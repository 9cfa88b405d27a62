import type { Participant } from '../dialog/events.ts'
import type { Details, ErrorCode } from '../errors.ts'
import type { MessagePresentationAction } from '../message/presentation.ts'
import type { Channel, Inbound, Sender } from '../ports/channel.ts'
import type { Caller } from '../ports/parley.ts'
import type { InboundMessage } from './binding-events.ts'
import type { Admission } from './decide-binding.ts'

export type InboundTap = Extract<Inbound, { type: 'tap' }>

/** A tap that counts, with everything that is known about its control. `caller` carries its once-only name. */
export type Tapped = {
  channel: string
  address: string
  messageId: string
  by: Sender
  label: string
  delivery: string
  about: string | null
  dialog: string | null
  caller: Caller
}

/** A control as the outbox knows it. */
export type TappableControl = {
  delivery: string
  channel: string
  address: string
  about: string | null
  mayTap: 'anyone' | readonly string[]
  value: string
  label: string
  isReusable: boolean
  expiresAt: number
}

/** What taking in needs of the rest of Parley. Each may be asked twice for the same thing and must then do it once: `caller.once`. */
export type InboundPorts = {
  /** What the owner's lists say about whoever wrote or tapped. */
  admit(channel: string, inbound: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Admission
  /** The person behind a message or a tap, with the role they have now. Never decided by a name. */
  identify(channel: string, inbound: Pick<Inbound, 'from' | 'address' | 'isPrivate'>): Participant
  /** Opens the dialog an address talks to from now on. */
  openDialog(where: { channel: string; address: string; from: Sender }, caller: Caller): Promise<string>
  say(dialog: string, text: string, caller: Caller, inbound: InboundMessage | null): Promise<void>
  /**
   * The same at once, for a message that needs no waiting. False: it is not that simple, and it is kept to be handed on.
   * Under the same name as `say`, so whichever came first counts.
   */
  sayNow?(dialog: string, text: string, caller: Caller, inbound: InboundMessage): Promise<boolean>
  /** Whether this was said under that name already. */
  wasSaid?(caller: Caller): Promise<boolean>
  /** Words to an address, once for each name. */
  tell(where: { channel: string; address: string }, text: string, once: string): Promise<void>
  /** The owner is asked whether somebody may write here, once for each request. */
  askOwner?(request: { stream: string; channel: string; from: Sender; code: string; text: string; requestedAt: number }): Promise<void>
  /** Told before a message is kept; neither is acknowledged before both are done. */
  beforeKept?(channel: string, inbound: InboundMessage): Promise<void>
  answerQuestion(question: string, option: string, tapped: Tapped): Promise<void>
  /** True when somebody took it; otherwise it is said in the dialog that sent it or else that of the place, or lies in the inbox. */
  onCallback(value: string, tapped: Tapped): Promise<boolean>
  /** Somebody decided about something that asked for leave. */
  onDecision(decided: Extract<MessagePresentationAction, { type: 'approval' }>, tapped: Tapped): Promise<void>
  controls: {
    find(token: string): Promise<TappableControl | null>
    use(
      control: TappableControl,
      tap: { tap: string; token: string; messageId: string; by: string; byName: string },
    ): Promise<{ ok: true } | { ok: false; code: ErrorCode; details: Details }>
  }
  /** Why this person may not decide this, in their words; null when they may. Asked before the control is used up. */
  mayNotDecide?(action: MessagePresentationAction, tapped: Tapped): Promise<string | null>
  /** What the person who tapped is told instead of the label of the button; null for that. */
  toastFor?(action: MessagePresentationAction, tapped: Tapped): string | null
  /** Before the toast: why this tap cannot count any more, in words for whoever tapped; null when it can. Must be quick. */
  whyNot?(action: MessagePresentationAction, tapped: Tapped): Promise<string | null>
  /** Data that carries no token of ours, such as a plugin's own signed one. Null: nobody knows it. */
  claimTap?(channel: Channel, tap: InboundTap): Promise<{ toast: string | null; act(): Promise<void> } | null>
}

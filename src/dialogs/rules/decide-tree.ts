import type { Cause } from '../../authority/cause.ts'
import { refuse } from '../../errors.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogState } from './dialog-state.ts'
import type { ReplyStatus } from './prompt/prompt-items.ts'
import { type ReplyOutcome, tellaskLimits, type TellaskMode } from './tellask.ts'
import { getCause } from './turn-cause.ts'

/** Sent between the dialogs of one tree, in one commit with the generation that caused them. */
export type TreeCommand =
  | {
      type: 'make-tellask'
      tellask: string
      call: string
      mode: TellaskMode
      to: string
      agent: string
      session: string | null
      content: string
    }
  | {
      type: 'receive-tellask'
      tellask: string
      mode: TellaskMode
      from: string
      by: string
      session: string | null
      content: string
      about: string | null
      cause?: Cause
    }
  | { type: 'give-reply'; tellask: string; text: string; status?: ReplyStatus }
  | { type: 'receive-reply'; tellask: string; outcome: ReplyOutcome; text: string; status?: ReplyStatus; cause?: Cause }
  | { type: 'register-session'; agent: string; session: string; dialog: string }
  | { type: 'drop-session'; agent: string; session: string }

type Command<Type extends TreeCommand['type']> = Timed<Extract<TreeCommand, { type: Type }>>

export const treeDeciders: Deciders<TreeCommand> = {
  'make-tellask': makeTellask,
  'receive-tellask': receiveTellask,
  'give-reply': (state, { at, tellask, text, status }) =>
    state.assignments.some((each) => each.tellask === tellask && each.isActive)
      ? { events: [{ type: 'reply.given', at, data: { tellask, text, ...(status && { status }) } }] }
      : refuse('turn_over'),
  'receive-reply': (state, { at, tellask, outcome, text, status, cause }) => ({
    events: state.pending[tellask]
      ? [{ type: 'reply.received', at, data: { tellask, outcome, text, ...(status && { status }), ...(cause && { cause }) } }]
      : [],
  }),
  'register-session': (_state, { at, agent, session, dialog }) => ({
    events: [{ type: 'session.registered', at, data: { agent, session, dialog } }],
  }),
  'drop-session': (_state, { at, agent, session }) => ({ events: [{ type: 'session.dropped', at, data: { agent, session } }] }),
}

function makeTellask(state: DialogState, command: Command<'make-tellask'>): Decision {
  const { at, tellask, call, mode, to, agent, session, content } = command
  if (state.pending[tellask]) return refuse('turn_over')
  if (Object.keys(state.pending).length >= tellaskLimits.pending) return refuse('too_many_waiting', { count: tellaskLimits.pending })
  return { events: [{ type: 'tellask.made', at, data: { tellask, call, mode, to, agent, session, content, cause: getCause(state) } }] }
}

function receiveTellask(state: DialogState, command: Command<'receive-tellask'>): Decision {
  const { at, tellask, mode, from, by, session, content, about, cause } = command
  if (state.assignments.length >= tellaskLimits.waiting) return refuse('too_many_waiting', { count: tellaskLimits.waiting })
  const data = { tellask, mode, from, by, session, content, about, ...(cause === undefined ? {} : { cause }) }
  return { events: [{ type: 'tellask.received', at, data }] }
}

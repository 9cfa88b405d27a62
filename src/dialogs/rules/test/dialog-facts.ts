import { deciderSpecification } from '../../../testing/decider-specification.ts'
import type { Approval } from '../approval.ts'
import { decideDialog } from '../decide-dialog.ts'
import type { DialogEvent, Participant } from '../dialog-events.ts'
import { type DialogState, initialDialog } from '../dialog-state.ts'
import { evolveDialog } from '../evolve-dialog.ts'
import type { LimitFacts } from '../limit-facts.ts'

type Data<Type extends DialogEvent['type']> = Extract<DialogEvent, { type: Type }>['data']

export const { given } = deciderSpecification({ initial: initialDialog, decide: decideDialog, evolve: evolveDialog })

export const fold = (...events: DialogEvent[]): DialogState => events.reduce(evolveDialog, initialDialog)

export const owner: Participant = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }
export const operator: Participant = { kind: 'human', name: 'bob', id: 'person:bob', role: 'operator' }
export const guest: Participant = { kind: 'human', name: 'Kim', id: 'telegram:kim', role: 'guest' }
export const agent: Participant = { kind: 'agent', name: 'ada' }
export const runtime: Participant = { kind: 'agent', name: 'parley' }

/** An event whose data is filled in where a test does not care. */
export const opened = (data: Partial<Data<'dialog.opened'>> = {}): DialogEvent => ({
  type: 'dialog.opened',
  at: 1,
  data: { agent: 'ada', by: owner, language: 'en', ...data },
})
export const openedAside = (): DialogEvent =>
  opened({ by: agent, origin: { root: 'd1', parent: 'd1', mode: 'session', session: 's', depth: 1 } })
export const said = (data: Partial<Data<'message.said'>> = {}, at = 2): DialogEvent => ({
  type: 'message.said',
  at,
  data: { message: 'm1', by: owner, text: 'hi', turn: null, via: 'web', ...data },
})
export const started = (turn = 1, more: Partial<Data<'turn.started'>> = {}, at = 3): DialogEvent => ({
  type: 'turn.started',
  at,
  data: { turn, ...more },
})
export const called = (call: string, data: Partial<Data<'tool.called'>> = {}): DialogEvent => ({
  type: 'tool.called',
  at: 4,
  data: { call, turn: 1, name: 'act', input: {}, policy: 'repeat', ...data },
})
export const asked = (question: string, data: Partial<Data<'question.asked'>> = {}): DialogEvent => ({
  type: 'question.asked',
  at: 5,
  data: {
    question,
    turn: 1,
    call: null,
    by: agent,
    ask: { text: 'Which?', items: [{ id: 'name', text: 'Name?', kind: 'text' }] },
    expiresAt: null,
    audience: { kind: 'owner' },
    ...data,
  },
})
export const finished = (seen: number, turn = 1): DialogEvent => ({ type: 'turn.finished', at: 6, data: { turn, seen } })
export const failed = (data: Partial<Data<'turn.failed'>> = {}): DialogEvent => ({
  type: 'turn.failed',
  at: 6,
  data: { turn: 1, code: 'model_unreachable', details: {}, ...data },
})
export const tellaskMade = (tellask: string, call = 'c1', more: Partial<Data<'tellask.made'>> = {}): DialogEvent => ({
  type: 'tellask.made',
  at: 5,
  data: { tellask, call, mode: 'session', to: 'd2', agent: 'bob', session: 's', content: 'Do it', ...more },
})
export const tellaskReceived = (tellask: string, more: Partial<Data<'tellask.received'>> = {}): DialogEvent => ({
  type: 'tellask.received',
  at: 5,
  data: { tellask, mode: 'session', from: 'd1', by: 'ada', session: 's', content: 'Do it', about: null, ...more },
})

export const budget: LimitFacts = { kind: 'budget', scope: 'dialog', key: 'k', unit: 'tokens', limit: 10, spent: 11 }
export const generations: LimitFacts = { kind: 'generations', limit: 5 }

export const approval: Approval = {
  tool: 'act',
  toolHash: 'h',
  inputHash: 'i',
  role: 'owner',
  names: ['mia'],
  shown: { kind: 'tool', target: 'act', server: '', text: '{}', facts: [] },
  because: '',
  subjects: [],
  proposals: [],
  approvers: [],
  bound: {},
  keys: 1,
  onceOnly: false,
  irreversible: false,
}

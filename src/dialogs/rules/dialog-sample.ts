import { type DialogState, initialDialog, type OpenQuestion } from './dialog-state.ts'
import type { Arrival } from './prompt/prompt-items.ts'
import type { OpenPromptCall } from './prompt/prompt-list.ts'
import type { PromptState } from './prompt/prompt-state.ts'

const author = { id: 'person:mia', name: 'mia', role: 'owner' as const }

const cause = { by: [author], role: 'owner' as const, origin: 'message' as const }

const question: OpenQuestion = {
  question: 'q1',
  turn: 1,
  call: 'c1',
  ask: { text: 'Which?', items: [{ id: 'name', text: 'Name', kind: 'text' }] },
  by: { kind: 'agent', name: 'ada' },
  askedAt: 1,
  seq: 1,
  expiresAt: 1,
  purpose: 'approval',
  audience: { kind: 'authors', ids: ['person:mia'] },
  audienceNames: ['mia'],
  cause,
  approval: {
    keys: 1,
    approvers: ['mia'],
    onceOnly: false,
    irreversible: false,
    tool: 'pay',
    toolHash: '',
    inputHash: '',
    role: 'owner',
    names: ['mia'],
    shown: { kind: 'tool', target: 'pay', server: '', text: '', facts: [{ label: '', value: '' }] },
    because: '',
    subjects: [],
    proposals: [],
    bound: { file: 'hash' },
  },
  limit: { kind: 'budget', scope: 'dialog', key: 'dialog dlg_1', unit: 'tokens', limit: 1, spent: 1 },
  keysGiven: [author],
  refusedIds: ['person:eve'],
}

const message: Arrival = { kind: 'message', from: 'mia', text: '', at: 1, offset: 0 }

const request = { kind: 'request' as const, handle: 'r1', from: 'ada', session: 'work', text: '', isReasoning: false, at: 1, offset: 0 }

const openCall: OpenPromptCall = {
  call: 'c1',
  tool: 'tellask',
  handle: 't1',
  madeAt: 1,
  waiting: { seq: 1, on: { for: 'request', agent: 'bob' } },
  session: 'work',
  text: '',
  course: 1,
  end: { seq: 1, at: 1, offset: 0, settlement: { is: 'result', ok: true, text: '' } },
}

const prompt: PromptState = {
  list: {
    items: [{ kind: 'output', parts: [{ type: 'words', text: '' }] }],
    lastCalls: [openCall],
    olderCalls: [openCall],
    arrivals: [{ seq: 1, arrival: message }],
    notes: [{ seq: 1, at: 1, offset: 0, note: { kind: 'compacted' } }],
    counts: { t: 1, q: 0, o: 0, r: 1, b: 0 },
    outputAt: 1,
    factAt: 1,
    factOffset: 0,
    fixedSeen: 1,
    course: 1,
    epoch: 1,
    resultChars: 1,
    isSide: true,
    openRequests: [{ id: 'ask1', arrival: request }],
    cutOutputs: { o1: 1 },
    sentItems: 1,
    firstMessage: message,
    lastMessages: [message],
  },
  epoch: { system: '', tools: [{ name: 'pay', description: '', inputSchema: {} }], team: [{ name: 'bob', about: '' }], maker: '' },
  output: { seen: 1, at: 1, seq: 1, parts: [{ type: 'words', chars: 1 }], text: '', calls: { c1: { name: 'pay', input: {} } } },
  counted: { tokens: 1, items: 1 },
  generations: 1,
  isForced: false,
  compactions: 0,
  cautionAt: 1,
  criticalLeft: 1,
  courseDue: 'person',
  gone: [''],
  sections: { goals: '' },
  haltedAt: 1,
}

/** A state in which every list and record has an entry: its shape is the version of snapshots. The compiler keeps it complete. */
export const dialogSample: DialogState = {
  ...initialDialog,
  titledBy: 'human',
  latch: { by: 'mia', via: 'web', at: 1 },
  held: { by: 'mia', dialog: 'dlg', at: 1 },
  turn: { turn: 1, startedAt: 1, generations: 1, seen: 1, generatedSeq: 1, failures: 0, alone: { by: 'mia', dialog: 'dlg' } },
  failure: { code: 'busy', details: {}, at: 1, retryAt: 1, isFinal: true, replyDueAt: 1, isTold: true, isGivenUp: true },
  questions: { q1: question },
  undoable: {
    q1: {
      asked: question,
      end: { outcome: 'answered', at: 1, by: 'mia', via: 'web', answers: { name: 'Nori' }, reason: '' },
      by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' },
      until: 1,
    },
  },
  closed: {
    q1: {
      asked: question,
      end: { outcome: 'answered', at: 1, by: 'mia', via: 'web', answers: { name: 'Nori' }, reason: '', why: 'covered' },
    },
  },
  calls: { c1: { call: 'c1', turn: 1, name: 'pay', input: {}, policy: 'ask', question: 'q1', cause } },
  origin: { root: 'dlg', parent: 'dlg', mode: 'session', session: 'work', depth: 1 },
  retired: {
    file: 'dlg',
    root: 'dlg',
    events: 1,
    agent: 'ada',
    title: '',
    language: 'en',
    openedAt: 1,
    updatedAt: 1,
    origin: { root: 'dlg', parent: 'dlg', mode: 'session', session: 'work', depth: 1 },
    spent: { tokens: 1, money: 1 },
    isDead: true,
    isArchived: true,
  },
  isDeleted: true,
  taskdoc: '',
  model: '',
  taskdocChange: '',
  pending: {
    t1: { tellask: 't1', call: 'c1', mode: 'session', to: 'dlg', agent: 'ada', session: 'work', content: '', course: 1, at: 1, seq: 1 },
  },
  partReplies: { c1: [{ ok: true, text: '' }] },
  assignments: [{ tellask: 't1', mode: 'session', from: 'dlg', by: 'ada', session: 'work', content: '', at: 1, seq: 1, isActive: true }],
  sessions: { 'ada!work': 'dlg' },
  reminders: [{ reminder: 'r1', text: '' }],
  shown: [{ message: 'm1', seq: 1, used: { by: 'mia', at: 1 } }],
  inputAuthors: [author],
  writers: [author],
  cause,
  grants: [
    {
      grant: 'g1',
      agent: 'ada',
      tool: 'pay',
      toolHash: '',
      scope: '',
      role: 'owner',
      author: 'person:mia',
      dialog: 'dlg',
      until: 1,
      scripts: { file: 'hash' },
      by: { kind: 'human', name: 'mia' },
      via: 'web',
      madeAt: 1,
      question: 'q1',
      end: { at: 1, by: 'mia', why: 'revoked' },
    },
  ],
  crashes: [1],
  prompt,
  reply: {
    words: [{ text: '', isToPerson: false }],
    wordChars: 0,
    nudgedAt: 1,
    nudgedBacks: ['ask1'],
    wasRefusedForText: false,
    toldSeq: 1,
    untoldSeq: 1,
    givenSeq: 1,
  },
  context: [{ seq: 1, kind: 'call', call: 'c1', name: 'pay', input: {}, result: { ok: true, output: '' } }],
}

import fc from 'fast-check'
import type { NoteCommand } from '../../dialogs/rules/decide-talk.ts'
import { decideDialog, type DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { Origin } from '../../dialogs/rules/dialog-events.ts'
import { evolveDialog } from '../../dialogs/rules/evolve-dialog.ts'
import { type DialogState, initialDialog } from '../../dialogs/rules/dialog-state.ts'
import type { DialogEvent, EventView } from '../../shapes/wire.ts'

export const you = { kind: 'human', name: 'you' } as const

export const ask = {
  text: 'Which?',
  items: [
    {
      id: 'a',
      text: 'A',
      kind: 'choice' as const,
      options: [
        { value: 'x', label: 'X' },
        { value: 'y', label: 'Y' },
      ],
    },
  ],
}

type Maker<Type extends DialogCommand['type']> = (n: number, state: DialogState) => Extract<DialogCommand, { type: Type }>

const by = you
const usage = { inputTokens: null, outputTokens: null }
const generation = (n: number) =>
  ({ type: 'finish-generation', at: n, model: null, usage, message: null, calls: [], questions: [] }) satisfies DialogCommand
const fault = { code: 'model_stalled', details: { seconds: 3 } } as const
const hold = { by: 'you', dialog: 'r' }
const first = (record: object): string => Object.keys(record)[0] ?? 'none'
const before = ({ seq }: DialogState): number => Math.max(0, seq - 2)
const request = { to: 'd1', agent: 'bob', session: null }

/**
 * Named steps for every command; a command without one does not compile. Of notes, which all views show alike, the title is enough. Numbers, ids and times come from the place of the step
 * in the list.
 */
const makers = {
  'open-dialog': { 'open-again': (n) => ({ type: 'open-dialog', at: n, agent: 'ada', by, language: 'en' }) },
  say: {
    say: (n) => ({ type: 'say', at: n, message: `m${n}`, text: `words ${n}`, by }),
    'build-says': (n) => ({ type: 'say', at: n, message: `m${n}`, text: `words ${n}`, by, via: 'build' }),
  },
  'tap-control': {
    tap: (n, { shown }) => ({
      type: 'tap-control',
      at: n,
      message: `m${n}`,
      of: shown.at(-1)?.message ?? 'none',
      value: 'v',
      text: 'Go',
      isReusable: false,
      by,
    }),
    'tap-again': (n, { shown }) => ({
      type: 'tap-control',
      at: n,
      message: `m${n}`,
      of: shown.at(0)?.message ?? 'none',
      value: 'v',
      text: 'Go',
      isReusable: true,
      by,
    }),
  },
  'title-dialog': { title: (n) => ({ type: 'title-dialog', at: n, title: `title ${n}`, by: 'human' }) },
  'start-turn': {
    start: (n) => ({ type: 'start-turn', at: n }),
    'start-alone': (n) => ({ type: 'start-turn', at: n, alone: hold }),
  },
  'finish-generation': {
    reply: (n) => ({ ...generation(n), message: { id: `m${n}`, text: `reply ${n}` } }),
    show: (n) => ({
      ...generation(n),
      message: { id: `m${n}`, text: `card ${n}`, shown: { words: '', presentation: { title: `card ${n}`, blocks: [] } } },
    }),
    ask: (n) => ({ ...generation(n), questions: [{ question: `q${n}`, call: null, ask, expiresAt: null }] }),
    tool: (n) => ({ ...generation(n), calls: [{ call: `c${n}`, name: 'look', input: n, policy: 'repeat' }] }),
  },
  'fail-generation': { 'fail-try': (n) => ({ type: 'fail-generation', at: n, ...fault, retryAt: n + 1 }) },
  'ask-question': {
    'ask-later': (n) => ({ type: 'ask-question', at: n, asked: { question: `q${n}`, call: null, ask, expiresAt: n + 9 } }),
  },
  'start-tool': { 'start-tool': (n, { calls }) => ({ type: 'start-tool', at: n, call: first(calls) }) },
  'return-tool': {
    return: (n, { calls }) => ({ type: 'return-tool', at: n, call: first(calls), ok: n % 2 === 0, output: n }),
  },
  'finish-turn': { finish: (n, { seq }) => ({ type: 'finish-turn', at: n, seen: seq }) },
  'fail-turn': {
    fail: (n) => ({ type: 'fail-turn', at: n, ...fault }),
    'fail-seen': (n, state) => ({ type: 'fail-turn', at: n, ...fault, seen: before(state) }),
  },
  'cut-turn': { crash: (n) => ({ type: 'cut-turn', at: n, why: 'crash' }) },
  'stop-turn': {
    stop: (n) => ({ type: 'stop-turn', at: n, text: null }),
    'stop-with-text': (n) => ({ type: 'stop-turn', at: n, text: `half ${n}` }),
    'stop-held': (n, state) => ({ type: 'stop-turn', at: n, text: null, seen: before(state), held: hold }),
  },
  'request-stop': { 'request-stop': (n) => ({ type: 'request-stop', at: n, by }) },
  'latch-dialog': { latch: (n) => ({ type: 'latch-dialog', at: n, by }) },
  'lift-stop': { lift: (n) => ({ type: 'lift-stop', at: n, by }) },
  'hold-dialog': { hold: (n) => ({ type: 'hold-dialog', at: n, hold }) },
  'continue-dialog': { continue: (n) => ({ type: 'continue-dialog', at: n, by }) },
  'answer-question': {
    answer: (n, { questions }) => ({ type: 'answer-question', at: n, question: first(questions), answers: { a: 'x' }, by }),
    'answer-undoably': (n, { questions }) => ({
      type: 'answer-question',
      at: n,
      question: first(questions),
      answers: { a: 'x' },
      by,
      undoMs: 60_000,
    }),
  },
  'withdraw-answer': { 'withdraw-answer': (n, { undoable }) => ({ type: 'withdraw-answer', at: n, question: first(undoable), by }) },
  'take-answer': { 'take-answer': (n, { undoable }) => ({ type: 'take-answer', at: n, question: first(undoable) }) },
  'decline-question': { decline: (n, { questions }) => ({ type: 'decline-question', at: n, question: first(questions), by }) },
  'refuse-answer': { 'refuse-answer': (n, { questions }) => ({ type: 'refuse-answer', at: n, question: first(questions), by }) },
  'cancel-question': { cancel: (n, { questions }) => ({ type: 'cancel-question', at: n, question: first(questions), by }) },
  'expire-question': { expire: (n, { questions }) => ({ type: 'expire-question', at: n, question: first(questions) }) },
  'settle-approval': { settle: (n, { questions }) => ({ type: 'settle-approval', at: n, question: first(questions) }) },
  'withdraw-approvals': { withdraw: (n) => ({ type: 'withdraw-approvals', at: n, by }) },
  'end-grant': { 'end-grant': (n, { grants }) => ({ type: 'end-grant', at: n, grant: grants[0]?.grant ?? 'none', by, why: 'revoked' }) },
  'retire-dialog': {
    retire: (n, { seq }) => ({ type: 'retire-dialog', at: n, file: `f${n}`, root: 'd1', events: n % 7 === 0 ? seq : 0 }),
  },
  'delete-dialog': {
    delete: (n, { seq }) => ({ type: 'delete-dialog', at: n, root: 'd1', events: n % 11 === 0 ? seq : 0, files: [], by }),
  },
  'trust-dialog': { trust: (n, { seq }) => ({ type: 'trust-dialog', at: n, by, upTo: seq }) },
  'notice-budget': { 'notice-budget': (n) => ({ type: 'notice-budget', at: n, key: 'owner', limit: n, percent: 80 }) },
  'read-taskdoc': { 'read-taskdoc': (n) => ({ type: 'read-taskdoc', at: n, role: 'member', change: `h${n}` }) },
  'make-tellask': {
    tellask: (n) => ({ type: 'make-tellask', at: n, tellask: `a${n}`, call: `c${n}`, mode: 'fresh', ...request, content: 'work' }),
    reason: (n) => ({ type: 'make-tellask', at: n, tellask: `a${n}`, call: `r${n >> 3}`, mode: 'reasoning', ...request, content: 'think' }),
  },
  'receive-reply': {
    'got-reply': (n, { pending }) => {
      const open = Object.keys(pending)
      const tellask = open[n % Math.max(1, open.length)] ?? 'none'
      return { type: 'receive-reply', at: n, tellask, outcome: n % 3 === 0 ? 'dead' : 'replied', text: 'here' }
    },
  },
  'receive-tellask': {
    assigned: (n) => ({ ...receive(n), mode: 'session', session: 's' }),
    'asked-back': (n) => ({ ...receive(n), mode: 'back', session: null }),
  },
  'give-reply': {
    'give-reply': (n, { assignments }) => {
      const active = assignments.filter(({ isActive }) => isActive)
      return { type: 'give-reply', at: n, tellask: active[n % Math.max(1, active.length)]?.tellask ?? 'none', text: 'done' }
    },
  },
  'branch-dialog': {
    branch: (n) => ({
      type: 'branch-dialog',
      at: n,
      from: 'd2',
      message: `m${n}`,
      messages: [{ message: `b${n}`, by, text: 'earlier', at: n }],
      floor: 'owner',
      writers: [],
      by,
    }),
  },
  'clear-mind': { clear: (n) => ({ type: 'clear-mind', at: n, why: 'asked', prompt: 'go on' }) },
  'request-course': { 'fresh-start': (n) => ({ type: 'request-course', at: n, by }) },
  'start-course': {
    course: (n) => ({ type: 'start-course', at: n, why: 'forced', offset: 0, snapshot: { memories: null, taskdoc: null, reminders: [] } }),
  },
  'start-epoch': {
    epoch: (n) => ({
      type: 'start-epoch',
      at: n,
      epoch: { why: 'course', system: 's', tools: [], team: [], maker: 'm', resultChars: 8_000, offset: 0 },
    }),
  },
  'compact-prompt': { compact: (n) => ({ type: 'compact-prompt', at: n, cut: { keepOutputs: 10, longestChars: 400, most: 1 } }) },
  'note-prompt': { note: (n) => ({ type: 'note-prompt', at: n, notes: [{ kind: 'diligence' }] }) },
  'tell-prompt': { tell: (n) => ({ type: 'tell-prompt', at: n, told: { block: 'plugin', name: null, text: 'news' } }) },
  'start-generation': { send: (n) => ({ type: 'start-generation', at: n }) },
  'add-prompt': { push: (n) => ({ type: 'add-prompt', at: n, why: 'diligence', text: 'is it done?' }) },
  'add-reminder': { remind: (n) => ({ type: 'add-reminder', at: n, reminder: `n${n}`, text: 'note' }) },
  'update-reminder': { 'change-reminder': (n) => ({ type: 'update-reminder', at: n, number: 1, text: `note ${n}` }) },
  'delete-reminder': { forget: (n) => ({ type: 'delete-reminder', at: n, number: 1 }) },
  'register-session': { register: (n) => ({ type: 'register-session', at: n, agent: 'bob', session: 's', dialog: 'd1' }) },
  'drop-session': { drop: (n) => ({ type: 'drop-session', at: n, agent: 'bob', session: 's' }) },
  'settle-failure': { 'settle-failure': (n) => ({ type: 'settle-failure', at: n, why: 'timeout' }) },
  'declare-dead': { die: (n) => ({ type: 'declare-dead', at: n, by }) },
} satisfies { [Type in Exclude<DialogCommand['type'], NoteCommand['type']> | 'title-dialog']: Record<string, Maker<Type>> }

const receive = (n: number) =>
  ({ type: 'receive-tellask', at: n, tellask: `b${n}`, from: 'p', by: 'cy', content: 'please', about: null }) as const

type Groups = typeof makers
/** The name of one step. */
export type Step = { [Type in keyof Groups]: keyof Groups[Type] & string }[keyof Groups]

const weights: Partial<Record<Step, number>> = { die: 1, latch: 14, tellask: 14, 'got-reply': 14, 'give-reply': 14 }

const makersByStep = Object.assign({}, ...Object.values(makers)) as Record<Step, Maker<DialogCommand['type']>>
const steps = Object.keys(makersByStep) as Step[]

/** Nothing happens after a death, so it is drawn seldom; what needs a step before it is drawn more often. */
const step: fc.Arbitrary<Step> = fc.oneof(
  ...steps.map((arbitrary) => ({ weight: weights[arbitrary] ?? 7, arbitrary: fc.constant(arbitrary) })),
)

const numbered = (events: readonly DialogEvent[], from = 0): EventView[] =>
  events.map((event, index) => ({ ...event, stream: 'd', seq: from + index + 1, position: from + index + 1 }))

/** Only histories the rules allow, and the state after each event. */
export function getHistory(path: readonly Step[], side: Origin | null = null): { events: EventView[]; states: DialogState[] } {
  let state = initialDialog
  const events: DialogEvent[] = []
  const states: DialogState[] = []
  const apply = (command: DialogCommand): void => {
    const decided = decideDialog(state, command)
    if ('refused' in decided) return
    for (const event of decided.events) {
      state = evolveDialog(state, event)
      events.push(event)
      states.push(state)
    }
  }
  apply({ type: 'open-dialog', at: 0, agent: 'ada', by: you, language: 'en', ...(side ? { origin: side } : {}) })
  path.forEach((name, index) => apply(makersByStep[name](index + 1, state)))
  return { events: numbered(events), states }
}

export const origin: Origin = { root: 'r', parent: 'p', mode: 'session', session: 's' }

export const history = fc
  .tuple(fc.array(step, { maxLength: 60 }), fc.boolean())
  .map(([path, isSide]) => getHistory(path, isSide ? origin : null))

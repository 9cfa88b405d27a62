import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decide, type DialogCommand } from '../dialog/decide.ts'
import type { Origin } from '../dialog/events.ts'
import { evolve } from '../dialog/evolve.ts'
import { type DialogState, initialDialog, statusOf } from '../dialog/state.ts'
import {
  type DialogView,
  emptyView,
  viewOf,
  viewOfAll,
  withDelta,
  withoutQueued,
  withQueued,
  withRefused,
  withSent,
} from './dialog-view.ts'
import type { DeltaView, DialogEvent, EventView } from './wire.ts'

const you = { kind: 'human', name: 'you' } as const

const ask = {
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

/** A wish without its ids, which come from its place in the list. */
const wish = fc.constantFrom(
  'say',
  'title',
  'start',
  'reply',
  'ask',
  'tool',
  'return',
  'fail-try',
  'finish',
  'fail',
  'request-stop',
  'latch',
  'latch',
  'lift',
  'hold',
  'start-alone',
  'fail-seen',
  'stop-held',
  'build-says',
  'stop',
  'stop-with-text',
  'continue',
  'answer',
  'decline',
  'cancel',
  'expire',
  'tellask',
  'tellask',
  'reason',
  'got-reply',
  'got-reply',
  'assigned',
  'asked-back',
  'give-reply',
  'give-reply',
  'clear',
  'push',
  'remind',
  'register',
  'drop',
  'die',
)

function commandFor(kind: string, n: number, state: DialogState): DialogCommand {
  const question = Object.keys(state.questions)[0] ?? 'none'
  const usage = { inputTokens: null, outputTokens: null }
  const finish: Extract<DialogCommand, { type: 'finish-generation' }> = {
    type: 'finish-generation',
    at: n,
    model: null,
    usage,
    message: null,
    calls: [],
    questions: [],
  }
  switch (kind) {
    case 'say':
      return { type: 'say', at: n, message: `m${n}`, text: `words ${n}`, by: you }
    case 'title':
      return { type: 'title-dialog', at: n, title: `title ${n}`, by: 'human' }
    case 'build-says':
      return { type: 'say', at: n, message: `m${n}`, text: `words ${n}`, by: you, via: 'build' }
    case 'start':
      return { type: 'start-turn', at: n }
    case 'start-alone':
      return { type: 'start-turn', at: n, alone: { by: 'you', dialog: 'r' } }
    case 'hold':
      return { type: 'hold-dialog', at: n, hold: { by: 'you', dialog: 'r' } }
    case 'latch':
      return { type: 'latch-dialog', at: n, by: you }
    case 'lift':
      return { type: 'lift-stop', at: n, by: you }
    case 'fail-seen':
      return { type: 'fail-turn', at: n, code: 'model_stalled', details: { seconds: 3 }, seen: Math.max(0, state.seq - 2) }
    case 'stop-held':
      return { type: 'stop-turn', at: n, text: null, seen: Math.max(0, state.seq - 2), held: { by: 'you', dialog: 'r' } }
    case 'reply':
      return { ...finish, message: { id: `m${n}`, text: `reply ${n}` } }
    case 'ask':
      return { ...finish, questions: [{ question: `q${n}`, call: null, ask, expiresAt: null }] }
    case 'tool':
      return { ...finish, calls: [{ call: `c${n}`, name: 'look', input: n, policy: 'repeat' }] }
    case 'return':
      return { type: 'return-tool', at: n, call: Object.keys(state.calls)[0] ?? 'none', ok: n % 2 === 0, output: n }
    case 'fail-try':
      return { type: 'fail-generation', at: n, code: 'model_stalled', details: { seconds: 3 }, retryAt: n + 1 }
    case 'finish':
      return { type: 'finish-turn', at: n, seen: state.seq }
    case 'fail':
      return { type: 'fail-turn', at: n, code: 'model_stalled', details: { seconds: 3 } }
    case 'request-stop':
      return { type: 'request-stop', at: n, by: you }
    case 'stop':
    case 'stop-with-text':
      return { type: 'stop-turn', at: n, text: kind === 'stop' ? null : `half ${n}` }
    case 'continue':
      return { type: 'continue-dialog', at: n, by: you }
    case 'answer':
      return { type: 'answer-question', at: n, question, answers: { a: 'x' }, by: you }
    case 'decline':
      return { type: 'decline-question', at: n, question, by: you }
    case 'cancel':
      return { type: 'cancel-question', at: n, question, by: you }
    case 'tellask':
      return {
        type: 'make-tellask',
        at: n,
        tellask: `a${n}`,
        call: `c${n}`,
        mode: 'fresh',
        to: `d${n}`,
        agent: 'bob',
        session: null,
        content: 'work',
      }
    case 'reason':
      return {
        type: 'make-tellask',
        at: n,
        tellask: `a${n}`,
        call: `r${n >> 3}`,
        mode: 'reasoning',
        to: `d${n}`,
        agent: 'ada',
        session: null,
        content: 'think',
      }
    case 'got-reply': {
      const open = Object.keys(state.pending)
      return {
        type: 'receive-reply',
        at: n,
        tellask: open[n % Math.max(1, open.length)] ?? 'none',
        outcome: n % 3 === 0 ? 'dead' : 'replied',
        text: 'here',
      }
    }
    case 'assigned':
    case 'asked-back':
      return {
        type: 'receive-tellask',
        at: n,
        tellask: `b${n}`,
        mode: kind === 'assigned' ? 'session' : 'back',
        from: 'p',
        by: 'cy',
        session: kind === 'assigned' ? 's' : null,
        content: 'please',
        about: null,
      }
    case 'give-reply': {
      const active = state.assignments.filter(({ isActive }) => isActive)
      return { type: 'give-reply', at: n, tellask: active[n % Math.max(1, active.length)]?.tellask ?? 'none', text: 'done' }
    }
    case 'clear':
      return { type: 'clear-mind', at: n, why: 'asked', prompt: 'go on' }
    case 'push':
      return { type: 'add-prompt', at: n, why: 'diligence', text: 'is it done?' }
    case 'remind':
      return { type: 'add-reminder', at: n, reminder: `n${n}`, text: 'note' }
    case 'register':
      return { type: 'register-session', at: n, agent: 'bob', session: 's', dialog: 'd1' }
    case 'drop':
      return { type: 'drop-session', at: n, agent: 'bob', session: 's' }
    case 'die':
      // Rarely: nothing happens after it.
      return n % 7 === 0 ? { type: 'declare-dead', at: n, by: you } : { type: 'start-turn', at: n }
    default:
      return { type: 'expire-question', at: n, question }
  }
}

const numbered = (events: readonly DialogEvent[], from = 0): EventView[] =>
  events.map((event, index) => ({ ...event, stream: 'd', seq: from + index + 1, position: from + index + 1 }))

/** Only histories the rules allow, and the state after each event. */
function historyOf(wishes: readonly string[], side: Origin | null = null): { events: EventView[]; states: DialogState[] } {
  let state = initialDialog
  const events: DialogEvent[] = []
  const states: DialogState[] = []
  const apply = (command: DialogCommand): void => {
    const decided = decide(state, command)
    if ('refused' in decided) return
    for (const event of decided.events) {
      state = evolve(state, event)
      events.push(event)
      states.push(state)
    }
  }
  apply({ type: 'open-dialog', at: 0, agent: 'ada', by: you, language: 'en', ...(side ? { origin: side } : {}) })
  wishes.forEach((kind, index) => apply(commandFor(kind, index + 1, state)))
  return { events: numbered(events), states }
}

const origin: Origin = { root: 'r', parent: 'p', mode: 'session', session: 's' }

const history = fc
  .tuple(fc.array(wish, { maxLength: 60 }), fc.boolean())
  .map(([wishes, isSide]) => historyOf(wishes, isSide ? origin : null))

const piece = fc.record({
  turn: fc.integer({ min: 1, max: 6 }),
  draft: fc.constantFrom('1.1', '1.2', '2.1', '2.2', '3.1'),
  kind: fc.constantFrom('text' as const, 'thinking' as const),
  from: fc.integer({ min: 0, max: 8 }),
  text: fc.string({ maxLength: 5 }),
  end: fc.boolean(),
})

/** What must not depend on how things came. */
const lasting = (view: DialogView): object => ({ ...view, draft: null, drafts: { ...view.drafts, over: [] } })

describe('the view of a dialog', () => {
  test('says the same status, title and open questions as the rules do, after every event', () => {
    fc.assert(
      fc.property(history, ({ events, states }) => {
        let view = emptyView
        events.forEach((event, index) => {
          view = viewOf(view, event)
          const state = states[index] as DialogState
          assert.equal(view.status, statusOf(state))
          assert.equal(view.title, state.title)
          assert.equal(view.course, state.course)
          assert.deepEqual(view.origin, state.origin)
          assert.deepEqual(
            view.pending.map(({ tellask }) => tellask),
            Object.keys(state.pending),
          )
          assert.deepEqual(
            view.questions.map(({ id }) => id),
            Object.keys(state.questions),
          )
        })
        assert.equal(new Set(view.items.map(({ kind, id }) => `${kind} ${id}`)).size, view.items.length)
      }),
      { numRuns: 500 },
    )
  })

  test('is the same however often the connection was cut and whatever pieces came, were lost or came late', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(fc.nat({ max: 80 }), { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat({ max: 80 }), piece), { maxLength: 40 }),
        ({ events, states }, cuts, pieces) => {
          const plain = viewOfAll(emptyView, events)
          let view = emptyView
          for (let index = 0; index < events.length; index += 1) {
            for (const [at, one] of pieces) if (at === index) view = withDelta(view, { ...one, stream: 'd' })
            // A resume from anywhere at or before where we are: all of it comes again.
            if (cuts.includes(index)) view = viewOfAll(view, events.slice(index >> 1, index))
            view = viewOf(view, events[index] as EventView)
          }
          assert.deepEqual(lasting(view), lasting(plain))
          const over = Math.max(
            0,
            ...events.flatMap((event) =>
              ['turn.finished', 'turn.failed', 'turn.stopped'].includes(event.type) ? [(event.data as { turn: number }).turn] : [],
            ),
          )
          if (view.draft !== null) assert.equal(view.draft.turn > over, true, 'half text of a turn that is over')
          assert.equal(states.length, events.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a draft grows to exactly what was written, whatever is repeated', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 20 }),
        fc.array(fc.nat({ max: 19 }), { maxLength: 20 }),
        (parts, repeats) => {
          let view = emptyView
          let from = 0
          const sent: DeltaView[] = []
          for (const [index, text] of parts.entries()) {
            const delta: DeltaView = { stream: 'd', draft: '1.1', turn: 1, kind: 'text', from, text }
            from += text.length
            sent.push(delta)
            view = withDelta(view, delta)
            const again = sent[repeats[index] ?? index]
            if (again) view = withDelta(view, again)
          }
          assert.equal(view.draft?.text ?? '', parts.join(''))
        },
      ),
    )
  })

  const delta = (draft: string, turn: number, from: number, text: string): DeltaView => ({
    stream: 'd',
    draft,
    turn,
    kind: 'text',
    from,
    text,
  })
  const { events } = historyOf(['say', 'start', 'reply', 'finish'])
  const started = viewOfAll(emptyView, events.slice(0, 4))

  test('a reply that was cut by a crash and runs again replaces the half text', () => {
    const half = withDelta(withDelta(started, delta('1.1.7', 1, 0, 'Hel')), delta('1.1.7', 1, 3, 'lo'))
    assert.equal(half.draft?.text, 'Hello')
    const again = withDelta(half, delta('1.1.9', 1, 0, 'Good'))
    assert.equal(again.draft?.text, 'Good')
    assert.equal(withDelta(again, delta('1.1.7', 1, 5, ' there')).draft?.text, 'Good')
  })

  test('a lost piece stops the draft, the finished text mends it, and late pieces do not bring it back', () => {
    const gap = withDelta(withDelta(started, delta('1.1.7', 1, 0, 'Hel')), delta('1.1.7', 1, 5, ' you'))
    assert.equal(gap.draft?.text, 'Hel')
    const done = viewOfAll(gap, events.slice(4))
    assert.equal(done.draft, null)
    assert.equal(withDelta(done, delta('1.1.7', 1, 0, 'Hel')).draft, null)
  })

  test('a piece of the next turn may come before its events', () => {
    const early = withDelta(viewOfAll(emptyView, events.slice(0, 5)), delta('2.1.1', 2, 0, 'soon'))
    assert.equal(viewOfAll(early, events.slice(5)).draft?.text, 'soon')
  })

  test('a request and its reply are joined in both dialogs', () => {
    const caller = viewOfAll(emptyView, historyOf(['say', 'start', 'tool', 'tellask', 'finish', 'got-reply']).events)
    const [asks, reply] = [caller.items.find(({ kind }) => kind === 'tellask'), caller.items.find(({ kind }) => kind === 'reply')]
    assert.ok(asks?.kind === 'tellask' && reply?.kind === 'reply')
    assert.deepEqual(asks.reply, { outcome: 'dead', item: reply.id })
    assert.equal(reply.tellask, asks.id)
    assert.equal(reply.ask?.to, asks.to)
    const asked = viewOfAll(emptyView, historyOf(['assigned', 'start', 'reply', 'give-reply', 'finish'], origin).events)
    const [work, given] = [asked.items.find(({ kind }) => kind === 'assignment'), asked.items.find(({ kind }) => kind === 'given')]
    assert.ok(work?.kind === 'assignment' && given?.kind === 'given')
    assert.equal(work.isDone, true)
    assert.equal(given.assignment?.from, 'p')
    assert.equal(asked.status, 'ready')
  })

  test('a request stands where its tool call stood, and a question too', () => {
    const base = historyOf(['say', 'start']).events
    const at = (seq: number, type: string, data: object): EventView => ({ stream: 'd', seq, position: seq, at: 1, type, data })
    const view = viewOfAll(emptyView, [
      ...base,
      at(base.length + 1, 'tool.called', { call: 'c', turn: 1, name: 'tellask', input: {}, policy: 'repeat' }),
      at(base.length + 2, 'tool.called', { call: 'h', turn: 1, name: 'askHuman', input: {}, policy: 'repeat' }),
      at(base.length + 3, 'question.asked', { question: 'q', turn: 1, call: 'h', by: you, ask, expiresAt: null }),
      at(base.length + 4, 'tellask.made', {
        tellask: 'a',
        call: 'c',
        mode: 'fresh',
        to: 'x',
        agent: 'bob',
        session: null,
        content: 'work',
      }),
    ])
    assert.deepEqual(
      view.items.map(({ kind }) => kind),
      ['message', 'tellask', 'question'],
    )
  })

  describe('approvals', () => {
    const base = historyOf(['say', 'start']).events
    const mia = { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' } as const
    const approval = {
      tool: 'run',
      toolHash: 'h',
      inputHash: 'i',
      role: 'guest',
      names: ['mia'],
      shown: { kind: 'run', target: '', server: '', text: 'id', facts: [] },
      because: 'No rule.',
      subjects: [],
      proposals: [[{ text: 'run(id)' }]],
      keys: 2,
      approvers: [],
      onceOnly: false,
      irreversible: false,
      bound: {},
    }
    const cause = { by: [{ id: 'telegram:1:2', name: 'Eve', role: 'guest' }], role: 'guest', origin: 'message' }
    const after = (...more: [string, object][]): DialogView =>
      viewOfAll(emptyView, [
        ...base,
        ...more.map(([type, data], index) => {
          const seq = base.length + index + 1
          return { stream: 'd', seq, position: seq, at: seq, type, data }
        }),
      ])
    const called: [string, object] = ['tool.called', { call: 'c', turn: 1, name: 'run', input: { command: 'id' }, policy: 'ask' }]
    const asked: [string, object] = [
      'question.asked',
      {
        question: 'q',
        turn: 1,
        call: 'c',
        by: you,
        ask,
        expiresAt: null,
        purpose: 'approval',
        cause,
        audience: { kind: 'owner' },
        approval,
      },
    ]
    const answered = (decision: string, note?: string): [string, object] => [
      'question.answered',
      { question: 'q', answers: { decision }, by: mia, via: 'web', decision, ...(note ? { note } : {}) },
    ]
    const kinds = (view: DialogView): string[] => view.items.map(({ kind }) => kind)

    test('an open approval stands for its call and shows who asked for what', () => {
      const view = after(called, asked)
      assert.deepEqual(kinds(view), ['message', 'question'])
      const [open] = view.questions
      assert.equal(open?.isApproval, true)
      assert.deepEqual(open?.call, { id: 'c', name: 'run', input: { command: 'id' } })
      assert.equal(open?.approval?.turn, 1)
      assert.deepEqual(open?.approval?.requesters, cause.by)
      assert.equal(open?.approval?.shown.text, 'id')
    })

    test('keys that were given are counted while it is open', () => {
      const view = after(called, asked, ['approval.key-given', { question: 'q', by: mia, via: 'web' }])
      assert.deepEqual(view.questions[0]?.approval?.keysGiven, ['mia'])
    })

    test('an allowed call gets its line back, and its result belongs to it', () => {
      const view = after(called, asked, answered('once'), ['tool.returned', { call: 'c', ok: true, output: 'uid=0' }])
      assert.deepEqual(kinds(view), ['message', 'question', 'tool'])
      const tool = view.items.at(-1)
      assert.deepEqual(tool?.kind === 'tool' && [tool.id, tool.state, tool.output], ['c', 'done', 'uid=0'])
      const question = view.items[1]
      assert.equal(question?.kind === 'question' && question.approval?.decision, 'once')
    })

    test('a denied or stopped call has no line of its own', () => {
      const denied = after(called, asked, answered('deny', 'not now'), ['tool.returned', { call: 'c', ok: false, output: 'denied' }])
      assert.deepEqual(kinds(denied), ['message', 'question'])
      const question = denied.items[1]
      assert.equal(question?.kind === 'question' && question.approval?.note, 'not now')
      const stopped = after(called, asked, ['question.cancelled', { question: 'q', reason: 'stopped', by: mia }])
      assert.deepEqual(kinds(stopped), ['message', 'question'])
    })

    test('a call that a later grant covers runs, so it gets its line back', () => {
      assert.deepEqual(kinds(after(called, asked, ['question.cancelled', { question: 'q', reason: 'covered', by: mia }])), [
        'message',
        'question',
        'tool',
      ])
    })

    test('a call that is asked about again is shown once', () => {
      const again: [string, object] = ['question.asked', { ...asked[1], question: 'q2', approval: { ...approval, isChanged: true } }]
      const view = after(called, asked, answered('once'), again)
      assert.deepEqual(kinds(view), ['message', 'question', 'question'])
      assert.equal(view.questions[0]?.approval?.isChanged, true)
    })
  })

  test('an event nobody here knows takes its number and shows nothing', () => {
    const view = viewOf(started, { stream: 'd', seq: 5, position: 5, at: 1, type: 'moon.landed', data: {} })
    assert.deepEqual(view.items, started.items)
    assert.equal(view.seq, 5)
  })

  test('what was typed is shown once: waiting, then as an event, in whichever order the answers come', () => {
    const typed = withQueued(emptyView, { key: 'k', text: 'words 1', at: 1 })
    assert.equal(typed.queued.length, 1)
    assert.equal(viewOfAll(withSent(typed, 'k', 'm1'), events).queued.length, 0)
    assert.equal(withSent(viewOfAll(typed, events), 'k', 'm1').queued.length, 0)
    const refused = withRefused(typed, 'k', { code: 'too_many_waiting', message: 'm', hint: 'h' })
    assert.equal(refused.queued[0]?.error?.code, 'too_many_waiting')
    assert.equal(withoutQueued(refused, 'k').queued.length, 0)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DialogState, getStatus } from '../dialogs/rules/dialog-state.ts'
import {
  type DialogView,
  emptyView,
  toView,
  viewOfAll,
  withDelta,
  withoutQueued,
  withQueued,
  withRefused,
  withSent,
} from './dialog-view.ts'
import type { DeltaView, EventView } from '../shapes/wire.ts'
import { ask, getHistory, history, origin, you } from './test/any-history.ts'

const piece = fc.record({
  turn: fc.integer({ min: 1, max: 6 }),
  draft: fc.constantFrom('1.1', '1.2', '2.1', '2.2', '3.1'),
  kind: fc.constantFrom('text' as const, 'thinking' as const),
  from: fc.integer({ min: 0, max: 8 }),
  text: fc.string({ maxLength: 5 }),
  end: fc.boolean(),
})

/** The part that must not depend on the order of arrival. */
const lasting = (view: DialogView): object => ({ ...view, draft: null, drafts: { ...view.drafts, over: [] } })

describe('the view of a dialog', () => {
  test('says the same status, title and open questions as the rules do, after every event', () => {
    fc.assert(
      fc.property(history, ({ events, states }) => {
        let view = emptyView
        events.forEach((event, index) => {
          view = toView(view, event)
          const state = states[index] as DialogState
          assert.equal(view.status, getStatus(state))
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

  test('shows that the owner trusts what was written, and keeps the title out of the log', () => {
    const by = { kind: 'human', name: 'mia' } as const
    const event = (seq: number, type: string, data: object): EventView => ({ stream: 'd1', seq, position: seq, at: seq, type, data })
    const { items, title } = viewOfAll(emptyView, [
      event(1, 'dialog.titled', { title: 'Books', by: 'human' }),
      event(2, 'dialog.trusted', { by, via: null, upTo: 1 }),
    ])
    assert.equal(title, 'Books')
    assert.deepEqual(
      items.map((item) => item.kind === 'note' && [item.id, item.event.type]),
      [['note-2', 'dialog.trusted']],
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
            view = toView(view, events[index] as EventView)
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
          const liveDeltas: DeltaView[] = []
          for (const [index, text] of parts.entries()) {
            const delta: DeltaView = { stream: 'd', draft: '1.1', turn: 1, kind: 'text', from, text }
            from += text.length
            liveDeltas.push(delta)
            view = withDelta(view, delta)
            const again = liveDeltas[repeats[index] ?? index]
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
  const { events } = getHistory(['say', 'start', 'reply', 'finish'])
  const started = viewOfAll(emptyView, events.slice(0, 4))

  test('a reply that was cut by a crash and runs again replaces the half text', () => {
    const half = withDelta(withDelta(started, delta('1.1.7', 1, 0, 'Hel')), delta('1.1.7', 1, 3, 'lo'))
    assert.equal(half.draft?.text, 'Hello')
    const again = withDelta(half, delta('1.1.9', 1, 0, 'Good'))
    assert.equal(again.draft?.text, 'Good')
    assert.equal(withDelta(again, delta('1.1.7', 1, 5, ' there')).draft?.text, 'Good')
  })

  test('a lost delta stops the draft, the finished text replaces it, and late deltas do not bring it back', () => {
    const gap = withDelta(withDelta(started, delta('1.1.7', 1, 0, 'Hel')), delta('1.1.7', 1, 5, ' you'))
    assert.equal(gap.draft?.text, 'Hel')
    const wholeView = viewOfAll(gap, events.slice(4))
    assert.equal(wholeView.draft, null)
    assert.equal(withDelta(wholeView, delta('1.1.7', 1, 0, 'Hel')).draft, null)
  })

  test('a piece of the next turn may come before its events', () => {
    const early = withDelta(viewOfAll(emptyView, events.slice(0, 5)), delta('2.1.1', 2, 0, 'soon'))
    assert.equal(viewOfAll(early, events.slice(5)).draft?.text, 'soon')
  })

  test('a request and its reply are joined in both dialogs', () => {
    const caller = viewOfAll(emptyView, getHistory(['say', 'start', 'tool', 'tellask', 'finish', 'got-reply']).events)
    const [asks, reply] = [caller.items.find(({ kind }) => kind === 'tellask'), caller.items.find(({ kind }) => kind === 'reply')]
    assert.ok(asks?.kind === 'tellask' && reply?.kind === 'reply')
    assert.deepEqual(asks.reply, { outcome: 'dead', item: reply.id })
    assert.equal(reply.tellask, asks.id)
    assert.equal(reply.ask?.to, asks.to)
    const prompt = viewOfAll(emptyView, getHistory(['assigned', 'start', 'reply', 'give-reply', 'finish'], origin).events)
    const [work, given] = [prompt.items.find(({ kind }) => kind === 'assignment'), prompt.items.find(({ kind }) => kind === 'given')]
    assert.ok(work?.kind === 'assignment' && given?.kind === 'given')
    assert.equal(work.isDone, true)
    assert.equal(given.assignment?.from, 'p')
    assert.equal(prompt.status, 'ready')
  })

  test('a request stands where its tool call stood, and a question too', () => {
    const base = getHistory(['say', 'start']).events
    const at = (seq: number, type: string, data: object): EventView => ({ stream: 'd', seq, position: seq, at: 1, type, data })
    const view = viewOfAll(emptyView, [
      ...base,
      at(base.length + 1, 'tool.called', { call: 'c', turn: 1, name: 'tellask', input: {}, policy: 'repeat' }),
      at(base.length + 2, 'tool.called', { call: 'h', turn: 1, name: 'askHuman', input: {}, policy: 'repeat' }),
      at(base.length + 3, 'question.asked', {
        question: 'q',
        turn: 1,
        call: 'h',
        by: you,
        ask,
        expiresAt: null,
        audience: { kind: 'owner' },
      }),
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

  test('an unknown event advances the number and shows nothing', () => {
    const view = toView(started, { stream: 'd', seq: 5, position: 5, at: 1, type: 'moon.landed', data: {} })
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

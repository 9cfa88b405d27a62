import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialPrompt } from '../evolve-prompt.ts'
import { promptTexts } from '../../../words/index.ts'
import type { PromptFact, Snapshot } from './prompt-facts.ts'
import type { OutputPart, PromptItem } from './prompt-items.ts'
import { evolvePrompt, initialPromptList, itemsToSend, listCuttable, promptLimits, type PromptList } from './prompt-list.ts'
import { estimateRequest, measureFixed, measureItems, measurePrompt, weighPrompt } from './prompt-size.ts'
import type { PromptState } from './prompt-state.ts'
import { renderResponses } from './render-responses.ts'
import { shortened } from './shorten.ts'
import { describeCompacted, type ListedResult, planCompaction, resultLimits } from './shortened-results.ts'
import { passedTime, writtenCount, writtenDay, writtenTime } from './times.ts'

type Body<Fact> = Fact extends unknown ? Omit<Fact, 'seq' | 'at' | 'offset'> & { at?: number; seq?: number; offset?: number } : never

const fold = (facts: readonly Body<PromptFact>[], isSide = false): PromptList =>
  facts.reduce<PromptList>(
    (list, { at = 0, seq, offset = 60, ...body }, index) => evolvePrompt(list, { ...body, seq: seq ?? index + 1, at, offset }),
    initialPromptList(isSide),
  )
const said = (text: string, at = 0): Body<PromptFact> => ({ type: 'arrived', arrival: { kind: 'message', from: 'Mia', text }, at })
const call = (id: string, name = 'act'): OutputPart => ({ type: 'call', call: id, name, input: {} })
const made = (seen: number, ...parts: OutputPart[]): Body<PromptFact> => ({ type: 'generated', seen, parts })
const result = (id: string, text = 'done', at = 0): Body<PromptFact> => ({
  type: 'settled',
  call: id,
  end: { is: 'result', ok: true, text },
  at,
})
const snapshot: Snapshot = { memories: null, taskdoc: null, reminders: [] }
const course = (why: 'first' | 'asked' | 'forced', more: Partial<Snapshot> = {}): Body<PromptFact> => ({
  type: 'course',
  course: 2,
  why,
  snapshot: { ...snapshot, ...more },
})
const of = <Kind extends PromptItem['kind']>(list: PromptList, kind: Kind) =>
  itemsToSend(list).filter((item): item is Extract<PromptItem, { kind: Kind }> => item.kind === kind)
const arrivals = (list: PromptList) => of(list, 'arrival').map(({ arrival }) => arrival)
const notes = (list: PromptList) => of(list, 'note').map(({ note }) => note)

test('list: calls are numbered by what they are, each with its own count', () => {
  const list = fold([made(0, call('a', 'tellask'), call('b', 'freshBootsReasoning'), call('c', 'askHuman'), call('d'), call('e'))])
  assert.deepEqual(
    list.lastCalls.map(({ handle }) => handle),
    ['t1', 't2', 'q1', 'o1', 'o2'],
  )
})

test('list: a call that has ended keeps its first end', () => {
  const list = fold([made(0, call('a')), result('a', 'first'), result('a', 'second'), result('unknown')])
  assert.deepEqual(
    of(list, 'result').map((item) => item.result),
    [{ is: 'outcome', ok: true, text: 'first' }],
  )
})

test('list: an end that came after the request was fixed is news in the next one', () => {
  const facts: Body<PromptFact>[] = [made(0, call('a')), { type: 'tried', seen: 2 }, result('a', 'late', 50), made(2)]
  const list = fold(facts)
  assert.deepEqual(
    of(list, 'result').map((item) => item.result),
    [{ is: 'interrupted' }],
  )
  assert.deepEqual(arrivals(list), [{ kind: 'outcome', of: 'o1', tool: 'act', ok: true, text: 'late', passedMs: 50, at: 50, offset: 60 }])
  assert.deepEqual([list.olderCalls, list.fixedSeen], [[], null])
})

test('list: messages and notes after the fixed request wait for the next one', () => {
  const list = fold([said('one'), { type: 'tried', seen: 1 }, said('two'), { type: 'noted', note: { kind: 'diligence' } }])
  assert.deepEqual(
    arrivals(list).map((arrival) => 'text' in arrival && arrival.text),
    ['one'],
  )
  assert.deepEqual(notes(list), [])
  const next = evolvePrompt(list, { type: 'generated', seen: 9, parts: [], seq: 5, at: 0, offset: 60 })
  assert.deepEqual(
    arrivals(next).map((arrival) => 'text' in arrival && arrival.text),
    ['one', 'two'],
  )
  assert.equal(next.sentItems, 1)
})

test('list: a long silence is told once it lasts, unless something else tells the time', () => {
  const { quietMs } = promptLimits
  const after = (at: number, ...more: Body<PromptFact>[]) => notes(fold([made(0, call('a')), result('a', 'x', at), ...more]))
  assert.deepEqual(after(quietMs - 1), [])
  assert.deepEqual(after(quietMs), [{ kind: 'time', at: quietMs, offset: 60, passedMs: quietMs }])
  assert.deepEqual(after(quietMs, said('hi', quietMs)), [])
  const continued: Body<PromptFact> = { type: 'noted', note: { kind: 'continued', by: 'mia', passedMs: 1 }, at: quietMs }
  assert.deepEqual(after(quietMs, continued), [{ kind: 'continued', by: 'mia', passedMs: 1 }])
})

test('list: of each kind of note only the latest is read; questions asked back are named together', () => {
  const noted = (percent: number): Body<PromptFact> => ({ type: 'noted', note: { kind: 'budget', percent } })
  const back = (id: string): Body<PromptFact> => ({
    type: 'arrived',
    arrival: { kind: 'ask-back', id, from: 'bob', call: null, request: null, text: '?' },
  })
  assert.deepEqual(notes(fold([noted(80), { type: 'noted', note: { kind: 'diligence' } }, noted(95)])), [
    { kind: 'diligence' },
    { kind: 'budget', percent: 95 },
  ])
  assert.deepEqual(notes(fold([back('x'), back('y')])), [{ kind: 'ask-back', handles: ['b1', 'b2'] }])
})

test('list: an agent that is no model leaves only what it has not read and calls without an end', () => {
  const list = fold([
    said('one'),
    said('two'),
    { type: 'noted', note: { kind: 'diligence' } },
    { type: 'called', call: 'a', tool: 'act' },
    { type: 'passed', seen: 1 },
  ])
  assert.deepEqual(
    [arrivals(list).length, notes(list).length, list.items, list.lastCalls, list.olderCalls.map(({ handle }) => handle)],
    [1, 1, [], [], ['o1']],
  )
})

test('list: outputs that may be cut can be read again, the latest of them', () => {
  const { compactChars } = resultLimits
  const cut = (length: number) => fold([made(0, call('a')), result('a', 'x'.repeat(length))]).cutOutputs
  assert.deepEqual([cut(compactChars), cut(compactChars + 1)], [{}, { o1: 2 }])
  const many = Array.from({ length: promptLimits.cutOutputs + 1 }, (_, index) => [
    made(9_999, call(`c${index}`)),
    result(`c${index}`, 'x'.repeat(compactChars + 1)),
  ]).flat()
  const handles = Object.keys(fold(many).cutOutputs)
  assert.deepEqual([handles.length, handles[0]], [promptLimits.cutOutputs, 'o2'])
})

test('list: a new epoch drops reasoning before the open tool loop; one that the model refused drops all', () => {
  const reasoning: OutputPart = { type: 'reasoning', maker: 'm', data: 'r' }
  const facts = [
    said('one'),
    made(1, reasoning, call('a')),
    result('a'),
    said('two'),
    made(4, reasoning, call('b')),
    result('b'),
    made(6, reasoning),
  ]
  const epoch = (why: 'tools' | 'reasoning-refused'): Body<PromptFact> => ({ type: 'epoch', why, resultChars: 9 })
  const count = (list: PromptList) => of(list, 'output').map(({ parts }) => parts.filter(({ type }) => type === 'reasoning').length)
  assert.deepEqual(count(fold(facts)), [1, 1, 1])
  assert.deepEqual(count(fold([...facts, epoch('tools')])), [0, 1, 1])
  assert.deepEqual(count(fold([...facts, epoch('reasoning-refused')])), [0, 0, 0])
  const { epoch: number, sentItems, resultChars } = fold([...facts, epoch('tools')])
  assert.deepEqual([number, sentItems, resultChars], [2, 0, 9])
})

test('list: a compaction cuts long results of tools before the last outputs, oldest first, and no replies', () => {
  const long = 'x'.repeat(11)
  const facts = [
    made(0, call('a'), call('b', 'tellask'), call('c')),
    result('a', long),
    result('b', long),
    result('c', 'x'.repeat(10)),
    made(9, call('d')),
    result('d', long),
    made(9),
  ]
  const { items } = fold(facts)
  const handles = (indexes: number[]) => indexes.map((index) => (items[index]?.kind === 'result' ? items[index].handle : ''))
  assert.deepEqual(handles(listCuttable(items, 1, 10)), ['o1', 'o3'])
  assert.deepEqual(handles(listCuttable(items, 2, 10)), ['o1'])
  assert.deepEqual(handles(listCuttable(items, 9, 10)), [])
  const compact = (most: number) =>
    of(fold([...facts, { type: 'compacted', keepOutputs: 1, longestChars: 10, most }]), 'result').flatMap(({ result: one }) =>
      one.is === 'shortened' ? [one] : [],
    )
  assert.deepEqual(compact(1), [{ is: 'shortened', tool: 'act', chars: 11, ok: true, handle: 'o1' }])
  assert.equal(compact(9).length, 2)
})

test('list: a course of a root shows the first and the last messages, and none twice', () => {
  const texts = (count: number, read = count) => {
    const facts = [...Array.from({ length: count }, (_, index) => said(`m${index + 1}`, index)), made(read), course('asked')]
    return of(fold(facts), 'course').flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.block === 'pinned' && 'text' in block.arrival ? [block.arrival.text] : [])),
    )
  }
  assert.deepEqual(texts(2), ['m1', 'm2'])
  assert.deepEqual(texts(5), ['m1', 'm3', 'm4', 'm5'])
  assert.deepEqual(texts(5, 4), ['m1', 'm3', 'm4'], 'a message that was not read yet follows as itself')
})

test('list: a course of a side dialog shows its open requests, shortened to their limit', () => {
  const request: Body<PromptFact> = {
    type: 'arrived',
    arrival: { kind: 'request', id: 'x', from: 'ada', session: null, text: 'y'.repeat(1_000), isReasoning: false },
  }
  const text = (more: Partial<Snapshot>) => {
    const [item] = of(fold([request, made(1), course('asked', more)], true), 'course')
    const [block] = item?.blocks ?? []
    return block?.block === 'pinned' && 'text' in block.arrival ? block.arrival.text.length : 0
  }
  assert.equal(text({}), 1_000)
  assert.ok(text({ requestChars: 500 }) < 600)
})

test('list: a course says what waits and for how long, and why it began', () => {
  const waits: Body<PromptFact> = {
    type: 'waits',
    call: 'a',
    waiting: { for: 'request', agent: 'bob' },
    session: 's',
    text: 'Do it',
    at: 10,
  }
  const facts = [{ ...made(0, call('a', 'tellask'), call('b')), at: 10 }, waits, { ...result('b', 'done', 30), at: 40 }]
  const blocks = (why: 'asked' | 'forced') => of(fold([...facts, course(why)]), 'course').flatMap((item) => item.blocks)
  assert.deepEqual(blocks('asked'), [
    {
      block: 'waiting',
      waiting: [{ handle: 't1', waiting: { for: 'request', agent: 'bob' }, tool: 'tellask', session: 's', passedMs: -10, text: 'Do it' }],
    },
  ])
  assert.deepEqual(arrivals(fold([...facts, course('asked')])), [])
  assert.equal(arrivals(fold([...facts, course('forced')])).length, 1, 'a mind that was cleared for it still needs the results')
  const note = (why: 'first' | 'asked' | 'forced', more: Partial<Snapshot> = {}) => notes(fold([course(why, more)]))
  assert.deepEqual(note('first'), [])
  assert.deepEqual(note('asked'), [{ kind: 'new-course', course: 2, isFull: false }])
  assert.deepEqual(note('forced'), [{ kind: 'new-course', course: 2, isFull: true }])
  assert.deepEqual(note('forced', { byPerson: true }), [{ kind: 'new-course', course: 2, isFull: false }])
})

test('list: a reply in a later course brings its request along', () => {
  const reply: Body<PromptFact> = {
    type: 'settled',
    call: 'a',
    end: { is: 'reply', from: 'bob', session: null, status: 'done', text: 'Fine', request: 'Do it' },
  }
  const request = (...facts: Body<PromptFact>[]) =>
    arrivals(fold([made(0, call('a', 'tellask')), ...facts, reply])).map((arrival) => arrival.kind === 'reply' && arrival.request)
  assert.deepEqual(request(made(1)), [null])
  assert.deepEqual(request(course('asked')), ['Do it'])
})

const state = (list: PromptList, more: Partial<PromptState> = {}): PromptState => ({ ...initialPrompt(false), list, ...more })
const tool = { name: 'act', description: '', input: {} } as unknown as NonNullable<PromptState['epoch']>['tools'][number]

test('size: system prompt and tools count as they are written in a request', () => {
  const bytes = (tools: (typeof tool)[]) => measureFixed({ system: 'é', tools, team: [], maker: 'm' })
  assert.equal(bytes([]), 2 + '[]'.length)
  assert.equal(bytes([tool]), 2 + JSON.stringify([tool]).length)
  assert.equal(bytes([tool, tool, tool]), 2 + JSON.stringify([tool, tool, tool]).length)
})

test('size: a request is what was sent and what waits; its tokens are those that were counted and what was added', () => {
  const list = fold([said('one'), made(1, { type: 'words', text: 'Hello' }), said('two')])
  const epoch = { system: 'abc', tools: [], team: [], maker: 'm' }
  const all = measureItems(itemsToSend(list), 'en')
  assert.equal(measurePrompt(state(list), 'en'), all)
  assert.equal(measurePrompt(state(list, { epoch }), 'en'), all + measureFixed(epoch))
  assert.equal(
    all,
    itemsToSend(list).reduce((sum, item) => sum + measureItems([item], 'en'), 0),
  )
  const weight = weighPrompt(state(list, { epoch }), 'en')
  assert.equal(weight, measureFixed(epoch) + measureItems(list.items, 'en') + 'two'.length)
  const waiting = fold([made(0, call('a')), result('a', 'abcd')])
  assert.equal(weighPrompt(state(waiting), 'en'), measureItems(waiting.items, 'en') + 'abcd'.length)
  const counted = (items: number) => estimateRequest(state(list, { counted: { tokens: 1_000, items } }), 'en')
  assert.equal(counted(99), 1_000)
  assert.ok(counted(1) > counted(2) && counted(2) > 1_000)
  assert.ok(estimateRequest(state(list), 'en') < 1_000)
})

test('shortened: a text of exactly its limit stays; a longer one keeps 60 % of its start and 40 % of its end', () => {
  assert.equal(shortened('x'.repeat(10), 10, 'o1'), 'x'.repeat(10))
  const text = `${'a'.repeat(6)}1\n2\n3${'b'.repeat(4)}`
  assert.equal(shortened(text, 10, 'o1'), `${'a'.repeat(6)}\n[… 3 lines left out; recall_output o1]\n${'b'.repeat(4)}`)
  assert.equal(shortened(text, 10, null), `${'a'.repeat(6)}\n[… 3 lines left out]\n${'b'.repeat(4)}`)
})

const room = (usableTokens: number, compactedTokens = 0) => ({ usableTokens, compactedTokens }) as Parameters<typeof planCompaction>[2]

test('compaction: old, long results of tools are chosen until enough is saved', () => {
  const one = (more: Partial<ListedResult> = {}): ListedResult => ({
    tool: 'act',
    text: 'x'.repeat(4_000),
    isFailed: false,
    handle: 'o1',
    outputsAfter: resultLimits.recentOutputs,
    isProtected: false,
    ...more,
  })
  const plan = (list: ListedResult[], tokens = 10_000, left = 0) => planCompaction(list, tokens, room(0, left)).chosen
  assert.deepEqual(plan([one(), one()]), [0, 1])
  assert.deepEqual(plan([one(), one()], 10_000, 10_000), [])
  assert.deepEqual(plan([one(), one()], 10_000, 9_999), [0])
  assert.deepEqual(plan([one({ isProtected: true }), one({ outputsAfter: resultLimits.recentOutputs - 1 }), one()]), [2])
  assert.deepEqual(
    plan([one({ text: 'x'.repeat(resultLimits.compactChars) }), one({ text: 'x'.repeat(resultLimits.compactChars + 1) })]),
    [1],
  )
  assert.deepEqual(plan([one({ text: 'x'.repeat(401), tool: 'y'.repeat(500) })]), [], 'nothing would be saved')
  assert.equal(describeCompacted(one()), '[act: 4000 characters, ok; recall_output o1]')
  assert.equal(describeCompacted(one({ isFailed: true })), '[act: 4000 characters, failed; recall_output o1]')
})

test('times: minutes below two hours, hours below two days, then days', () => {
  const units = {
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
  }
  const minute = 60_000
  const passed = (minutes: number) => passedTime(minutes * minute, units)
  assert.deepEqual([-1, 0, 1.9, 119.9, 120, 48 * 60 - 1, 48 * 60, 72 * 60 - 1].map(passed), [
    '0 min',
    '0 min',
    '1 min',
    '119 min',
    '2 h',
    '47 h',
    '2 d',
    '2 d',
  ])
})

test('times: a moment is written with the offset of its zone, and with its weekday', () => {
  const at = Date.UTC(2026, 10, 16, 4, 5)
  assert.equal(writtenTime(at, 60), '2026-11-16 05:05 +01:00')
  assert.equal(writtenTime(at, -330), '2026-11-15 22:35 -05:30')
  assert.equal(writtenTime(at, 0), '2026-11-16 04:05 +00:00')
  assert.equal(writtenDay(at, -330, promptTexts.en), '2026-11-15 22:35 -05:30, Sunday')
  assert.equal(writtenDay(at, 0, promptTexts.en), '2026-11-16 04:05 +00:00, Monday')
  assert.equal(writtenDay(at, 0, promptTexts.zh), '2026-11-16 04:05 +00:00，星期一')
  assert.equal(writtenCount(1_234_567), '1,234,567')
})

test('responses: words keep their phase, blank ones are left out, and reasoning goes back to its maker alone', () => {
  const render = (parts: OutputPart[], maker = 'm') =>
    renderResponses([{ kind: 'output', parts }], { maker, language: 'en', systemRole: 'developer', notesRole: 'developer' })
  const words = (text: string, more: object = {}) => ({
    type: 'message',
    role: 'assistant',
    ...more,
    content: [{ type: 'output_text', text }],
  })
  assert.deepEqual(
    render([
      { type: 'words', text: 'Hi', phase: 'commentary' },
      { type: 'words', text: ' ' },
      { type: 'words', text: 'you' },
    ]),
    [words('Hi', { phase: 'commentary' }), words('you')],
  )
  const reasoning: OutputPart = { type: 'reasoning', maker: 'm', data: { type: 'reasoning' } }
  assert.deepEqual(render([reasoning, { type: 'words', text: 'Hi' }]), [{ type: 'reasoning' }, words('Hi')])
  assert.deepEqual(render([reasoning, { type: 'words', text: 'Hi' }], 'other'), [words('Hi')])
})

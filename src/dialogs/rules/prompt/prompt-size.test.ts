import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialPrompt } from '../evolve-prompt.ts'
import type { Arrival, PromptItem } from './prompt-items.ts'
import { evolvePrompt, initialPromptList, itemsToSend, type PromptList } from './prompt-list.ts'
import { estimateRequest, measureFixed, measureItems, measurePrompt, weighPrompt } from './prompt-size.ts'
import type { PromptEpoch, PromptState } from './prompt-state.ts'

const image = { file: 'f1', name: 'plan.png', mediaType: 'image/png', bytes: 120_000 }
const message = (text: string, files: { file: string; name: string; mediaType: string; bytes: number }[] = []): Arrival => ({
  kind: 'message',
  from: 'Mia',
  text,
  at: 0,
  offset: 0,
  files,
})
const item = (arrival: Arrival): PromptItem => ({ kind: 'arrival', arrival })
const epoch: PromptEpoch = {
  system: 'Be brief.',
  tools: [
    { name: 'a', description: 'A', inputSchema: {} },
    { name: 'b', description: 'B', inputSchema: {} },
  ],
  team: [],
  maker: 'm',
}
const state = (list: PromptList, more: Partial<PromptState> = {}): PromptState => ({ ...initialPrompt(false), list, epoch, ...more })
const heard = (texts: readonly string[]): PromptList =>
  texts.reduce(
    (list, text, index) =>
      evolvePrompt(list, { type: 'arrived', arrival: { kind: 'message', from: 'Mia', text }, seq: index + 1, at: 0, offset: 0 }),
    initialPromptList(false),
  )

test('measureItems: bytes of the text, and three for each token of a file', () => {
  const words = measureItems([item(message('Hi'))], 'en')
  assert.equal(measureItems([item(message('Hié'))], 'en'), words + 2)
  assert.equal(measureItems([item(message('Hi', [image, image]))], 'en'), words + 2 * 1_600 * 3)
  assert.equal(measureItems([item(message('Hi')), item(message('Hi'))], 'en'), 2 * words)
})

test('measureItems: every kind of item counts', () => {
  const kinds: PromptItem[] = [
    { kind: 'course', blocks: [{ block: 'trail', text: 'trail' }] },
    { kind: 'note', note: { kind: 'compacted' } },
    { kind: 'result', call: 'c1', tool: 't', handle: 'o1', result: { is: 'outcome', ok: true, text: 'four' } },
    { kind: 'output', parts: [{ type: 'words', text: 'Hello' }] },
  ]
  for (const one of kinds) assert.ok(measureItems([one], 'en') >= 4, one.kind)
  assert.equal(measureItems(kinds.slice(2, 3), 'en'), 4)
})

test('measureFixed: the system prompt and the tools as a JSON list, the same for the same epoch', () => {
  assert.equal(measureFixed(epoch), Buffer.byteLength(epoch.system) + Buffer.byteLength(JSON.stringify(epoch.tools)))
  assert.equal(measureFixed(epoch), measureFixed({ ...epoch }))
  assert.equal(measureFixed({ ...epoch, tools: [] }), Buffer.byteLength(epoch.system) + 2)
})

test('estimateRequest: all bytes, or the count of the provider and the items since', () => {
  const list = heard(['One', 'Two'])
  const [, second] = itemsToSend(list)
  const all = measurePrompt(state(list), 'en')
  assert.equal(all, measureFixed(epoch) + measureItems(itemsToSend(list), 'en'))
  assert.equal(estimateRequest(state(list), 'en'), Math.ceil(all / 3))
  const counted = { tokens: 5_000, items: 1 }
  assert.equal(estimateRequest(state(list, { counted }), 'en'), 5_000 + Math.ceil(measureItems(second ? [second] : [], 'en') / 3))
})

test('weighPrompt: the list, arrivals that wait and results of the last output', () => {
  const empty = weighPrompt(state(initialPromptList(false)), 'en')
  assert.equal(empty, measureFixed(epoch))
  assert.equal(weighPrompt(state(initialPromptList(false), { epoch: null }), 'en'), 0)
  assert.equal(weighPrompt(state(heard(['12345', '678'])), 'en'), empty + 8)
  const called = evolvePrompt(heard([]), {
    type: 'generated',
    seen: 0,
    parts: [{ type: 'call', call: 'c1', name: 't', input: {} }],
    seq: 1,
    at: 0,
    offset: 0,
  })
  const settled = evolvePrompt(called, {
    type: 'settled',
    call: 'c1',
    end: { is: 'result', ok: true, text: '1234567' },
    seq: 2,
    at: 0,
    offset: 0,
  })
  assert.equal(weighPrompt(state(settled), 'en'), weighPrompt(state(called), 'en') + 7)
})

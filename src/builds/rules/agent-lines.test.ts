import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentLines, type LineItem } from './agent-lines.ts'
import type { AgentItem } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { asksText, building, running, starts, type Story, wholeBuild } from './test/agent-script.ts'
import { type BrokenOutput, brokenOutputs } from './test/broken-outputs.ts'

const encode = (output: string | Uint8Array): Uint8Array => (typeof output === 'string' ? new TextEncoder().encode(output) : output)

function readIn(output: string | Uint8Array, chunkBytes: number): LineItem[] {
  const all = encode(output)
  const lines = agentLines()
  const items: LineItem[] = []
  for (let from = 0; from < all.length; from += chunkBytes) items.push(...lines.push(all.subarray(from, from + chunkBytes)))
  return [...items, ...lines.end()]
}

const named = (item: LineItem): string => ('note' in item ? 'note' : 'fault' in item ? `fault ${item.fault.rule}` : item.event.type)

const given: Record<BrokenOutput['given'], () => Story> = {
  nothing: () => building(),
  running: () => building().sends(running),
  asking: () => building().sends(running, starts('build_record'), asksText('q1')),
  over: () => building().sends(...wholeBuild),
}

for (const broken of brokenOutputs) {
  test(`broken output: ${broken.name}`, () => {
    const items = readIn(broken.output, 64 * 1024)
    assert.deepEqual(items.map(named), broken.items)
    const story = given[broken.given]()
    assert.deepEqual(story.faults(), [])
    const before = story.public().length
    const taken = items.filter((item): item is AgentItem => !('note' in item))
    story.does({ type: 'take-items', turn: 1, items: taken })
    assert.deepEqual(story.public().slice(before), broken.shown)
    // Lines that are neither shown nor a note are kept for the operator.
    const logged = story.last.filter(({ type }) => type === 'build.faulted' || type === 'build.words.guarded').length
    if (taken.length > broken.shown.length) assert.ok(logged >= taken.length - broken.shown.length)
    for (const event of story.last) {
      if (event.type !== 'assistant.message.created') continue
      for (const never of ['[FROM', '\u001b', '\0']) assert.ok(!event.data.text.includes(never))
    }
  })
}

test('the corpus is there and has no name twice', (t) => {
  t.diagnostic(`${brokenOutputs.length} outputs`)
  assert.ok(brokenOutputs.length >= 40)
  assert.equal(new Set(brokenOutputs.map(({ name }) => name)).size, brokenOutputs.length)
})

test('where the bytes are cut does not matter', () => {
  for (const { name, output } of brokenOutputs.filter((one) => one.output.length < 2_000)) {
    const whole = readIn(output, 1e9)
    for (const size of [1, 2, 7]) assert.deepEqual(readIn(output, size), whole, `${name} by ${size}`)
  }
})

test('a line may be as long as the limit and no longer', () => {
  const long = (chars: number): string => `{"payload":"${'x'.repeat(chars - 14)}"}`
  const getFault = (chars: number): string => {
    const [item] = readIn(`${long(chars)}\n`, 1_024)
    return item && 'fault' in item ? item.fault.words : ''
  }
  assert.match(getFault(buildLimits.lineBytes), /"type" is missing/)
  assert.match(getFault(buildLimits.lineBytes + 1), /more than/)
})

test('a program that chatters does not fill the log', () => {
  assert.equal(readIn('noise\n'.repeat(10_000), 4_096).length, 50)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { checkReminder, checkReplacement, estimatePrompt, findLevel, mayCompact, measureRoom } from './context-levels.ts'
import { describeCompacted, type ListedResult, planCompaction } from './shortened-results.ts'
import { resolveWindow } from '../../../agents/models/window.ts'

const roomFor = (model: string, contextLength?: number) => measureRoom(resolveWindow(model, { configured: contextLength }))
const windows = fc.record({
  windowTokens: fc.integer({ min: 256, max: 2_000_000 }),
  inputShare: fc.double({ min: 0.3, max: 1, noNaN: true }),
  maxOutputTokens: fc.option(fc.integer({ min: 1, max: 400_000 })),
})
const rooms = windows.map(({ windowTokens, inputShare, maxOutputTokens }) =>
  measureRoom({ windowTokens, inputLimitTokens: Math.floor(windowTokens * inputShare), maxOutputTokens }),
)

describe('measureRoom', () => {
  for (const [model, contextLength, outputTokens, usableTokens, cautionTokens, countdown] of [
    ['my-own-model', undefined, 4_096, 28_672, 17_203, 2],
    ['my-own-model', 8_192, 1_638, 6_554, 3_932, 2],
    ['gpt-4o', undefined, 16_384, 111_616, 66_969, 5],
    ['gpt-5', undefined, 32_000, 272_000, 100_000, 5],
    ['claude-haiku-4-5', undefined, 32_000, 168_000, 100_000, 5],
    ['gpt-6-sol', undefined, 32_000, 922_000, 100_000, 5],
  ] as const)
    test(`${model}, ${contextLength ?? 'table'}`, () => {
      const room = roomFor(model, contextLength)
      assert.deepEqual(
        [room.outputTokens, room.usableTokens, room.cautionTokens, room.countdown],
        [outputTokens, usableTokens, cautionTokens, countdown],
      )
    })

  test('every size is a share of the usable tokens', () => {
    assert.deepEqual(measureRoom({ windowTokens: 10_000, inputLimitTokens: 10_000, maxOutputTokens: null }), {
      outputTokens: 2_000,
      usableTokens: 8_000,
      cautionTokens: 4_800,
      compactTokens: 6_000,
      compactedTokens: 4_000,
      criticalTokens: 7_200,
      countdown: 2,
      reminderTokens: 800,
      snapshotTokens: 2_000,
      requestTokens: 1_600,
      firstBatchTokens: 4_800,
    })
  })

  test('prompt and output fit into every window, and the levels are in order', () => {
    fc.assert(
      fc.property(windows, ({ windowTokens, inputShare, maxOutputTokens }) => {
        const inputLimitTokens = Math.floor(windowTokens * inputShare)
        const room = measureRoom({ windowTokens, inputLimitTokens, maxOutputTokens })
        assert.ok(room.outputTokens + room.usableTokens <= windowTokens && room.usableTokens <= inputLimitTokens)
        assert.ok(room.outputTokens > 0 && room.usableTokens > 0)
        assert.ok(room.cautionTokens <= room.compactTokens && room.compactTokens <= room.criticalTokens)
        assert.ok(room.compactedTokens <= room.compactTokens && room.criticalTokens <= room.usableTokens)
      }),
    )
  })
})

describe('findLevel', () => {
  const room = roomFor('claude-haiku-4-5')

  test('each level begins at its threshold', () => {
    const levels = [99_999, 100_000, 126_000, 151_200, 168_000, 168_001].map((tokens) => findLevel(tokens, room))
    assert.deepEqual(levels, ['normal', 'caution', 'caution', 'critical', 'critical', 'full'])
  })
  test('a course has two compactions, from three quarters of the usable size on', () => {
    assert.deepEqual(
      [125_999, 126_000, 168_001].map((tokens) => [0, 1, 2].map((compactions) => mayCompact(tokens, room, compactions))),
      [
        [false, false, false],
        [true, true, false],
        [true, true, false],
      ],
    )
  })
  test('a larger prompt never has a lower level', () => {
    const order = ['normal', 'caution', 'critical', 'full']
    fc.assert(
      fc.property(rooms, fc.nat(2_500_000), fc.nat(2_500_000), (any, one, other) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)]
        assert.ok(order.indexOf(findLevel(small, any)) <= order.indexOf(findLevel(large, any)))
      }),
    )
  })
})

test('estimatePrompt: the last count and the new bytes, or all bytes', () => {
  assert.equal(estimatePrompt({ promptTokens: 1_000, addedBytes: 31 }, 99_999), 1_011)
  assert.equal(estimatePrompt(null, 31), 11)
})

describe('checkReminder', () => {
  const room = roomFor('gpt-4o')
  test('accepts, and refuses by number, length and sum', () => {
    assert.equal(checkReminder([], 'x'.repeat(4_000), room), null)
    assert.equal(checkReminder(Array<string>(30).fill('x'), 'y', room), 'too-many')
    assert.equal(checkReminder([], 'x'.repeat(4_001), room), 'too-long')
    assert.equal(checkReminder(Array<string>(9).fill('x'.repeat(4_000)), 'x'.repeat(4_000), room), 'too-large-together')
    const small = roomFor('mine', 8_192)
    assert.equal(checkReminder([], 'x'.repeat(small.reminderTokens * 3), small), null)
    assert.equal(checkReminder([], 'x'.repeat(small.reminderTokens * 3 + 1), small), 'too-large-together')
  })
})

describe('checkReplacement', () => {
  const room = roomFor('mine', 8_192)
  const most = room.reminderTokens * 3
  const replace = (reminders: readonly string[], text: string) => checkReplacement(reminders, 0, text, room)
  test('refuses a longer text beyond the sum, and takes a shorter one at any size', () => {
    assert.equal(replace(['x', 'y'], 'x'.repeat(most - 1)), null)
    assert.equal(replace(['x', 'y'], 'x'.repeat(most)), 'too-large-together')
    assert.equal(replace(['x'.repeat(most), 'y'.repeat(most)], 'x'.repeat(most - 1)), null)
    assert.equal(replace(['x'], 'x'.repeat(4_001)), 'too-long')
  })
})

describe('planCompaction', () => {
  const room = roomFor('gpt-4o')
  const result = (more: Partial<ListedResult> = {}): ListedResult => ({
    tool: 'read_file',
    text: 'x'.repeat(30_000),
    isFailed: false,
    handle: 'o17',
    outputsAfter: 20,
    isProtected: false,
    ...more,
  })

  test('describes a result that it replaces', () => {
    assert.equal(describeCompacted(result()), '[read_file: 30000 characters, ok; recall_output o17]')
    assert.equal(describeCompacted(result({ isFailed: true, text: 'no' })), '[read_file: 2 characters, failed; recall_output o17]')
  })
  test('takes the oldest first and stops at half of the usable size', () => {
    assert.deepEqual(
      planCompaction(
        Array.from({ length: 10 }, () => result()),
        84_000,
        room,
      ).chosen,
      [0, 1, 2],
    )
  })
  test('leaves short, recent and protected results', () => {
    const list = [
      result({ isProtected: true }),
      result({ text: 'x'.repeat(400) }),
      result({ outputsAfter: 9 }),
      result({ outputsAfter: 10 }),
    ]
    assert.deepEqual(planCompaction(list, 84_000, room).chosen, [3])
  })
  test('does nothing below the target', () => {
    assert.deepEqual(planCompaction([result()], room.compactedTokens, room), { chosen: [], tokensLeft: room.compactedTokens })
  })
})

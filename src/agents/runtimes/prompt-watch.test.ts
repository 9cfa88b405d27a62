import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promptWatch } from './prompt-watch.ts'
import type { RequestPlan } from './request-plan.ts'

const watched = (): { plan: RequestPlan; learned: [number, boolean | undefined][] } => {
  const learned: [number, boolean | undefined][] = []
  const plan = { learnWindow: (tokens: number, isCut?: boolean) => void learned.push([tokens, isCut]) } as unknown as RequestPlan
  return { plan, learned }
}

test('promptWatch: a prompt that grows while its count stays equal was cut', () => {
  const { plan, learned } = watched()
  const watch = promptWatch()
  watch(plan, { dialog: 'd', epoch: 1, tokens: 4_096, listBytes: 20_000 }, () => null)
  watch(plan, { dialog: 'd', epoch: 1, tokens: 4_096, listBytes: 30_000 }, () => assert.fail('it is known'))
  assert.deepEqual(learned, [[4_096, true]])
})

test('promptWatch: a process that was killed between the two counts takes the first one from the log', () => {
  const { plan, learned } = watched()
  const count = { dialog: 'd', epoch: 1, tokens: 4_096, listBytes: 30_000 }
  promptWatch()(plan, count, () => null)
  assert.deepEqual(learned, [])
  promptWatch()(plan, count, () => ({ tokens: 4_096, listBytes: 20_000 }))
  assert.deepEqual(learned, [[4_096, true]])
})

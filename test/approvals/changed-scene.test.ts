import assert from 'node:assert/strict'
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePolicy, samplePolicy } from '../../src/authority/test/samples.ts'
import type { ParleyError } from '../../src/errors.ts'
import { defineTool } from '../../src/agents/tool.ts'
import { z } from 'zod'
import { bob, caller, eve, type Outcome, toolScene } from './tool-scene.ts'

const people = {
  people: { mia: { role: 'owner' }, ann: { role: 'operator' }, tim: { role: 'operator' }, bob: { role: 'member' } },
} as const
const mia = caller('mia', 'owner')
const ann = caller('ann', 'operator')

/** It was approved, has not run, and waits for a second decision. */
function assertAskedAgain(outcome: Outcome): void {
  assert.equal(outcome.result, null)
  assert.equal(outcome.approval?.approval?.isChanged, true)
}

test('an approved write is asked again when a folder of its path became a link', async () => {
  const scene = toolScene({ policy: makePolicy(people) })
  scene.file('src/a.ts', '')
  mkdirSync(join(scene.root, 'out'))
  const callOutcome = await scene.call('write_file', { path: 'out/new.ts', content: 'x' })
  renameSync(join(scene.root, 'out'), join(scene.root, 'old'))
  symlinkSync('src', join(scene.root, 'out'))
  assertAskedAgain(await scene.decide(callOutcome, { decision: 'once' }))
  assert.equal(existsSync(join(scene.root, 'src/new.ts')), false)
})

test('an approved command is asked again when its folder became a link', async () => {
  const scene = toolScene({ policy: makePolicy(people) })
  scene.file('precious/x', 'x')
  mkdirSync(join(scene.root, 'scratch'))
  const callOutcome = await scene.call('run', { command: 'rm -f x', cwd: 'scratch' })
  renameSync(join(scene.root, 'scratch'), join(scene.root, 'old'))
  symlinkSync('precious', join(scene.root, 'scratch'))
  const again = await scene.decide(callOutcome, { decision: 'once' })
  assertAskedAgain(again)
  assert.ok(
    again.approval?.approval?.shown.facts.some(({ value }) => value === 'precious'),
    'the real folder is shown',
  )
  assert.equal(existsSync(join(scene.root, 'precious/x')), true)
})

test('an approved command is asked again when a rule wants two keys by then', async () => {
  let policy = makePolicy(people)
  const scene = toolScene({ policy: () => policy })
  const callOutcome = await scene.call('run', { command: 'touch made' })
  policy = makePolicy({ ...people, policy: { rules: [{ ask: 'run(touch *)', keys: 2 }] } })
  assertAskedAgain(await scene.decide(callOutcome, { decision: 'once' }))
})

test('a person who may not decide learns nothing from the scope they try', async () => {
  const deploy = defineTool({
    name: 'deploy',
    description: 'Deploys.',
    input: z.object({ password: z.string() }),
    afterCrash: 'ask',
    gate: { kind: 'code' },
    run: () => 'deployed',
  })
  const scene = toolScene({ policy: makePolicy(people), tools: [deploy] })
  const { approval } = await scene.call('deploy', { password: 'hunter2' }, bob)
  const tryScope = async (password: string): Promise<string> => {
    try {
      await scene.parley.questions.answer(approval?.id ?? '', { decision: 'chat', scope: 'tool(deploy)', where: { password } }, bob)
      return 'taken'
    } catch (error) {
      return (error as ParleyError).code
    }
  }
  assert.deepEqual([await tryScope('h*'), await tryScope('x*')], ['not_addressed', 'not_addressed'])
})

test('a key of a person who may no longer decide does not count', async () => {
  const rules = { rules: [{ ask: 'run(touch *)', keys: 2 }], approvers: ['bob'] }
  let policy = makePolicy({ ...people, policy: rules })
  const scene = toolScene({ policy: () => policy })
  const callOutcome = await scene.call('run', { command: 'touch made' })
  await scene.decide(callOutcome, { decision: 'once' }, bob)
  policy = makePolicy({ ...people, policy: { rules: rules.rules } })
  const second = await scene.decide(callOutcome, { decision: 'once' }, ann)
  assert.equal(second.result, null)
  assert.equal(second.approval?.state, 'open')
})

test('only owners and operators open a dialog with a task document', async () => {
  const scene = toolScene({ policy: makePolicy({ people: samplePolicy.people }) })
  for (const by of [bob, eve]) await assert.rejects(scene.parley.dialogs.open({ taskdoc: 'secret/plan.tsk' }, by), { code: 'role_too_low' })
  for (const by of [mia, ann]) assert.ok((await scene.parley.dialogs.open({ taskdoc: 'secret/plan.tsk' }, by)).id)
})

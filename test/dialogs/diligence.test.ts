import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mind } from '../../src/ports/agent-runtime.ts'
import { ask, call, gate, last, teamWith, text, used, withTeam } from './team-scene.ts'

const mind = (most: number): { ada: Mind } => ({ ada: { diligence: { text: 'Is it really done?', most } } })

const looks = teamWith({ *ada(input) { yield text(`look ${input.context.filter((item) => item.kind === 'prompt').length}`) } }, mind(2)) // prettier-ignore

test('a root that would rest is told to look once more, within its budget, as a prompt in the log [diligence:push] [diligence:budget]', async () => {
  await withTeam(looks, async ({ begin, said, events }) => {
    const root = await begin('go')
    assert.deepEqual(await said(root), ['go', 'look 0', 'look 1', 'look 2'])
    assert.deepEqual(
      (await events(root, 'prompt.added')).map(({ why, text: words }) => [why, words]),
      [
        ['diligence', 'Is it really done?'],
        ['diligence', 'Is it really done?'],
      ],
    )
  })
})

test('after the last push nothing is asked, and words that end with a question are not pushed [diligence:exhausted]', async () => {
  await withTeam(looks, async ({ parley, begin, status }) => {
    const root = await begin('go')
    assert.deepEqual([(await parley.inbox()).count, await status(root)], [0, 'ready'])
  })
  const asks = teamWith({ *ada() { yield text('Which one do you want?') } }, mind(2)) // prettier-ignore
  await withTeam(asks, async ({ begin, said }) => assert.equal((await said(await begin('go'))).length, 2))
})

test('words and answers give a new budget; prompts about a full context do not use it up [diligence:reset] [diligence:own-budget]', async () => {
  await withTeam(looks, async ({ begin, say, said }) => {
    const root = await begin('go')
    await say(root, 'more')
    assert.equal((await said(root)).length, 8)
  })
  const full = teamWith({ *ada() { yield used(600); yield text('ok') } }, { ada: { ...mind(2).ada, context: { limit: 1_000, optimal: 500, critical: 900, cadence: 1 } } }) // prettier-ignore
  await withTeam(full, async ({ begin, events }) => {
    const prompts = (await events(await begin('go'), 'prompt.added')).map(({ why }) => why)
    assert.deepEqual(prompts.filter((why) => why === 'diligence').length, 2)
    assert.ok(prompts.includes('health'))
  })
})

test('not while something is asked or awaited, not in a side dialog, and 0 switches it off [diligence:root-only] [diligence:not-blocked] [diligence:off]', async () => {
  const slow = gate()
  const team = teamWith(
    {
      *ada(input) {
        const now = last(input)
        if (now?.kind === 'human') {
          if (now.text === 'go') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
          return yield ask('Which?')
        }
        yield text('ok')
      },
      async *bob() {
        await slow.passed
        yield text('done')
      },
    },
    { ...mind(1), bob: mind(1).ada },
  )
  await withTeam(team, async ({ begin, rest, children, events }) => {
    const root = await begin('go')
    slow.open()
    await rest()
    const [bob = ''] = await children(root)
    assert.deepEqual([await events(root, 'prompt.added'), await events(bob, 'prompt.added')], [[], []])
  })
  await withTeam(
    teamWith(
      {
        *ada() {
          yield text('ok')
        },
      },
      mind(0),
    ),
    async ({ parley, begin, said }) => {
      // prettier-ignore
      assert.deepEqual(await said(await begin('go')), ['go', 'ok'])
      assert.equal((await parley.inbox()).count, 0)
    },
  )
})

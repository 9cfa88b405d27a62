import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mind } from '../../src/ports/agent-runtime.ts'
import type { PushChange } from '../../src/dialogs/rules/dialog-events.ts'
import { lastText, modelTeam } from './model-scene.ts'
import { ask, call, gate, last, teamWith, text, used, withTeam, you } from './team-scene.ts'

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
  const full = modelTeam({ *ada() { yield used(120_000); yield text('ok') } }, mind(2)) // prettier-ignore
  await withTeam(full.team, async ({ begin, events }) => {
    const root = await begin('go')
    assert.equal((await events(root, 'prompt.told')).filter(({ block }) => block === 'diligence').length, 2)
    const kinds = (await events(root, 'prompt.noted')).flatMap(({ notes }) => notes.map(({ kind }) => kind))
    assert.deepEqual(kinds, ['caution'])
  })
})

test('a person turns pushes off and on, and a refill gives a root at rest the first new one at once [diligence:switch]', async () => {
  await withTeam(looks, async ({ parley, begin, say, said, rest }) => {
    const change = async (dialog: string, what: PushChange): Promise<unknown> => {
      const { pushes } = await parley.dialogs.apply(dialog, { type: 'change-pushes', change: what, by: you.by }, you)
      await rest()
      return pushes
    }
    const root = await begin('go')
    assert.deepEqual((await parley.dialogs.get(root)).pushes, { left: 0, most: 2, isOn: true })
    assert.deepEqual(await change(root, 'refill'), { left: 1, most: 2, isOn: true })
    assert.deepEqual(await said(root), ['go', 'look 0', 'look 1', 'look 2', 'look 3', 'look 4'])
    assert.deepEqual(await change(root, 'off'), { left: 0, most: 2, isOn: false })
    await say(root, 'more')
    assert.equal((await said(root)).length, 8)
    assert.deepEqual(await change(root, 'on'), { left: 2, most: 2, isOn: true })
    // Nothing was used since the last message, so there is nothing to refill.
    assert.deepEqual(await change(root, 'refill'), { left: 2, most: 2, isOn: true })
    assert.equal((await said(root)).length, 8)
  })
  const none = teamWith({ *ada() { yield text('ok') } }, mind(0)) // prettier-ignore
  await withTeam(none, async ({ parley, begin }) => {
    const root = await begin('go')
    assert.equal((await parley.dialogs.get(root)).pushes, undefined)
    const refused = parley.dialogs.apply(root, { type: 'change-pushes', change: 'off', by: you.by }, you)
    await assert.rejects(refused, { code: 'no_pushes' })
  })
})

test('a model at rest reads the first push of a refill as the newest item [diligence:switch]', async () => {
  const model = modelTeam({ *ada() { yield text('Done.') } }, { ada: { diligence: { text: null, most: 1 } } }) // prettier-ignore
  await withTeam(model.team, async ({ parley, begin, rest }) => {
    const root = await begin('go')
    assert.equal(model.requests.length, 2)
    await parley.dialogs.apply(root, { type: 'change-pushes', change: 'refill', by: you.by }, you)
    await rest()
    assert.equal(model.requests.length, 3)
    assert.match(lastText(model.requests.at(-1) ?? {}), /You stopped\./)
    assert.deepEqual((await parley.dialogs.get(root)).pushes, { left: 0, most: 1, isOn: true })
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

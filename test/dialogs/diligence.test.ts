import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mind } from '../../src/ports/agent-runtime.ts'
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

for (const language of ['en', 'zh'] as const) {
  test(`a spent budget asks a person once, in ${language}, by no call of the agent [diligence:exhausted] [q4h:system]`, async () => {
    await withTeam(looks, async ({ parley, begin, events, status }) => {
      const root = await begin('go', language)
      const [asked, more] = await events(root, 'question.asked')
      assert.ok(asked && !more)
      assert.deepEqual([asked.call, asked.by.name, asked.purpose], [null, 'parley', 'diligence'])
      assert.match(asked.ask.text, language === 'zh' ? /已被提醒 2 次/ : /told 2 times/)
      const [item] = asked.ask.items
      assert.deepEqual(item?.kind === 'choice' && item.options.map(({ value }) => value), ['continue', 'leave'])
      assert.deepEqual([(await parley.inbox()).count, await status(root)], [1, 'waiting'])
    })
  })
}

test('"continue" gives a new budget, "leave" or no answer lets it rest for good [diligence:continue] [diligence:leave]', async () => {
  for (const [answer, expected] of [
    ['continue', 7],
    ['leave', 4],
    ['decline', 4],
  ] as const) {
    await withTeam(looks, async ({ parley, begin, rest, said, status }) => {
      const root = await begin('go')
      const id = (await parley.inbox()).items[0]?.question.id ?? ''
      if (answer === 'decline') await parley.questions.decline(id, undefined, you)
      else await parley.questions.answer(id, { choice: answer }, you)
      await rest()
      assert.equal((await said(root)).length, expected, answer)
      assert.equal(await status(root), answer === 'continue' ? 'waiting' : 'ready')
    })
  }
})

test('the question blocks nothing: words, calls and replies go on while it is open, and it is not asked twice [diligence:does-not-block]', async () => {
  const team = teamWith(
    {
      *ada(input) {
        const now = last(input)
        if (now?.kind === 'human' && now.text === 'delegate')
          yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
        else yield text(now?.kind === 'call' ? 'reply is here' : 'ok')
      },
      *bob() {
        yield text('done')
      },
    },
    mind(1),
  )
  await withTeam(team, async ({ parley, begin, say, said, events }) => {
    const root = await begin('go')
    await say(root, 'delegate')
    assert.ok((await said(root)).includes('reply is here'))
    assert.equal((await parley.inbox()).count, 1)
    assert.equal((await events(root, 'question.asked')).length, 1)
  })
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

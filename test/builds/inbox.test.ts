import assert from 'node:assert/strict'
import { test } from 'node:test'
import { team } from '../../src/agents/scripted-team.ts'
import { inboxLimits, wholeInbox } from '../../src/server/routes/whole-inbox.ts'
import { fakeMessaging, makePairing } from '../../src/server/test/fake-messaging.ts'
import { buildingUnderTest, owner } from './building.ts'
import { answersFor, steadyAgent } from './steady-agent.ts'

const region = {
  id: 'q-region',
  prompt: 'Which region?',
  isSet: false,
  questions: [
    {
      id: 'q-region',
      prompt: 'Which region?',
      input: 'single_choice',
      options: [
        { id: 'eu', label: 'Europe' },
        { id: 'us', label: 'US' },
      ],
    },
  ],
}

const shown = { inDelivery: async <Item>(delivery: Item): Promise<Item> => delivery }

test('a build that waits is in the inbox with what it asks, with and without chat apps, until it is answered or stopped', async () => {
  const under = buildingUnderTest(team([steadyAgent()], { fast: true }))
  const { builds } = under.parley
  const [first, second] = [await builds.open({ prompt: 'One' }, owner), await builds.open({ prompt: 'Two' }, owner)]
  for (const { build_id: build } of [first, second]) await under.until(build, (status) => status === 'waiting')
  const messaging = fakeMessaging()
  messaging.people.push(makePairing())

  const alone = await wholeInbox(under.parley, undefined, shown)
  assert.deepEqual(
    new Map(alone.items.map((item) => (item.kind === 'build' ? [item.build.prompt, item.build.question] : [item.kind, null]))),
    new Map(['Two', 'One'].map((prompt) => [prompt, region])),
  )
  const all = await wholeInbox(under.parley, messaging, shown)
  assert.deepEqual([all.count, all.items.map(({ kind }) => kind)], [3, ['build', 'build', 'pairing']])

  await builds.answer(first.build_id, answersFor.one, owner)
  await under.until(first.build_id, (status) => status === 'waiting')
  await builds.cancel(second.build_id, owner)
  const [item, ...others] = (await wholeInbox(under.parley, undefined, shown)).items
  const details = item?.kind === 'build' ? item.build.question : null
  assert.deepEqual(
    [details?.id, details?.prompt, details?.isSet, details?.questions?.length, others],
    ['s-details', 'Two details.', true, 2, []],
  )
  await builds.answerAll(first.build_id, answersFor.all, owner)
  assert.deepEqual(await wholeInbox(under.parley, undefined, shown), { items: [], count: 0, emergency: null })
  assert.deepEqual((await builds.get(second.build_id)).question, null, 'one that was stopped asks nothing')
  await under.close()
})

test('of very many builds that wait the latest are shown, and all are counted', async () => {
  const under = buildingUnderTest(team([steadyAgent()], { fast: true }))
  const { builds } = under.parley
  const many = inboxLimits.page + 5
  for (let count = 0; count < many; count += 1) {
    const { build_id: build } = await builds.open({ prompt: `List ${count}` }, owner)
    await under.until(build, (status) => status === 'waiting')
  }
  const { items, count } = await wholeInbox(under.parley, undefined, shown)
  assert.deepEqual([items.length, count], [inboxLimits.shown, many])
  await under.close()
})

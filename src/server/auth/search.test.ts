import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Person } from '../../authority/people.ts'
import { defaultPolicy, type Policy } from '../../authority/policy.ts'
import type { Role } from '../../authority/roles.ts'
import { ClientError } from '../../client/client-error.ts'
import type { SearchPage } from '../../shapes/wire.ts'
import type { Caller } from '../../shapes/parley.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

const person = (key: string, role: Role): Person => ({ key, name: key, role, identities: [] })
const people = [person('mia', 'owner'), person('ann', 'operator'), person('bob', 'member'), person('eve', 'member')]
const policy: Policy = { ...defaultPolicy, people }

const as = (key: string, role: Role): Caller => ({ by: { kind: 'human', name: key, id: `person:${key}`, role }, via: 'web' })

let under: ServerUnderTest
before(async () => {
  under = await serverUnderTest({ policy: () => policy, limits: { requestsPerMinute: 1_000_000 } })
})
after(() => under.close())

/** Opens a dialog and waits for its reply. */
async function talk(words: string, caller: Caller): Promise<string> {
  const { id } = await under.parley.dialogs.open({ text: words }, caller)
  await until(async () => ['ready', 'waiting'].includes((await under.parley.dialogs.get(id)).status))
  return id
}

async function searchAs(key: string): Promise<(query: string) => Promise<SearchPage>> {
  const { cookie } = await under.access.redeem(under.access.signInKey({ person: key }).key)
  return async (query) => {
    const response = await fetch(`${under.url}/v1/search?${query}`, { headers: { cookie: `${under.access.cookieName}=${cookie}` } })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as SearchPage
  }
}

const dialogs = ({ items }: SearchPage): string[] => [...new Set(items.map(({ dialog }) => dialog))]

test('a search finds messages, questions and answers, with who said them and where the words are', async () => {
  const dialog = await talk('The zebra crosses 明天的会议', as('mia', 'owner'))
  const client = await under.client()
  const { items, next, indexing } = await client.search('zebra')
  assert.deepEqual([next, indexing], [null, null])
  assert.deepEqual(
    items.map(({ by, kind }) => [kind, by.kind, by.name]),
    [
      ['message', 'agent', 'ada'],
      ['message', 'human', 'mia'],
    ],
  )
  const [reply] = items
  assert.equal(reply?.dialog, dialog)
  assert.deepEqual(
    reply?.excerpt.marks.map(([from, to]) => reply.excerpt.text.slice(from, to)),
    ['zebra'],
  )
  assert.ok(
    (await under.parley.events.read({ stream: dialog, after: 0, limit: 100 })).some(
      ({ seq, data }) => seq === reply?.seq && 'message' in data && data.message === reply.item,
    ),
  )
  assert.deepEqual(dialogs(await client.search('会议')), [dialog])
  assert.deepEqual(dialogs(await client.search('ZEB 明天')), [dialog])
  assert.deepEqual((await client.search('zebras')).items, [])

  const asking = await talk('ask', as('mia', 'owner'))
  const [question] = (await under.parley.dialogs.get(asking)).questions
  assert.deepEqual(
    (await client.search('colour blue')).items.map(({ kind, item }) => [kind, item]),
    [['question', question?.id]],
  )
  await under.parley.questions.decline(question?.id ?? '', 'No umbrella today', as('mia', 'owner'))
  assert.deepEqual(
    (await client.search('umbrella')).items.map(({ kind, item }) => [kind, item]),
    [['answer', question?.id]],
  )
})

test('pages follow each other without gap or repeat', async () => {
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) ids.push(await talk(`giraffe ${index}`, as('mia', 'owner')))
  const client = await under.client()
  const seen: string[] = []
  for (let cursor: string | undefined; ;) {
    const { items, next } = await client.search('giraffe', { limit: 3, after: cursor })
    seen.push(...items.map(({ dialog, seq }) => `${dialog} ${seq}`))
    if (next === null) break
    assert.equal(items.length, 3)
    cursor = next
  }
  assert.equal(seen.length, 10)
  assert.equal(new Set(seen).size, 10)
  assert.deepEqual([...new Set(seen.map((one) => one.split(' ')[0]))], ids.toReversed())
})

test('a member finds only their own dialogs, and neither page nor cursor tells of others', async () => {
  const own = await talk('rhinoceros of eve', as('eve', 'member'))
  for (let index = 0; index < 60; index += 1) await under.parley.dialogs.open({ text: `rhinoceros ${index}` }, as('bob', 'member'))
  await until(async () => (await under.parley.dialogs.list({ status: 'working' })).items.length === 0)
  const [mia, ann, eve] = await Promise.all([searchAs('mia'), searchAs('ann'), searchAs('eve')])
  assert.deepEqual(dialogs(await eve('q=rhinoceros')), [own])
  assert.deepEqual((await eve('q=rhinoceros&limit=2')).next === null, false)
  assert.deepEqual((await eve('q=rhinoceros+bob')).items, [])
  const none = { items: [], next: null, indexing: null }
  await talk('okapi', as('bob', 'member'))
  assert.deepEqual(await eve('q=okapi'), none)
  assert.deepEqual(await eve('q=okapi'), await eve('q=wordthatnobodysaid'))
  assert.equal((await mia('q=okapi')).items.length, 2)
  assert.equal((await ann('q=okapi')).items.length, 2)
})

test('a token for one dialog finds that one alone', async () => {
  const [one, other] = [await talk('quagga here', as('mia', 'owner')), await talk('quagga there', as('mia', 'owner'))]
  const limited = await under.client(undefined, { token: await under.token(['read'], { role: 'member', limit: { dialog: one } }) })
  assert.deepEqual(dialogs(await limited.search('quagga')), [one])
  assert.deepEqual((await limited.search('there')).items, [])
  const all = await under.client(['read'])
  assert.deepEqual(dialogs(await all.search('quagga')), [other, one])
  const none = await under.client(undefined, { token: await under.token(['send'], { role: 'member' }) })
  await assert.rejects(none.search('quagga'), (error: unknown) => error instanceof ClientError && error.status === 403)
})

test('the words of a call that waits for an approval are found by nobody', async () => {
  await talk('deploy wombat42', as('bob', 'member'))
  const bob = await searchAs('bob')
  const { items } = await bob('q=wombat42')
  assert.deepEqual(
    items.map(({ kind, by }) => [kind, by.name]),
    [['message', 'bob']],
  )
})

test('searches without words, with too many and with a foreign cursor are refused with the reason', async () => {
  const client = await under.client()
  for (const words of ['', '?!', 'a', '😀', Array.from({ length: 11 }, (_, index) => `word${index}`).join(' '), 'x'.repeat(201)])
    await assert.rejects(
      client.search(words),
      (error: unknown) => error instanceof ClientError && [400, 413, 422].includes(error.status),
      words,
    )
  await assert.rejects(
    client.search('zebra', { after: 'x' }),
    (error: unknown) => error instanceof ClientError && error.code === 'bad_request',
  )
  assert.deepEqual((await client.search('zebra', { after: '1~said' })).items, [])
  assert.ok((await client.search('"zebra* OR (NEAR')).items.length === 0, 'no language of the index reaches it')
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'
import { fakeMessaging } from '../test/fake-messaging.ts'
import { buildTable } from '../test/route-table.ts'

describe('lists', () => {
  let under: ServerUnderTest
  let token: string
  before(async () => {
    under = await serverUnderTest({ messaging: fakeMessaging() })
    token = await under.token()
  })
  after(() => under.close())
  const get = (path: string): Promise<Response> => fetch(`${under.url}${path}`, { headers: { authorization: `Bearer ${token}` } })

  test('every GET route refuses ?after=abc', async (t) => {
    const lists = buildTable(under).filter(({ method, path }) => method === 'get' && path.startsWith('/v1/') && !path.includes('{'))
    t.diagnostic(`${lists.length} routes`)
    assert.ok(lists.length > 10)
    for (const { path } of lists) {
      const response = await get(`${path}?after=abc`)
      const { error } = (await response.json()) as { error: { code: string } }
      assert.deepEqual([response.status, error.code], [400, 'bad_request'], path)
    }
  })

  test('following `next` reads every dialog once', async () => {
    const client = await under.client()
    const opened = await Promise.all([1, 2, 3, 4, 5].map(() => client.dialogs.open({})))
    const texts: string[] = []
    for (let next: string | null = '/v1/dialogs?limit=2'; next !== null;) {
      const page = (await (await get(next)).json()) as { items: { id: string }[]; next: string | null }
      texts.push(...page.items.map(({ id }) => id))
      next = page.next === null ? null : `/v1/dialogs?limit=2&after=${encodeURIComponent(page.next)}`
    }
    assert.deepEqual(texts.toSorted(), opened.map(({ id }) => id).toSorted())
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { components } from '../../shapes/schemas/component.ts'
import { buildTable } from '../test/route-table.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'
import type { Route } from './route.ts'

/** Bytes, text or a stream instead of JSON of one shape. */
const withoutShape = new Set([
  'server.metrics',
  'server.openapi',
  'channels.file',
  'files.get',
  'builds.agUi',
  'dialogs.export',
  'session.signOut',
  'unclaimed.dismiss',
])

type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { content?: object }> }>>
  components: { schemas: Record<string, object> }
}

describe('the shapes of responses', () => {
  let under: ServerUnderTest
  let table: Route[]
  before(async () => {
    under = await serverUnderTest()
    table = buildTable(under)
  })
  after(() => under.close())

  test('every route has an operation id of noun and verb, and a named response', (t) => {
    t.diagnostic(`${table.length} routes`)
    assert.ok(table.length > 60)
    for (const { operation, response } of table) {
      assert.match(operation, /^[a-z][a-zA-Z]*\.[a-zA-Z]+$/)
      if (withoutShape.has(operation)) assert.equal(response, undefined, operation)
      else assert.ok(response && components.has(response), `${operation} has no named response`)
    }
    const operations = table.map(({ operation }) => operation)
    assert.equal(new Set(operations).size, operations.length, 'an operation id is used twice')
  })

  test('the document names every shape once, and every reference leads to one', async () => {
    const response = await fetch(`${under.url}/v1/openapi.json`, { headers: { authorization: `Bearer ${await under.token()}` } })
    const text = await response.text()
    const { paths, components: named } = JSON.parse(text) as Document
    assert.equal(paths['/v1/dialogs/{id}/messages']?.['post']?.operationId, 'dialogs.say')
    const references = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name))
    assert.ok(references.size > 20)
    for (const name of references) assert.ok(named.schemas[name], name)
    assert.doesNotMatch(text, /"\$ref":"#\/\$defs|__schema/)
  })
})

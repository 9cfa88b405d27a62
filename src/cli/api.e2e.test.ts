import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

const cli = cliFolder()
after(() => cli.close())

test('api: calls any route with the token of this folder', { timeout: 60_000 }, async () => {
  await cli.serve()
  const opened = await cli.run('api', 'POST', '/v1/dialogs', '--body', '{"title": "By hand"}', '--json')
  const { id } = JSON.parse(opened.out) as { id: string }
  const listed = await cli.run('api', 'GET', '/v1/dialogs?limit=5')
  assert.match(listed.out, /"title": "By hand"/)
  const renamed = await cli.run('api', 'PATCH', `/v1/dialogs/${id}`, '--body', '{"title": "Renamed"}')
  assert.match(renamed.out, /"title": "Renamed"/)
  const refused = await cli.run('api', 'GET', '/v1/dialogs?after=abc', '--json')
  assert.notEqual(refused.code, 0)
  assert.match(refused.out + refused.err, /bad_request/)
  const wrong = await cli.run('api', 'GET', 'v1/dialogs')
  assert.match(wrong.err, /is not a path/)
})

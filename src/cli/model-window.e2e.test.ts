import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

/** As llama.cpp describes its model. */
const server = createServer((request, response) => {
  const isProps = request.url === '/props'
  response.writeHead(isProps ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isProps ? { default_generation_settings: { n_ctx: 8_192 } } : { error: { message: 'no' } }))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const cli = cliFolder()
after(async () => {
  await cli.close()
  server.close()
})
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

test('model set writes the window that the server has loaded, and doctor warns where none is known', async () => {
  const set = await cli.run('model', 'set', 'openai-compatible', '--base-url', baseUrl, '--model', 'local')
  assert.equal(set.code, 0, set.err)
  assert.match(set.out, /window 8,192 tokens \(from the server\)\n {2}models\.main\.contextLength is now 8,192/)
  const file = join(cli.dir, 'parley.yaml')
  assert.match(readFileSync(file, 'utf8'), /contextLength: 8192/)
  assert.match(readFileSync(join(cli.dir, '.parley', 'models.json'), 'utf8'), /"windowTokens": 8192/)
  assert.equal(
    (await cli.run('config', 'set', 'models.other', '{ provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", model: strange }'))
      .code,
    0,
  )
  const { findings } = await cli.json<{ findings: { check: string; what: string }[] }>('doctor')
  const unknown = findings.filter(({ what }) => what.includes('window unknown')).map(({ what }) => what)
  assert.deepEqual(unknown, ['Model "other": window unknown; 32,768 tokens are assumed.'])
})

test('model set proposes the last known price with its month, and the command it prints sets it', async () => {
  const set = () => cli.run('model', 'set', 'openai-compatible', '--base-url', baseUrl, '--model', 'grok-4.3', '--name', 'priced')
  const { code, out, err } = await set()
  assert.equal(code, 0, err)
  const [, setting = '', price = ''] = /In 2026-11 it cost 1\.25 USD .* parley config set (\S+) '(.*)'/.exec(out) ?? []
  assert.equal((await cli.run('config', 'set', setting, price)).code, 0, out)
  assert.match(readFileSync(join(cli.dir, 'parley.yaml'), 'utf8'), /price:\s*\{?\s*"?inputPerMillion"?: 1\.25/)
  assert.doesNotMatch((await set()).out, /USD/)
})

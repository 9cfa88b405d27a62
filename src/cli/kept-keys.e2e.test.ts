// needs: sandbox
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

const cli = cliFolder()
after(() => cli.close())

/** Says what the process of the server has in its environment. */
const spy = `export default {
  name: 'spy', about: '', tools: [],
  *reply() { yield { type: 'text', text: 'in the process: ' + String(process.env.KEPT_KEY) } },
}`

test('keys of secrets.env fill parley.yaml and are not in the environment of the process', { timeout: 60_000 }, async () => {
  mkdirSync(join(cli.dir, '.parley'))
  writeFileSync(join(cli.dir, '.parley/secrets.env'), 'KEPT_KEY=very-secret-key\n', { mode: 0o600 })
  writeFileSync(join(cli.dir, 'spy.mjs'), spy)
  writeFileSync(
    join(cli.dir, 'parley.yaml'),
    'team: { members: { spy: { runtime: scripted, module: ./spy.mjs, about: "${KEPT_KEY}" }, prog: { runtime: command, command: [sh, -c, "env; echo KEPT=$KEPT_KEY"] } } }',
  )
  await cli.serve()
  const result = await cli.run('send', 'hello', '--wait', '--agent', 'spy')
  assert.match(result.out, /in the process: undefined/)
  const listed = await cli.run('send', 'hello', '--wait', '--agent', 'prog')
  assert.match(listed.out, /KEPT=$/m)
  assert.doesNotMatch(listed.out, /very-secret-key/)
  const { url, token } = JSON.parse(readFileSync(join(cli.dir, '.parley/server.json'), 'utf8')) as { url: string; token: string }
  const info = await fetch(`${url}/v1/info`, { headers: { authorization: `Bearer ${token}` } })
  assert.match(await info.text(), /"about":"very-secret-key"/)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parleyClient, type ParleyClient } from '../src/client/index.ts'
import { type RunningParley, startParley } from '../src/app/serve.ts'
import { until } from '../src/server/test/server-under-test.ts'
import { localToken } from '../src/server/auth/access.ts'
import { loadSecret } from '../src/server/auth/secret.ts'

const people = `people:
  mia: { role: owner }
  ann: { role: operator }
`

describe('people and policy of a running server', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-policy-'))
  const write = (text: string): void => writeFileSync(join(dir, 'parley.yaml'), text)
  let running: RunningParley
  let client: ParleyClient

  before(async () => {
    write(`${people}policy: { preset: locked }\n`)
    running = await startParley({ dir, port: 0, fast: true })
    const token = localToken(loadSecret({ dataDir: join(dir, '.parley') }))
    client = parleyClient({ baseUrl: running.url, token, tries: 1 })
  })
  after(async () => {
    client.close()
    await running.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const decision = async (): Promise<string> => (await client.policy.explain({ tool: 'write', text: 'a.txt' })).decision

  test('are in force from the start', async () => {
    assert.equal((await client.policy.show()).preset, 'locked')
    assert.equal(await decision(), 'deny')
    assert.deepEqual(
      (await client.policy.show()).people.map(({ key, role }) => `${key} ${role}`),
      ['mia owner', 'ann operator'],
    )
    assert.deepEqual(running.problems(), [])
  })

  test('A30: a mistake on reload keeps the policy that was in force, and is a problem that names its line', async () => {
    write(`${people}policy: { preset: ask, rulez: [] }\n`)
    await until(() => running.problems().length > 0)
    assert.match(running.problems().join('\n'), /parley\.yaml:4: policy\.rulez: the field "rulez" is not known/)
    assert.match(running.problems().join('\n'), /policy: the policy before this change stays in force/)
    assert.equal(await decision(), 'deny')
    write(`${people}polcy: { preset: ask }\n`)
    await until(() => running.problems().join('\n').includes('Did you mean "policy"'))
    assert.equal(await decision(), 'deny')
    write(`${people}policy: { preset: ask }\n`)
    await until(() => running.problems().length === 0)
    assert.equal(await decision(), 'ask')
  })

  test('a lower role counts at once, also for a browser that is signed in', async () => {
    const { url } = await client.link({ for: 'ann' })
    const key = url.slice(url.indexOf('#k=') + 3)
    const signIn = await fetch(`${running.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: running.url },
      body: JSON.stringify({ key }),
    })
    const cookie = (signIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const status = async (): Promise<number> => (await fetch(`${running.url}/v1/deliveries`, { headers: { cookie } })).status
    assert.equal(await status(), 200)
    write('people:\n  mia: { role: owner }\n  ann: { role: member }\n')
    await until(async () => (await status()) === 403)
    await assert.rejects(client.link({ for: 'bob' }), { code: 'person_not_found' })
  })

  test('A30: a server does not start with a mistake in its policy', async () => {
    const other = mkdtempSync(join(tmpdir(), 'parley-policy-'))
    try {
      writeFileSync(join(other, 'parley.yaml'), `${people}policy:\n  rules:\n    - { ask: run(pay), keys: 2 }\n`)
      await assert.rejects(startParley({ dir: other, port: 0, fast: true }), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'policy_invalid')
        assert.match(error.message, /parley\.yaml:6: policy\.rules\.0\.keys: 2 keys need at least 3 people/)
        return true
      })
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })
})

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventually } from '../../test/fixtures/eventually.ts'

const cli = fileURLToPath(new URL('./main.ts', import.meta.url))
const agent = fileURLToPath(new URL('../../test/fixtures/chat-agent.ts', import.meta.url))
const env = { ...process.env, NO_COLOR: '1' }

async function start(t: TestContext, cwd: string, args: string[]): Promise<{ child: ChildProcess; said: Record<string, string> }> {
  const child = spawn(process.execPath, [cli, ...args, '--json'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const said = await eventually(() => {
    try {
      return JSON.parse(text) as Record<string, string>
    } catch {
      return null
    }
  }, args.join(' '))
  return { child, said }
}

test('worlds host and worlds join: a real host, an owner who joins, is checked, changes the key and leaves', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-worlds-cli-'))
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  const [owner, place] = [join(dir, 'owner'), join(dir, 'host')]
  for (const each of [owner, place]) mkdirSync(each)
  const yaml = `team:\n  members:\n    ada:\n      runtime: scripted\n      module: ${agent}\nworlds:\n  agents:\n    ada: {}\n`
  writeFileSync(join(owner, 'parley.yaml'), yaml)
  const parley = async (...args: string[]): Promise<{ code: number; out: string }> =>
    promisify(execFile)(process.execPath, [cli, ...args], { cwd: owner, env }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, out: error.stdout + error.stderr }),
    )

  const host = await start(t, place, ['worlds', 'host', '--port', '0'])
  const { url = '' } = host.said
  assert.equal((await parley('worlds', 'join', 'https://127.0.0.1:1')).code === 0, false)
  assert.ok(!readFileSync(join(owner, 'parley.yaml'), 'utf8').includes('host:'))
  assert.equal((await parley('worlds', 'join', url)).code, 0)
  assert.match(readFileSync(join(owner, 'parley.yaml'), 'utf8'), /host: http:\/\/127/)

  const server = await start(t, owner, ['serve', '--port', '0'])
  const online = async (): Promise<boolean> => ((await (await fetch(`${url}/healthz`)).json()) as { connections: number }).connections === 1
  await eventually(online, 'the owner is connected')
  const doctor = await parley('worlds', 'doctor')
  assert.match(doctor.out, /parley worlds set ada --name/)
  assert.equal((await parley('worlds', 'set', 'ada', '--name', 'Ada', '--profile', '')).code, 0)
  assert.equal((await parley('worlds', 'doctor')).code, 0)
  const said = async (...args: string[]): Promise<string> => (await parley(...args)).out
  assert.match(await said('worlds', 'set'), /nothing to change/)
  assert.match(await said('worlds', 'set', '--world', 'wld_1'), /--world needs a budget/)
  assert.match(await said('worlds', 'set', '--money', 'little'), /"little" is not an amount/)
  assert.match(await said('worlds', 'set', '--mute', 'wld_1', '--unmute', 'wld_1'), /Leave one of them out/)
  assert.match(await said('worlds', 'set', '--mute', 'wld_1'), /no world wld_1 here/)
  assert.match(await said('worlds', 'set', '--world', 'wld_1', '--money', '1'), /no world wld_1 here/)
  assert.match(await said('requests', 'limit', 'crq_1'), /nothing to change/)
  assert.match(await said('requests', 'limit', 'crq_1', '--turns', '5'), /no chat request crq_1 here/)
  const created = await said('worlds', 'create', 'Club', '--text', 'Swap lists.', '--join-text', 'Reads.')
  const club = /wld_\w+/.exec(created)?.[0] ?? ''
  assert.equal((await parley('worlds', 'set', '--mute', club)).code, 0)
  assert.match(await said('worlds', 'account'), new RegExp(`declined from ${club}`))
  assert.equal((await parley('worlds', 'set', '--unmute', club)).code, 0)
  assert.doesNotMatch(await said('worlds', 'account'), /declined from/)

  const keys = join(owner, '.parley', 'worlds', readdirSync(join(owner, '.parley', 'worlds'))[0] ?? '')
  for (const file of readdirSync(keys)) assert.equal(statSync(join(keys, file)).mode & 0o777, 0o600)
  const key = async (): Promise<string> =>
    (JSON.parse((await parley('worlds', 'key', '--json')).out) as { keys: { key: string }[] }).keys[0]?.key ?? ''
  const before = await key()
  assert.equal((await parley('worlds', 'key', '--account', 'ada', '--export', 'ada.key')).code, 0)
  assert.equal(statSync(join(owner, 'ada.key')).mode & 0o777, 0o600)
  assert.equal((await parley('worlds', 'key', '--rotate')).code, 0)
  assert.notEqual(await key(), before)
  await eventually(async () => (await parley('worlds', 'doctor')).code === 0, 'the server goes on with the new key')
  assert.match((await parley('worlds', 'export', 'crq_none')).out, /crq_none/)
  assert.deepEqual(
    (JSON.parse((await parley('worlds', 'key', '--account', 'mira', '--rotate', '--json')).out) as { keys: object[] }).keys,
    [],
  )
  const pin = await parley('worlds', 'peers', '--pin', `Mira#8k4tqz=${before}`)
  assert.match(pin.out, /Noted the key of 8K4TQZ: /)
  assert.match((await parley('worlds', 'peers', '--pin', `8K4TQZ=${await key()}`)).out, /8K4TQZ: the key changed from /)
  assert.equal((await parley('worlds', 'peers', '--accept', '8K4TQZ')).code, 0)
  assert.match((await parley('worlds', 'peers', '--decline', '8K4TQZ')).out, /No changed key of 8K4TQZ waits/)
  assert.match((await parley('worlds', 'peers', '--pin', '8K4TQZ=no-key')).out, /is not a code and a key/)

  server.child.kill('SIGTERM')
  await eventually(() => server.child.exitCode !== null || server.child.signalCode !== null, 'the server has stopped')
  assert.equal((await parley('worlds', 'disconnect')).code, 0)
  assert.ok(existsSync(keys))
  assert.equal((await parley('worlds', 'join', url)).code, 0)
  assert.equal((await parley('worlds', 'disconnect', '--remove')).code, 0)
  assert.ok(!existsSync(keys))
  assert.ok(!readFileSync(join(owner, 'parley.yaml'), 'utf8').includes('host:'))
})

import assert from 'node:assert/strict'
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'parley-trust-'))

/** A project whose parley.yaml runs code when a team is made of it, and a folder below in which commands are run. */
describe('parley.yaml of a folder above', () => {
  let project: string
  let below: string
  let marks: { module: string; plugin: string }
  const env = {
    ...process.env,
    LANG: 'C',
    LC_ALL: '',
    PARLEY_URL: '',
    PARLEY_TOKEN: '',
    PARLEY_DATA: '',
    NODE_OPTIONS: '',
    A_KEY: 'sk-secret',
  }
  const run = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [main, ...args], { cwd: below, env, encoding: 'utf8', timeout: 60_000 })
  const ran = (): { module: boolean; plugin: boolean } => ({ module: existsSync(marks.module), plugin: existsSync(marks.plugin) })
  let n = 0

  beforeEach(() => {
    project = join(home, `project${(n += 1)}`)
    below = join(project, 'a', 'b')
    mkdirSync(below, { recursive: true })
    chmodSync(project, 0o755)
    marks = { module: join(home, `module-${n}`), plugin: join(home, `plugin-${n}`) }
    const code = (mark: string): string =>
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\nexport default { name: 'eve', *reply() {} }\n`
    writeFileSync(join(project, 'agent.mjs'), code(marks.module))
    mkdirSync(join(project, 'plug'))
    writeFileSync(join(project, 'plug', 'index.mjs'), code(marks.plugin))
    writeFileSync(
      join(project, 'parley.yaml'),
      [
        'server: { port: 0 }',
        'store: { path: ./own-data }',
        'team: { members: { eve: { runtime: scripted, module: ./agent.mjs } } }',
        'plugins: { plug: { module: ./plug/index.mjs } }',
        '',
      ].join('\n'),
    )
  })
  after(() => rmSync(home, { recursive: true, force: true }))

  const commands = [
    ['doctor'],
    ['plugins', 'check', 'plug'],
    ['plugins', 'list'],
    ['model', 'list'],
    ['config', 'where'],
    ['config', 'get'],
  ]
  const untrusted: [string, () => void, RegExp][] = [
    ['the folder can be written by others', () => chmodSync(project, 0o777), /other accounts can write/],
    ['the file can be written by others', () => chmodSync(join(project, 'parley.yaml'), 0o666), /other accounts can write/],
    // Only root can give a file away; elsewhere trust.test.ts covers the owner.
    ...(process.getuid?.() === 0
      ? ([
          ['another account owns the file', () => chownSync(join(project, 'parley.yaml'), 12_345, 12_345), /another account owns/],
          ['another account owns the folder', () => chownSync(project, 12_345, 12_345), /another account owns/],
        ] as [string, () => void, RegExp][])
      : []),
  ]

  for (const [what, spoil, why] of untrusted)
    test(`is ignored with one line and runs no code: ${what}`, () => {
      spoil()
      for (const args of what.startsWith('the folder') ? commands : [['doctor']]) {
        const { stderr } = run(...args)
        assert.match(stderr, why, `${args.join(' ')}: ${stderr}`)
        assert.equal(stderr.split('Ignored ').length - 1, 1, `${args.join(' ')}: one line`)
        assert.match(stderr, /parley serve --config /)
        assert.deepEqual(ran(), { module: false, plugin: false }, args.join(' '))
      }
      const { data, config } = JSON.parse(run('config', 'where', '--json').stdout) as { data: string; config: string }
      assert.deepEqual([config, data], [join(below, 'parley.yaml'), join(below, '.parley')])
    })

  test('sends no key of the environment to an address that a stranger wrote down', async () => {
    const requests: string[] = []
    const evil = createServer((request, response) => {
      requests.push(String(request.headers.authorization))
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(evil, 'listening')
    try {
      const { port } = evil.address() as AddressInfo
      const model = `{ provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1", model: m, apiKey: "\${A_KEY}" }`
      writeFileSync(join(project, 'parley.yaml'), `models: { main: ${model} }\n`)
      chmodSync(project, 0o777)
      const doctor = spawn(process.execPath, [main, 'doctor'], { cwd: below, env, stdio: 'ignore' })
      await once(doctor, 'exit')
      assert.deepEqual(requests, [])
    } finally {
      evil.close()
    }
  })

  test('of the own account is used', () => {
    const { stderr } = run('doctor')
    assert.doesNotMatch(stderr, /Ignored/)
    assert.equal(ran().module, true)
    run('plugins', 'check', 'plug')
    assert.equal(ran().plugin, true)
  })

  /** Starts a server and returns the paths of its first line of JSON. */
  async function serve(): Promise<{ data: string; problems: string[]; err: string }> {
    const server = spawn(process.execPath, [main, 'serve', '--json', '--port', '0'], { cwd: below, env })
    let err = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
    server.kill('SIGTERM')
    await once(server, 'close')
    return { ...(JSON.parse(line) as { data: string; problems: string[] }), err }
  }

  test('is used by serve with everything that belongs to it', async () => {
    const { data, err } = await serve()
    assert.equal(data, join(project, 'own-data'))
    assert.deepEqual(ran(), { module: true, plugin: true })
    assert.match(err, /Using .*parley\.yaml/)
    assert.equal(existsSync(join(below, '.parley')), false)
  })

  test('is not used by serve in any part when it is not trusted', async () => {
    chmodSync(project, 0o777)
    const { data, problems, err } = await serve()
    assert.equal(data, join(below, '.parley'))
    assert.deepEqual(problems, [])
    assert.deepEqual(ran(), { module: false, plugin: false })
    assert.match(err, /Ignored .*parley\.yaml/)
    assert.equal(existsSync(join(project, 'own-data')), false)
  })

  test('with a note of a running server that others can write, no command is sent there', () => {
    mkdirSync(join(project, '.parley'))
    const note = join(project, '.parley', 'server.json')
    writeFileSync(note, JSON.stringify({ url: 'http://127.0.0.1:1', token: 't', pid: process.pid, version: '0' }))
    assert.match(run('config', 'where').stdout, /127\.0\.0\.1:1/)
    chmodSync(note, 0o666)
    assert.doesNotMatch(run('config', 'where').stdout, /127\.0\.0\.1:1/)
  })
})

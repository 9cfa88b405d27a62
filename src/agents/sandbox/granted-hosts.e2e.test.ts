// needs: sandbox
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { initialProgress } from '../../builds/rules/rules.ts'
import type { BuildTurn } from '../../ports/agent-runtime.ts'
import { commandBuilds } from '../runtimes/build-command.ts'
import type { Launched } from './launcher.ts'
import { confined } from './test/confined.ts'

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-hosts-')))
const project = join(outside, 'project')
const server = createServer((_, response) => response.end('from the host'))
let port = 0
const closing: (() => Promise<void>)[] = []

async function run(command: string, hosts: string[]): Promise<{ code: number | null; out: string; blocked: readonly string[] }> {
  const { launcher, confinement, cwd } = confined(project, { hosts })
  closing.push(() => launcher.close())
  const launched: Launched = await launcher.launch({ command: ['bash', '-c', command], cwd, variables: {}, stdin: 'ignore', confinement })
  let out = ''
  launched.child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  const { code } = await launched.ended
  return { code, out, blocked: launched.blockedHosts() }
}

/** By the proxy that the environment names, as programs do. */
const fetchByProxy = (host: string): string =>
  `'${process.execPath}' -e '
    const proxy = new URL(process.env.HTTP_PROXY)
    const authorization = "Basic " + Buffer.from(decodeURIComponent(proxy.username) + ":" + proxy.password).toString("base64")
    require("node:http").get({ host: proxy.hostname, port: proxy.port, path: "http://${host}:${port}/", headers: { host: "${host}:${port}", "proxy-authorization": authorization } },
      (answer) => { console.log(answer.statusCode); answer.pipe(process.stdout) }).on("error", (error) => console.log(error.code))'`

const firstTurn: BuildTurn = {
  build: 'b',
  session: 's',
  agent: 'ada',
  prompt: 'A list',
  language: 'en',
  turn: 1,
  message: '',
  input: { type: 'BUILD_REQUEST', text: 'A list' },
  progress: initialProgress,
  answers: {},
  history: [],
  hint: null,
  resumes: false,
}

describe('hosts that an agent is granted', { timeout: 60_000 }, () => {
  before(async () => {
    mkdirSync(join(project, '.parley'), { recursive: true })
    writeFileSync(join(project, 'parley.yaml'), '')
    writeFileSync(join(project, '.env'), 'SECRET')
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    for (const close of closing) await close()
    server.close()
    rmSync(outside, { recursive: true })
  })

  it('are reached by the proxy, and no other host is', async () => {
    assert.deepEqual(await run(fetchByProxy('127.0.0.1'), ['127.0.0.1']), { code: 0, out: '200\nfrom the host', blocked: [] })
    assert.match((await run(fetchByProxy('127.0.0.1'), ['example.org'])).out, /^403\n/)
  })

  it('are named when they were not granted, each program its own', async () => {
    const [one, two] = await Promise.all([
      run(`${fetchByProxy('127.0.0.1')}; ${fetchByProxy('127.0.0.1')}; ${fetchByProxy('intranet.example.org')}`, ['example.org']),
      run(fetchByProxy('127.0.0.1'), ['127.0.0.1']),
    ])
    assert.deepEqual(one.blocked.toSorted(), [`127.0.0.1:${port}`, `intranet.example.org:${port}`])
    assert.deepEqual(two.blocked, [])
  })

  it('are reached at an address of the machine by programs that take NO_PROXY seriously, when it is granted', async () => {
    const { out } = await run('echo "$NO_PROXY"', ['127.0.0.1:8080'])
    assert.equal(out, 'localhost,::1,127.0.0.1:3128\n')
  })

  it('are named in the notes of a build when they were not granted', async () => {
    const parts = confined(project, { hosts: ['example.org'] })
    closing.push(() => parts.launcher.close())
    const builds = commandBuilds({ command: ['bash', '-c', fetchByProxy('127.0.0.1')], ...parts })
    const notes: string[] = []
    for await (const items of builds.turn(firstTurn, new AbortController().signal, { started: async () => {} }))
      for (const item of items) if ('note' in item) notes.push(item.note)
    assert.ok(notes.includes(`The sandbox blocked 127.0.0.1:${port}. To allow it, add it to hosts.`), notes.join('\n'))
  })

  it('are not reached around the proxy, and hidden files stay hidden', async () => {
    const { out } = await run(`cat < /dev/tcp/127.0.0.1/${port}; cat .env; cat ${outside}/project/.env; ls ${outside}`, ['127.0.0.1'])
    assert.equal(out, 'project\n')
  })
})

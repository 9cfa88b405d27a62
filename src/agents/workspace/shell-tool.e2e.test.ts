// needs: sandbox
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { systemClock } from '../../ports/clock.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import { configSchema } from '../../app/config/schema.ts'
import { toConfinement } from '../sandbox/confinement.ts'
import type { Launcher } from '../sandbox/launcher.ts'
import { sandboxLauncher } from '../sandbox/sandbox.ts'
import { directoryRules } from './directory-rules.ts'
import { projectProtection } from './project-protection.ts'
import { shellTool } from './shell-tool.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-shell-')))
for (const name of ['inner', '.parley']) mkdirSync(join(root, name))
writeFileSync(join(root, 'parley.yaml'), '')
const env = { PATH: process.env['PATH'], DATABASE_URL: 'hidden', PARLEY_SECRET: 'hidden', MY_API_KEY: 'hidden', NAMED: 'shown' }
const layout = projectProtection({
  file: join(root, 'parley.yaml'),
  dataDir: join(root, '.parley'),
  config: configSchema.parse({}),
})
const rules = directoryRules(root, { readDirs: ['inner'], writeDirs: ['**'] }, layout)

const shell = (by: Launcher): Tool =>
  shellTool({
    rules,
    launcher: by,
    confinement: toConfinement(root, rules, { env: ['NAMED', 'PARLEY_SECRET'] }),
    isSandboxed: true,
    hasBash: () => true,
    clock: systemClock,
  })
const launcher = sandboxLauncher({ mode: 'on', env: () => env, clock: systemClock })
const tool = shell(launcher)

async function run(input: object, signal = new AbortController().signal): Promise<string> {
  const checked = tool.check(input)
  assert.ok('input' in checked, JSON.stringify(checked))
  return String(
    await tool.run(checked.input, { dialog: 'd', agent: 'a', call: 'c', taskdoc: null, isSide: false, cause: ownerCause, signal }),
  )
}

/** Processes on this machine whose command line has the mark. */
const marked = (mark: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
    } catch {
      return false
    }
  }).length

/** The system may need a moment to take away what was killed. */
async function untilGone(mark: string): Promise<void> {
  while (marked(mark) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('the shell', { timeout: 60_000 }, () => {
  after(async () => {
    // The proxy of granted hosts would keep this process alive.
    await launcher.close()
    rmSync(root, { recursive: true })
  })

  it('runs in the project, without the secrets of the server', async () => {
    assert.equal(await run({ command: 'pwd', cwd: 'inner' }), `exit code 0\n${root}/inner\n`)
    assert.equal(await run({ command: 'echo "[$PARLEY_SECRET][$MY_API_KEY][$DATABASE_URL][$NAMED]"' }), 'exit code 0\n[][][][shown]\n')
    await assert.rejects(run({ command: 'pwd', cwd: '..' }), /"\.\."/)
    await assert.rejects(run({ command: 'pwd', cwd: '.parley' }), /^Error: \.parley is protected\.$/)
    assert.equal(tool.afterCrash, 'ask')
  })

  it('says how it failed, with what was said', async () => {
    await assert.rejects(run({ command: 'echo out; echo err >&2; exit 3' }), /^Error: exit code 3\nout\nerr\n$/)
  })

  it('keeps both ends of a long output', async () => {
    const output = await run({ command: 'echo begin; head -c 200000 /dev/zero | tr "\\0" x; echo; echo end' })
    assert.match(output, /^exit code 0\nbegin\n[^]*\n\[\d+ characters were omitted\]\n[^]*end\n$/)
    assert.ok(output.length < 41_000)
  })

  it('reaches the hosts that the call names, and names the others', async () => {
    const output = await run({ command: 'curl -s http://intranet.example.org:8/ >/dev/null || true', hosts: ['127.0.0.1:9'] })
    assert.equal(output, 'exit code 0\n\n[Blocked hosts: intranet.example.org:8. Name those that the command needs in hosts.]')
    const offline = await run({ command: 'echo "curl: (6) Could not resolve host: example.org"' })
    assert.match(offline, /\[Blocked hosts: example\.org\./)
    assert.ok('fault' in tool.check({ command: 'id', hosts: ['*.example.org'] }), 'a pattern is no host')
  })

  it('ends everything it started at the timeout or when a person stops it', async () => {
    const mark = '300.0123'
    const command = `sleep ${mark} & setsid nohup sleep ${mark} >/dev/null 2>&1 & touch started; echo waiting; wait`
    await assert.rejects(run({ command, timeout_seconds: 0.5 }), /ended after 0\.5 s[^]*waiting/)
    await untilGone(mark)
    rmSync(join(root, 'started'))
    const stop = new AbortController()
    const running = run({ command }, stop.signal)
    while (!existsSync(join(root, 'started'))) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.ok(marked(mark) > 0)
    stop.abort(new Error('stopped'))
    await assert.rejects(running, /stopped/)
    await untilGone(mark)
  })
})

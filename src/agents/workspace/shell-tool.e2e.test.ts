import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { systemClock } from '../../ports/clock.ts'
import { shellTool } from './shell-tool.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-shell-')))
mkdirSync(join(root, 'inner'))
const tool = shellTool(root, systemClock, { PATH: process.env['PATH'], PARLEY_SECRET: 'hidden', MY_API_KEY: 'hidden', PLAIN: 'shown' })

async function run(input: object, signal = new AbortController().signal): Promise<string> {
  const checked = tool.check(input)
  assert.ok('input' in checked, JSON.stringify(checked))
  return String(
    await tool.run(checked.input, { dialog: 'd', agent: 'a', call: 'c', taskdoc: null, isSide: false, cause: ownerCause, signal }),
  )
}

/** The orphan of a shell is taken away by the system, which may need a moment. */
async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('the shell', { timeout: 60_000 }, () => {
  after(() => rmSync(root, { recursive: true }))

  it('runs in the project, without the secrets of the server', async () => {
    assert.equal(await run({ command: 'pwd', cwd: 'inner' }), `exit code 0\n${root}/inner\n`)
    assert.equal(await run({ command: 'echo "[$PARLEY_SECRET][$MY_API_KEY][$PLAIN]"' }), 'exit code 0\n[][][shown]\n')
    await assert.rejects(run({ command: 'pwd', cwd: '..' }), /"\.\."/)
    assert.equal(tool.afterCrash, 'ask')
  })

  it('says how it failed, with what was said', async () => {
    await assert.rejects(run({ command: 'echo out; echo err >&2; exit 3' }), /^Error: exit code 3\nout\nerr\n$/)
  })

  it('keeps both ends of a long output', async () => {
    const said = await run({ command: 'echo begin; head -c 200000 /dev/zero | tr "\\0" x; echo; echo end' })
    assert.match(said, /^exit code 0\nbegin\n[^]*\n\[\d+ characters were left out\]\n[^]*end\n$/)
    assert.ok(said.length < 41_000)
  })

  it('ends everything it started when time is up or somebody stops it', async () => {
    const started = (): number => Number(readFileSync(join(root, 'pid'), 'utf8'))
    const command = 'sleep 300 & echo $! > pid; echo waiting; wait'
    await assert.rejects(run({ command, timeout_seconds: 0.5 }), /ended after 0\.5 s[^]*waiting/)
    await untilGone(started())
    const stop = new AbortController()
    const running = run({ command }, stop.signal)
    setTimeout(() => stop.abort(new Error('stopped')), 300)
    await assert.rejects(running, /stopped/)
    await untilGone(started())
  })
})

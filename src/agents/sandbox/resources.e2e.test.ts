// needs: sandbox
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import type { Ended } from '../runtimes/process-group.ts'
import { bubblewrap } from './bubblewrap.ts'
import type { NetworkProxy } from './network-proxy.ts'
import { resourceLimits } from './resource-watch.ts'
import { confined } from './test/confined.ts'

const project = realpathSync(mkdtempSync(join(tmpdir(), 'parley-resources-')))
after(() => rmSync(project, { recursive: true, force: true }))

const noProxy: NetworkProxy = { open: () => assert.fail('no host is granted'), close: async () => {} }
const megabyte = 1_000_000

/** Runs a command of bash in the sandbox; `memoryBytes` stands for half of the machine. */
async function run(command: string, memoryBytes?: number): Promise<Ended & { output: string }> {
  const launcher = bubblewrap({ env: () => process.env, proxy: noProxy, ...(memoryBytes && { memoryBytes }) })
  const { confinement } = confined(project)
  const { child, ended } = await launcher.launch({
    command: ['bash', '-c', command],
    cwd: project,
    variables: {},
    stdin: 'ignore',
    confinement,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output = (output + text).slice(-10_000)))
  return { ...(await ended), output }
}

const countMarked = (mark: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
    } catch {
      return false
    }
  }).length

test('a command that starts processes without end is ended with all of them', async (t) => {
  const mark = `63.${process.pid}`
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, countMarked(mark))), 500)
  t.after(() => clearInterval(timer))
  // A loop that would end by itself at 20,000 processes: a test must not be able to stop the machine.
  const { limit, output } = await run(`for ((i = 0; i < 20000; i++)); do sleep ${mark} & done; echo all were started; wait`)
  // The kernel does not bound root; other accounts cannot start more.
  assert.ok(
    limit === 'tasks' || (process.getuid?.() !== 0 && /Resource temporarily unavailable/.test(output)),
    `${limit} ${output.slice(-300)}`,
  )
  assert.doesNotMatch(output, /all were started/)
  await eventually(
    () => countMarked(mark) === 0,
    () => `the end of ${countMarked(mark)} processes`,
  )
  t.diagnostic(`${most} processes seen at most`)
})

test('the kernel bounds the processes of an account other than root', async () => {
  assert.equal((await run('ulimit -u')).output, `${resourceLimits.tasks}\n`)
})

test('a command that takes too much memory is ended, alone and in parts', async () => {
  const take = (count: number): string => `const kept = Buffer.alloc(${count * megabyte}, 1); setTimeout(() => kept, 60_000)`
  assert.equal((await run(`node -e '${take(700)}'`, 500 * megabyte)).limit, 'memory')
  assert.equal((await run(`for i in 1 2 3 4; do node -e '${take(150)}' & done; wait`, 500 * megabyte)).limit, 'memory')
})

test('memory that forked processes share counts once', async () => {
  // A variable of 100 MB in bash, and six forks that wait.
  const forks =
    'x=$(head -c 100000000 /dev/zero | tr "\\0" x); for i in 1 2 3 4 5 6; do (read -t 1 < <(sleep 2); :) & done; wait; echo done'
  const { limit, output } = await run(forks, 600 * megabyte)
  assert.deepEqual([limit, output], [undefined, 'done\n'])
})

test('a program that is missing is named as missing, not as a failure of the sandbox', async () => {
  const { confinement } = confined(project)
  const launcher = bubblewrap({ env: () => process.env, proxy: noProxy })
  const { ended } = await launcher.launch({ command: ['no-such-program'], cwd: project, variables: {}, stdin: 'ignore', confinement })
  const { startFault, sandboxFault } = await ended
  assert.deepEqual([startFault, sandboxFault], ['it was not found in the sandbox, or may not be run', undefined])
})

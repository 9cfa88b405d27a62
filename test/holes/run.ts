// `npm run holes`: shows on 0.1 and on this tree whether each hole of 0.1 is open, and writes docs/HOLES.md. It is not a part of
// `npm test`: it installs 0.1 and takes some minutes. Arguments choose probes by a part of their text; then no page is written.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../src/errors.ts'
import { accessProbes } from './access-probes.ts'
import { holesPage, type Row } from './holes-page.ts'
import { loadProbes } from './load-probes.ts'
import type { Finding, Probe, Version } from './probed-server.ts'
import { recoveryProbes } from './recovery-probes.ts'
import { sandboxProbes } from './sandbox-probes.ts'
import { stopProbes } from './stop-probes.ts'

/** The last commit of 0.1: the parent of those that prepared the recorded database. */
const commitOf01 = '3ad3587c2cfe20cc1878bd8eba672673374a3b02'

const root = fileURLToPath(new URL('../..', import.meta.url))

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 100_000_000 })
  if (status !== 0) fail(`${program} ${args[0]} failed: ${error?.message ?? stderr.trim().slice(-1_000)}`)
}

/** The files of 0.1 with its packages, in a temporary folder. */
function install01(): string {
  const found = spawnSync('git', ['cat-file', '-e', `${commitOf01}^{commit}`], { cwd: root })
  if (found.status !== 0)
    fail(`This clone does not have the commit of 0.1 (${commitOf01.slice(0, 12)}), perhaps because it is shallow.\n→ git fetch --unshallow`)
  const folder = mkdtempSync(join(tmpdir(), 'parley-0.1-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const [archive, tree] = [join(folder, 'tree.tar'), join(folder, 'tree')]
  mkdirSync(tree)
  run('git', ['archive', '--output', archive, commitOf01], root)
  run('tar', ['-xf', archive, '-C', tree], folder)
  run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], tree)
  return tree
}

async function examine(probe: Probe, version: Version): Promise<Finding | Error> {
  try {
    return await probe.run(version)
  } catch (error) {
    return error instanceof Error ? error : new Error(errorMessage(error))
  }
}

if (!existsSync('/proc/self/status')) fail('The probes read /proc, so they run on Linux only.')
const chosen = process.argv.slice(2)
const probes = [...accessProbes, ...loadProbes, ...stopProbes, ...recoveryProbes, ...sandboxProbes].filter(
  ({ hole }) => chosen.length === 0 || chosen.some((part) => hole.includes(part)),
)
if (probes.length === 0) fail('No probe has this text.')
const versions = [
  { name: '0.1', root: install01() },
  { name: 'now', root },
] as const
const rows: Row[] = []
for (const probe of probes) {
  const [before, now] = [await examine(probe, versions[0]), await examine(probe, versions[1])]
  rows.push({ probe, before, now })
  const words = (finding: Finding | Error): string =>
    finding instanceof Error ? `NOT EXAMINED: ${finding.message}` : `${finding.open ? 'open' : 'closed'} (${finding.seen})`
  process.stdout.write(`${probe.hole}\n  0.1: ${words(before)}\n  now: ${words(now)}\n`)
}
const faults = rows.filter(({ before, now }) => before instanceof Error || !before.open || now instanceof Error || now.open)
process.stdout.write(`${rows.length} holes examined, ${rows.length - faults.length} open in 0.1 and closed now.\n`)
if (chosen.length === 0 && faults.length === 0) writeFileSync(join(root, 'docs/HOLES.md'), holesPage(rows, commitOf01))
process.exit(faults.length === 0 ? 0 : 1)

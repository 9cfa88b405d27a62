import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg, release, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'

/** Each bench measures one thing in a process of its own and prints one JSON line for each figure. */
const benches = [
  'turns',
  'questions',
  'delegations',
  'waiting',
  'long-dialog',
  'prompt',
  'readers',
  'builds',
  'startup',
  'channel-memory',
  'append',
  'presentations',
  'gate',
  'gated-turn',
  'http',
  'telegram',
  'sandbox',
  'processes',
  'langgraph',
  'million',
] as const
/** Those that install packages or take minutes run only when they are named. */
const onlyNamed: readonly string[] = ['langgraph', 'million']

const usage = `usage: node bench/run.ts [${benches.join('|')} …] [--quick] [--profile]\n`
/** On a machine with nothing else to do, all of them together take about ten minutes. */
const longestMs = (name: string): number => (onlyNamed.includes(name) ? 1_800_000 : 300_000)

const chosenNames = process.argv.slice(2)
const options = chosenNames.filter((word) => word.startsWith('--'))
const names = chosenNames.filter((word) => !word.startsWith('--'))
const unknown = [
  ...names.filter((name) => !(benches as readonly string[]).includes(name)),
  ...options.filter((option) => !['--quick', '--profile'].includes(option)),
]
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(' and no ')}.\n${usage}`)
  process.exit(2)
}

process.stdout.write(
  `${JSON.stringify({ bench: 'machine', node: process.version, system: `${type()} ${release()}`, cores: availableParallelism(), load: Number((loadavg()[0] ?? 0).toFixed(2)), at: new Date().toISOString() })}\n`,
)

let failed = 0
let figures = 0
let missed = 0
for (const name of names.length > 0 ? names : benches.filter((each) => !onlyNamed.includes(each))) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const tooLong = setTimeout(() => child.kill('SIGKILL'), longestMs(name))
  const exit = once(child, 'exit') as Promise<[number | null]>
  let lastSeen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`)
    const { value, met } = JSON.parse(line) as { value: number; met?: boolean }
    if (!Number.isFinite(value)) continue
    lastSeen += 1
    if (met === false) missed += 1
  }
  const [code] = await exit
  clearTimeout(tooLong)
  figures += lastSeen
  if (code === 0 && lastSeen > 0) continue
  failed += 1
  process.stderr.write(`${name}: ${lastSeen === 0 ? 'measured nothing' : `ended with ${code} after ${lastSeen} figures`}\n`)
}
process.stderr.write(`${figures} figures, ${missed} of them short of their aim, ${failed} benches failed\n`)
// An aim that is missed is a result; a figure that is missing is not.
process.exitCode = failed > 0 ? 1 : 0

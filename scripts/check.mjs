// `npm run check`: every check, also after one has failed. CI runs exactly this.
// Each says how much it looked at, and one that looked at nothing has failed. `--fast` leaves out the end-to-end tests.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { makePool } from './pool.mjs'
import { needsSandbox, testsWithout } from './sandbox.mjs'
import { ensureInstalled, environment, root, say, stopWith } from './setup.mjs'

const node = await ensureInstalled().catch(stopWith)
const fast = process.argv.includes('--fast')
const scratch = mkdtempSync(join(tmpdir(), 'parley-check-'))
const total = { passed: 0, failed: 0 }
const fuzz = { cases: 0, longestDelayMs: 0 }
const brokenSteps = []
const secondRuns = []
/** More failing files than this are a fault of the tree, not of a busy machine. */
const maxSecondRuns = 5
/** These wait for processes, browsers and clocks; what a random case of the others found is a fault. */
const secondRunKinds = /\.(e2e|postgres)\.test\.ts$/

const lines = (text, keep) => text.split('\n').filter(keep).length
const number = (text, pattern) => Number(pattern.exec(text)?.[1] ?? 0)
const ownFile = (line) => line.trim() !== '' && !line.includes('node_modules')

const types = (name, project) =>
  step(name, async () => {
    const ran = await tool('typescript/bin/tsc', ['--noEmit', '--listFiles', '-p', project])
    // A file's own path is listed on stdout together with the faults; only the faults are worth showing.
    const output = ran.output
      .split('\n')
      .filter((line) => !/^(\/|[A-Za-z]:).*\.(d\.)?[cm]?tsx?$/.test(line.trim()))
      .join('\n')
    return { ...ran, output, seen: lines(ran.output, (line) => /^(\/|[A-Za-z]:).*\.tsx?$/.test(line.trim()) && ownFile(line)), of: 'files' }
  })

await Promise.all([types('types', 'tsconfig.json'), types('types of the page', 'web/tsconfig.json')])
await Promise.all([
  step('lint', async () => {
    const ran = await tool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'])
    return { ...ran, seen: number(ran.output, /on (\d+) files/), of: 'files' }
  }),
  step('unused code', async () => {
    const ran = await tool('knip/bin/knip.js', ['--no-progress', '--reporter', 'symbols', '--reporter', './scripts/knip-reporter.mjs'])
    return { ...ran, seen: number(ran.output, /knip looked at (\d+) files/), of: 'files' }
  }),
])
await step('format', async () => {
  const ran = await tool('oxfmt/bin/oxfmt', ['--check'])
  return { ...ran, seen: number(ran.output, /on (\d+) files/), of: 'files' }
})
await step('build', async () => {
  const ran = await run(node, ['scripts/build.mjs'])
  const built = existsSync(join(root, 'dist')) ? filesUnder('dist').length : 0
  return { ...ran, seen: built, of: 'files written' }
})
await step('size of the page', async () => {
  const ran = await run(node, ['web/budget.mjs'])
  return {
    ...ran,
    seen: lines(ran.output, (line) => line.startsWith('first load')),
    of: 'budgets',
    note: ran.output.trim().split('\n').join(' · '),
  }
})
await step('package', async () => {
  const ran = await tool('publint/src/cli.js', ['--strict'])
  return { ...ran, seen: Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports).length, of: 'exports' }
})

await step('built package', async () => {
  // The built package is used as after an installation: each export loads, the binary answers, the demo agent is there.
  const { exports, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = [...Object.values(exports).filter((file) => file.endsWith('.js')), './dist/src/app/demo/index.js']
  const opened = await run(node, ['-e', entries.map((file) => `await import(${JSON.stringify(file)})`).join(';')])
  const result = await run(node, ['dist/src/cli/main.js', 'version'])
  return {
    ok: opened.ok && result.ok && result.output.includes(version),
    output: opened.output + result.output,
    seen: entries.length,
    of: 'entries imported',
  }
})

await step('installed package', async () => {
  const ran = await run(node, ['scripts/installed-package.mjs'])
  return { ...ran, seen: number(ran.output, /(\d+) entry points/), of: 'entry points', note: ran.output.trim() }
})

const without = leftOut()
const leftOutFiles = []
const tests = ['src', 'packages', 'test', 'web', 'examples', 'bench', 'scripts']
  .flatMap((folder) => filesUnder(folder))
  .filter((file) => /\.test\.[cm]?[jt]s$/.test(file))
  .filter((file) => isRun(file))
const costly = (kind) => tests.filter((file) => file.endsWith(`.${kind}.test.ts`))
const kinds = ['sqlite', 'postgres', 'live', 'e2e']
// One pool for all of them. Those that wait more than they compute, for processes, browsers, leases and clocks, come first, and
// of these the ones on PostgreSQL, which take longest. Unit tests compute, and fill the time in which the last of the others wait.
const pool = makePool()
await Promise.all([
  without.includes('postgres') || testStep('tests on PostgreSQL', eachAlone(costly('postgres'))),
  fast || testStep('end-to-end tests', eachAlone(costly('e2e'))),
  step('examples', runExamples),
  testStep('tests on SQLite', eachAlone(costly('sqlite'))),
  testStep('unit tests', inGroups(tests.filter((file) => !kinds.some((kind) => costly(kind).includes(file))))),
])
// The figure depends on the machine and is not judged, only that it was measured.
if (fuzz.cases === 0) {
  brokenSteps.push('fuzz corpus (it examined nothing)')
  total.failed += 1
}

rmSync(scratch, { recursive: true, force: true })
say('')
if (brokenSteps.length > 0) say(`Not in order: ${brokenSteps.join(', ')}`)
if (secondRuns.length > 0) say(`Failed once and passed alone, which is a fault to look for: ${secondRuns.join(', ')}`)
if (fast) say('The end-to-end tests were left out (--fast).')
console.log(`longest event-loop delay over ${fuzz.cases} fuzz cases: ${fuzz.longestDelayMs} ms`)
const leftOutNote = without.length > 0 ? ` (left out: ${without.join(', ')}, ${leftOutFiles.length} files)` : ''
console.log(`${total.passed} passed, ${total.failed} failed${leftOutNote}`)
process.exit(brokenSteps.length === 0 ? 0 : 1)

/** Runs one check and prints one line about its outcome; its own output is shown only after a failure. */
async function step(name, check) {
  const started = Date.now()
  const { ok, seen, of, output = '', note = '', counted = false } = await check()
  const good = ok && seen > 0
  const seconds = `${((Date.now() - started) / 1000).toFixed(1)} s`
  if (!good) {
    if (output.trim() !== '') say(output.trimEnd())
    brokenSteps.push(name)
    if (!counted) total.failed += 1
  }
  say(
    `${good ? '✓' : '✗'} ${name.padEnd(18)} ${seen > 0 ? `${seen} ${of}` : 'looked at nothing'}  ${seconds}${good && note ? `  ${note}` : ''}`,
  )
}

/** Each group is a piece of work of the pool; a file that is a group by itself is listed with its time. */
async function testStep(name, groups) {
  await step(name, async () => {
    const first = await runInPool(name, groups)
    const again =
      first.failed > 0 && first.skipped === 0 && first.failedFiles.length <= maxSecondRuns
        ? first.failedFiles.filter((file) => secondRunKinds.test(file))
        : []
    // A file of these kinds that fails beside others is run once more alone. Its first failure stays in the output and is
    // named before the totals.
    if (again.length > 0) await pool.rest()
    const second = again.length > 0 ? await runTests(`${name} again`, again, true) : null
    const passedAlone = second !== null && second.ok && second.failed === 0 && second.skipped === 0
    if (passedAlone) secondRuns.push(...again)
    const failed = passedAlone ? 0 : first.failed
    const passed = first.passed + (passedAlone ? first.failed : 0)
    total.passed += passed
    total.failed += failed
    // A skipped test has shown nothing.
    const output = first.skipped > 0 ? `${first.output}\n  ${first.skipped} tests were skipped` : first.output
    return {
      ok: (first.ok || passedAlone) && failed === 0 && first.skipped === 0,
      output,
      seen: passed + failed,
      of: `tests in ${groups.flat().length} files`,
      note: first.slowest.length > 0 ? `slowest: ${first.slowest.map(({ file, seconds }) => `${file} ${seconds} s`).join(' · ')}` : '',
      counted: failed > 0,
    }
  })
}

/** So many groups that the last one is short, and few enough that starting them costs nothing. */
function inGroups(files, size = 12) {
  // The longest of them, simulations and measurements, are under test/.
  const order = files.toSorted((one, two) => Number(two.startsWith('test/')) - Number(one.startsWith('test/')))
  return Array.from({ length: Math.ceil(order.length / size) }, (_, at) => order.slice(at * size, (at + 1) * size))
}

function eachAlone(files) {
  return files.map((file) => [file])
}

async function runInPool(name, groups) {
  const all = await Promise.all(
    groups.map((files, at) =>
      pool.run(() => (files.length === 1 ? runTests(files[0], files, true) : runTests(`${name} ${at}`, files, false))),
    ),
  )
  const sum = (field) => all.reduce((count, each) => count + each[field], 0)
  return {
    ok: groups.length > 0 && all.every(({ ok }) => ok),
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    // A file whose process ended badly counts, whatever its tests said.
    failedFiles: groups.flatMap((files, at) => (files.length > 1 ? all[at].failedFiles : all[at].ok ? [] : files)),
    slowest: all
      .flatMap(({ slowest }, at) => (groups[at].length > 1 ? slowest : []))
      .toSorted((one, two) => two.seconds - one.seconds)
      .slice(0, 8),
    // The output of a listed file was shown as it came.
    output: all.map((each, at) => (each.ok || groups[at].length === 1 ? '' : each.output)).join(''),
  }
}

async function runTests(name, files, listFiles) {
  const counts = join(scratch, `${name.replaceAll(/[ /]/g, '-')}.json`)
  const args = [
    '--test',
    '--test-concurrency=1',
    '--test-timeout=600000',
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-reporter-destination=stdout',
  ]
  // Hundreds of processes load the same TypeScript: it is stripped and compiled once.
  const more = {
    PARLEY_COUNTS: counts,
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    ...(listFiles ? { PARLEY_COUNTS_FILES: '1', PARLEY_BROWSER: browser() } : {}),
  }
  const ran = await run(node, [...args, ...files], more, listFiles)
  const counted = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : {}
  fuzz.cases += counted.fuzz?.cases ?? 0
  fuzz.longestDelayMs = Math.max(fuzz.longestDelayMs, counted.fuzz?.longestDelayMs ?? 0)
  const { passed = 0, failed = 0, skipped = 0, failedFiles = [], slowest = [] } = counted
  return { ...ran, passed, failed, skipped, failedFiles, slowest }
}

/** Each example checks its own outcome and ends with 0 only if all of it is right. */
async function runExamples() {
  const folder = join(root, 'examples')
  const stories = existsSync(folder) ? readdirSync(folder).filter((name) => isRun(join('examples', name, 'main.ts'))) : []
  let output = ''
  let ok = true
  const tell = async (story) => {
    const ran = await pool.run(() => run(node, [join('examples', story, 'main.ts')]))
    if (ran.ok) return
    ok = false
    output += `  ✗ examples/${story}\n${ran.output}\n`
  }
  await Promise.all(stories.map(tell))
  return { ok, output, seen: stories.length, of: 'stories', note: stories.join(', ') }
}

/** False for a file that is not there, or that needs what is left out. */
function isRun(file) {
  if (!existsSync(join(root, file))) return false
  const isLeftOut =
    (without.includes('sandbox') && needsSandbox(readFileSync(join(root, file), 'utf8'))) ||
    (without.includes('postgres') && file.endsWith('.postgres.test.ts'))
  if (isLeftOut) leftOutFiles.push(file)
  return !isLeftOut
}

function leftOut() {
  try {
    return testsWithout()
  } catch (error) {
    return stopWith(error)
  }
}

function browser() {
  try {
    return findBrowser() ?? ''
  } catch (error) {
    return stopWith(error)
  }
}

function tool(script, args) {
  return run(node, [join('node_modules', script), ...args])
}

function run(command, args, more = {}, show = false) {
  return new Promise((resolve, reject) => {
    const env = environment(more)
    // A setting for colours is meant for this output, not for the programs under test.
    delete env.FORCE_COLOR
    delete env.NO_COLOR
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk) => {
        if (show) process.stderr.write(chunk)
        else output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (status) => resolve({ ok: status === 0, output }))
  })
}

function filesUnder(folder) {
  const from = join(root, folder)
  if (!existsSync(from)) return []
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const path = join(from, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(relative(root, path))
    return [relative(root, path)]
  })
}

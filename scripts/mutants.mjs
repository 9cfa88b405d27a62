// Breaks one line at a time, in memory, and runs the tests that run this line: `npm run mutants -- --sample 300 --seed 1`.
// Prints score and survivors as JSON. Without --sample every mutant is tried.
import { fork } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseArgs } from 'node:util'
import { makeMutants, takeSample } from './mutants/make-mutants.mjs'
import { findTypeFaults } from './mutants/type-check.mjs'

/** Folders that are mutated, and tests of other folders that may notice. Tests inside the folder come first. */
const targets = {
  'src/dialogs/rules': [
    'src/client/dialog-view*.test.ts',
    'test/dialogs/{calls,courses,diligence,questions,run-control,sessions,stop}.test.ts',
  ],
  'src/builds/rules': ['src/builds/ag-ui/to-ag-ui.test.ts', 'test/builds/{inbox,nouns,retry,stop,tools}.test.ts'],
  'src/chats/inbound': ['src/chats/{bindings,announce}/*.test.ts', 'test/delivery/approvals.test.ts'],
  'src/chats/outbox': ['test/delivery/*.test.ts'],
  'src/streams': ['src/dialogs/driver/{driver,abandon}.test.ts', 'test/delivery/crash-points.test.ts'],
}
/** Compares every exported limit with docs/LIMITS.md, so it loads the whole tree: only for files that export limits. */
const limitsTest = 'test/limits.test.ts'
const silenceMs = 60_000
const mutantsPerWorker = 80

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    /** Leaves out the tests of other folders, for a quick look. */
    beside: { type: 'boolean', default: false },
    /** `seed:size`: the sample that tests are written for, and samples to leave out because they were. */
    within: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
  },
})

const findTests = (patterns) => patterns.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.e2e.test.ts'))

const imports = new Map()
function getImports(file) {
  if (!imports.has(file)) {
    const matches = readFileSync(file, 'utf8').matchAll(
      /(?:^|\n)(?:import|export) (?!type )[^']*?'(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/g,
    )
    imports.set(
      file,
      [...matches].map(([, one, other]) => normalize(join(dirname(file), one ?? other))),
    )
  }
  return imports.get(file)
}

/** A file and all files that load it. */
function getDependents(file, files) {
  const dependents = new Set([file])
  for (let size = 0; size < dependents.size;) {
    size = dependents.size
    for (const one of files) if (getImports(one).some((next) => dependents.has(next))) dependents.add(one)
  }
  return [...dependents]
}

/** A process that does one job after another. A job whose process ends or falls silent has no result. */
function startWorker() {
  const child = fork(new URL('mutants/worker.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  let take = () => {}
  let timer
  const settle = (result) => {
    clearTimeout(timer)
    take(result)
  }
  const wait = (waitMs) => {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), waitMs)
  }
  const isReady = new Promise((resolve) => child.once('message', resolve))
  child.on('message', ({ result, waitMs }) => {
    if (result !== undefined) settle(result)
    else if (waitMs !== undefined) wait(waitMs)
  })
  child.on('exit', () => settle(undefined))
  return {
    jobs: 0,
    async run(message) {
      this.jobs += 1
      await isReady
      wait(silenceMs)
      return new Promise((resolve) => {
        take = resolve
        child.send(message)
      })
    },
    stop: () => child.kill('SIGKILL'),
  }
}

let worker = startWorker()
function restart() {
  worker.stop()
  worker = startWorker()
}

let number = 0
/** Tests with the mutants whose code they run. */
async function coverTests(mutants, files) {
  const tests = []
  for (const file of files) {
    number += 1
    const covered = await worker.run({
      job: 'cover',
      file,
      number,
      mutants: mutants.map(({ id, file: of, start }) => ({ id, file: of, start })),
    })
    if (covered?.cases === undefined) throw new Error(`${file} fails without a mutant: ${covered?.error ?? 'no result'}`)
    const cases = covered.cases.map((one) => ({ ...one, covered: new Set(one.covered) }))
    tests.push({ file, cases })
    process.stderr.write(`${file}: ${cases.length} tests ${Math.round(process.uptime())} s\n`)
    if (worker.jobs >= 10) restart()
  }
  return tests
}

/** Test files that run the code of the mutant, those beside it first and then the fastest. */
function makePlan(mutant, tests) {
  return tests
    .map(({ file, cases }) => {
      const indexes = [...cases.keys()].filter((index) => cases[index].covered.has(mutant.id))
      const ms = indexes.reduce((sum, index) => sum + cases[index].ms, cases[0]?.loadMs ?? 0)
      const limitMs = 5_000 + 20 * Math.max(0, ...indexes.map((index) => cases[index].ms))
      return { file, indexes, ms, limitMs, isBeside: file.startsWith(mutant.folder) }
    })
    .filter(({ indexes }) => indexes.length > 0)
    .toSorted((left, right) => Number(right.isBeside) - Number(left.isBeside) || left.ms - right.ms)
}

async function tryMutant(mutant, plan, dependents) {
  if (plan.length === 0) return { verdict: 'survived', note: 'no test runs this code' }
  for (;;) {
    number += 1
    const isFresh = worker.jobs === 0
    const result = await worker.run({ job: 'try', mutant, number, plan, dependents })
    if (result === undefined || result.isStray || result.isBusy || worker.jobs >= mutantsPerWorker) restart()
    if (result?.error !== undefined) throw new Error(result.error)
    // A process may end by what the mutants before left behind, so it counts only in a new one.
    if (isFresh || (result !== undefined && !result.isStray))
      return result ?? { verdict: 'killed', note: 'no result: the process ended or hung' }
  }
}

const all = makeMutants(Object.keys(targets))
const readSample = (name) => {
  const [seed, size] = name.split(':')
  return new Set(takeSample(all, seed, Number(size)).map(({ id }) => id))
}
const tuned = values.without.map(readSample)
const within = values.within === undefined ? undefined : readSample(values.within)
const population = all.filter(
  ({ id, file }) => file.includes(values.only) && !tuned.some((sample) => sample.has(id)) && (within === undefined || within.has(id)),
)
const taken = values.sample === undefined ? population : takeSample(population, values.seed, Number(values.sample))
const typeFaults = await findTypeFaults(taken)
const chosen = taken.filter(({ id }) => !typeFaults.has(id))
if (chosen.length === 0) throw new Error('no mutants were made')

const files = globSync('{src,test,packages,examples}/**/*.ts')
const results = []
try {
  for (const [folder, mutants] of Object.entries(Object.groupBy(chosen, ({ folder: of }) => of))) {
    const dependentsByFile = new Map([...new Set(mutants.map(({ file }) => file))].map((file) => [file, getDependents(file, files)]))
    const isNeeded = (test) => dependentsByFile.values().some((list) => list.includes(test))
    const tests = await coverTests(
      mutants,
      findTests([`${folder}/**/*.test.ts`, ...(values.beside ? [] : targets[folder])]).filter(isNeeded),
    )
    for (const mutant of mutants) {
      const plan = makePlan(mutant, tests)
      if (/^export const \w*[lL]imits\b/m.test(readFileSync(mutant.file, 'utf8')))
        plan.push({ file: limitsTest, indexes: [0], limitMs: silenceMs })
      const result = await tryMutant(mutant, plan, [...dependentsByFile.get(mutant.file), limitsTest])
      results.push({ ...mutant, ...result })
      process.stderr.write(
        `${Math.round(process.uptime())} s ${result.verdict} ${mutant.file}:${mutant.line} ${mutant.to} [${result.note ?? ''}]\n`,
      )
    }
  }
} finally {
  worker.stop()
}

const count = (list, verdict) => list.filter((one) => one.verdict === verdict).length
function getScore(list) {
  const [killed, survived] = [count(list, 'killed'), count(list, 'survived')]
  return { mutants: killed + survived, killed, score: Math.round((killed / (killed + survived)) * 1000) / 10 }
}
const byFolder = Object.groupBy(results, ({ folder }) => folder)
const survivors = results
  .filter(({ verdict }) => verdict === 'survived')
  .map(({ file, line, from, to, note }) => ({ file, line, from, to, note }))
console.log(
  JSON.stringify(
    {
      possible: all.length,
      refusedByCompiler: typeFaults.size,
      ...getScore(results),
      notLoaded: count(results, 'not loaded'),
      folders: Object.fromEntries(Object.entries(byFolder).map(([folder, list]) => [folder, getScore(list)])),
      survivors,
    },
    null,
    2,
  ),
)

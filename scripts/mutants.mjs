// Breaks one line at a time, in memory, and runs the tests that run this line: `npm run mutants -- --sample 300 --seed 1`.
// Prints score and survivors as JSON. Without --sample every mutant is tried; --only takes files with this text in their path.
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { makeMutants, takeSample } from './mutants/make-mutants.mjs'

/** Folders that are mutated, and tests of other folders that may notice. */
const targets = {
  'src/dialogs/rules': [
    'src/client/*',
    'src/dialogs/{control,driver,rows}/**/*',
    'src/{agents/wires,words}/*',
    'test/dialogs/*',
    'test/limits',
  ],
  'src/builds/rules': ['src/builds/{.,ag-ui}/*', 'src/client/build*', 'test/builds/*', 'test/limits'],
  'src/chats/inbound': ['src/chats/{.,bindings,announce}/*', 'test/{approvals,delivery}/*', 'test/limits'],
  'src/chats/outbox': ['src/chats/announce/*', 'test/delivery/*', 'test/limits'],
  'src/streams': ['src/dialogs/driver/*', 'test/delivery/*', 'test/limits'],
}
const setup = new URL('mutants/setup.mjs', import.meta.url).href
const { values } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
})
const scratch = mkdtempSync(join(tmpdir(), 'parley-mutants-'))
const report = (text) => process.stderr.write(`${Math.round(process.uptime())} s ${text}\n`)

const run = (args, options) =>
  new Promise((done) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 28, killSignal: 'SIGKILL', ...options }, (error, stdout) =>
      done({ ok: error === null, stdout }),
    )
  })

/** Ids of mutants that the compiler refuses. All are written beside their files in a copy of the tree, so one run checks them. */
async function findTypeFaults(mutants) {
  for (const part of ['src', 'packages', 'package.json', 'tsconfig.json']) cpSync(part, join(scratch, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(scratch, 'node_modules'))
  for (const { file, id, text } of mutants) writeFileSync(join(scratch, file.replace(/\.ts$/, `.mutant-${id}.ts`)), text)
  writeFileSync(join(scratch, 'tsconfig.mutants.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src/**/*.mutant-*.ts'] }))
  const compiled = await run([resolve('node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', 'tsconfig.mutants.json'], {
    cwd: scratch,
  })
  const faults = [...compiled.stdout.matchAll(/^\S+?(?:\.mutant-(\d+))?\.ts\(\d+,\d+\): error /gm)]
  if (faults.some(([, id]) => id === undefined) || (!compiled.ok && faults.length === 0))
    throw new Error(`the unchanged tree does not compile:\n${compiled.stdout.slice(0, 2_000)}`)
  return new Set(faults.map(([, id]) => Number(id)))
}

/** Ends at the first test that fails. A process that takes too long has failed. */
const runTests = (file, timeout, env) =>
  run(['--import', setup, '--test-reporter', setup, '--test-reporter-destination', 'stdout', file], {
    timeout,
    env: { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled'), ...env },
  })

/** The mutants whose code a test file runs, by the innermost range around each. Types are stripped to blanks, so offsets stay. */
async function coverTest(file, mutants, number) {
  const dir = join(scratch, `coverage-${number}`)
  const start = performance.now()
  const { ok, stdout } = await runTests(file, 300_000, { NODE_V8_COVERAGE: dir })
  if (!ok) throw new Error(`${file} fails without a mutant: ${stdout}`)
  const ms = Math.round(performance.now() - start)
  const scripts = readdirSync(dir).flatMap((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')).result)
  rmSync(dir, { recursive: true })
  const isRun = ({ url, start: offset }) =>
    scripts
      .filter((script) => script.url === url)
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
      .toSorted((left, right) => left.endOffset - left.startOffset - (right.endOffset - right.startOffset))[0]?.count > 0
  return { file, ms, covered: new Set(mutants.filter(isRun).map(({ id }) => id)) }
}

/** The file's own test comes first, then those of its folder, then the fastest. */
function findTests({ id, file }, tests) {
  const rank = (test) => Number(!test.file.startsWith(dirname(file))) + Number(!basename(test.file).startsWith(basename(file, '.ts')))
  return tests.filter(({ covered }) => covered.has(id)).toSorted((left, right) => rank(left) - rank(right) || left.ms - right.ms)
}

async function tryMutant(mutant, tests) {
  let killer
  const plan = findTests(mutant, tests)
  for (const { file, ms } of plan) {
    const { ok } = await runTests(file, 10_000 + 20 * ms, { PARLEY_MUTANT: JSON.stringify({ url: mutant.url, text: mutant.text }) })
    if (!ok) killer ??= file
    if (!ok) break
  }
  report(`${killer ? 'killed' : 'survived'} ${mutant.file}:${mutant.line} ${mutant.to} [${killer ?? `${plan.length} test files`}]`)
  return { ...mutant, killer, tests: plan.length }
}

async function forEach(list, act) {
  const results = []
  const left = list.entries()
  const work = async () => {
    for (const [index, item] of left) results[index] = await act(item, index)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return results
}

const getScore = (list) => {
  const killed = list.filter(({ killer }) => killer !== undefined).length
  return { mutants: list.length, killed, score: Math.round((killed / list.length) * 1000) / 10 }
}

try {
  const all = makeMutants(Object.keys(targets)).map((mutant) => ({ ...mutant, url: pathToFileURL(mutant.file).href }))
  const population = all.filter(({ file }) => file.includes(values.only))
  const taken = values.sample === undefined ? population : takeSample(population, values.seed, Number(values.sample))
  const refused = await findTypeFaults(taken)
  const folders = Object.entries(
    Object.groupBy(
      taken.filter(({ id }) => !refused.has(id)),
      ({ folder }) => folder,
    ),
  )
  if (folders.length === 0) throw new Error('no mutants were made')
  const results = {}
  for (const [folder, mutants] of folders) {
    const files = [`${folder}/**/*`, ...targets[folder]]
      .flatMap((pattern) => globSync(`${pattern}.test.ts`))
      .filter((file) => !file.endsWith('.e2e.test.ts'))
    const tests = await forEach(files, (file, index) => coverTest(file, mutants, index))
    report(`${folder}: ${tests.length} test files pass`)
    results[folder] = await forEach(mutants, (mutant) => tryMutant(mutant, tests))
  }
  const tried = Object.values(results).flat()
  const survivors = tried
    .filter(({ killer }) => killer === undefined)
    .map(({ file, line, from, to, tests }) => ({ file, line, from, to, tests }))
  const byFolder = Object.fromEntries(Object.entries(results).map(([folder, list]) => [folder, getScore(list)]))
  console.log(
    JSON.stringify({ possible: all.length, refusedByCompiler: refused.size, ...getScore(tried), folders: byFolder, survivors }, null, 2),
  )
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

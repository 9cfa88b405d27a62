// Breaks one line at a time in a copy of the tree and runs the tests that should notice: `npm run mutants -- --sample 150 --seed 1`.
// Prints survivors and the score as JSON. Without --sample every mutant is tried, which takes hours.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

/** Folders that are mutated, and tests that run after those inside the folder. Only tests that import the mutated file run. */
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
/** Compares every exported limit with docs/LIMITS.md. */
const limitsTest = 'test/limits.test.ts'
const limitMs = 120_000

const { values } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
})
const root = process.cwd()

/** Each rule finds the text it replaces; a number also becomes the next larger one. */
const rules = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[ ([])\d+(?=[ ,)\];]|$)/g, (number) => String(Number(number) + 1)],
  [/\bif \((?=.*\) (?:return|continue|break|throw)\b)/g, 'if (true || '],
  [/^ +(?!return|const|let|if|else|for|case|default|export|function|type|import|\*|\/)[\w.]+(?:\(.*\)| [+|]?= .*[\w)\]'])$/g, ''],
]

const isCode = (line) => !/^\s*(?:\/\/|\/?\*|import |export type |type |\| )/.test(line) && !/^export const \w+Limits/.test(line)

/** Texts in quotes are no rules, so they are not mutated. */
const isInText = (line, index) => ["'", '`'].some((quote) => line.slice(0, index).split(quote).length % 2 === 0)

function getMutants(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.split('\n')
  return lines.flatMap((line, index) =>
    isCode(line)
      ? rules.flatMap(([find, to]) =>
          [...line.matchAll(find)]
            .filter((match) => !isInText(line, match.index))
            .map((match) => {
              const by = typeof to === 'function' ? to(match[0]) : to
              const changed = line.slice(0, match.index) + by + line.slice(match.index + match[0].length)
              return { file, line: index + 1, from: line.trim(), to: changed.trim(), text: lines.with(index, changed).join('\n') }
            }),
        )
      : [],
  )
}

/** A mutant that does not compile, or that differs in types alone, says nothing about tests. */
function isValid({ file, text }) {
  try {
    return stripTypeScriptTypes(text) !== stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
  } catch {
    return false
  }
}

/** Follows from the seed and the mutant alone, so changes elsewhere leave the sample nearly as it was. */
const rank = ({ file, from, to }) => createHash('sha256').update([values.seed, file, from, to].join('\n')).digest('hex')

function copyTree() {
  const dir = mkdtempSync(join(tmpdir(), 'parley-mutants-'))
  for (const part of ['src', 'test', 'packages', 'examples', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(dir, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  return dir
}

const findTests = (patterns) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => !file.endsWith('.e2e.test.ts'))

const imports = new Map()
function getImports(file) {
  if (!imports.has(file)) {
    const matches = readFileSync(join(root, file), 'utf8').matchAll(
      /(?:^|\n)(?:import|export) (?!type )[^']*?'(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/g,
    )
    imports.set(
      file,
      [...matches].map(([, one, other]) => normalize(join(dirname(file), one ?? other))),
    )
  }
  return imports.get(file)
}

/** Number of imports between a test and a file, Infinity for a test that does not load it. */
function getDistance(test, file) {
  const seenKeys = new Set([test])
  for (let distance = 0, files = [test]; files.length > 0; distance += 1) {
    if (files.includes(file)) return distance
    files = [...new Set(files.flatMap(getImports))].filter((next) => !seenKeys.has(next))
    for (const next of files) seenKeys.add(next)
  }
  return Infinity
}

const sortByDistance = (tests, file) =>
  tests
    .map((test) => [getDistance(test, file), test])
    .filter(([distance]) => distance < Infinity)
    .toSorted(([left], [right]) => left - right)
    .map(([, test]) => test)

/** False at the first test that fails. One process runs all files, because most of the time would go into starting processes. */
const passes = (dir, files) =>
  new Promise((resolve) => {
    const flags = ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=tap', '--test-timeout=30000']
    const child = spawn(process.execPath, [...flags, ...files], { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
    createInterface(child.stdout).on('line', (line) => /^ *not ok /.test(line) && child.kill('SIGKILL'))
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })

async function isKilled(dir, { file, folder, text }) {
  const beside = sortByDistance(findTests([`${folder}/**/*.test.ts`]), file)
  const others = sortByDistance(findTests(targets[folder]), file).filter((test) => !beside.includes(test))
  if (/^export const \w*[lL]imits\b/m.test(text)) others.unshift(limitsTest)
  writeFileSync(join(dir, file), text)
  try {
    for (const tests of [beside, others]) if (tests.length > 0 && !(await passes(dir, tests))) return true
    return false
  } finally {
    cpSync(join(root, file), join(dir, file))
  }
}

const all = Object.keys(targets).flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !/(?:\.test|-sample)\.ts$|\/test\//.test(file) && file.includes(values.only))
    .toSorted()
    .flatMap(getMutants)
    .map((mutant) => ({ ...mutant, folder })),
)
const chosen = all
  .map((mutant) => ({ ...mutant, rank: rank(mutant) }))
  .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
  .filter(isValid)
  .slice(0, values.sample === undefined ? Infinity : Number(values.sample))
if (chosen.length === 0) throw new Error('no mutants were made')

const dir = copyTree()
const survivors = []
try {
  for (const folder of new Set(chosen.map((mutant) => mutant.folder)))
    for (const tests of [findTests([`${folder}/**/*.test.ts`]), findTests(targets[folder])])
      if (!(await passes(dir, tests))) throw new Error(`tests of ${folder} fail without a mutant`)
  for (const mutant of chosen) {
    const { file, line, from, to } = mutant
    const mutantLine = { file, line, from, to }
    const killed = await isKilled(dir, mutant)
    if (!killed) survivors.push(mutantLine)
    process.stderr.write(`${killed ? 'killed' : 'SURVIVED'} ${mutantLine.file}:${mutantLine.line} ${mutantLine.to}\n`)
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
const killed = chosen.length - survivors.length
const score = Math.round((killed / chosen.length) * 1000) / 10
console.log(JSON.stringify({ possible: all.length, mutants: chosen.length, killed, score, survivors }, null, 2))

// Loads tests with one file changed in memory and runs them, many mutants in one process: starting processes would take most of the time.
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { applyMutant } from './make-mutants.mjs'
import { collectCases, finishCases, runCase } from './test-shim.mjs'

// Runs of one seed are the same; a property that failed is not shrunk.
fc.configureGlobal({ seed: 1, endOnFailure: true })

const root = process.cwd()
const caseMs = 60_000
const shimUrl = new URL('test-shim.mjs', import.meta.url).href
const textByFile = new Map()
let load = { number: 0, isChanged: () => true, mutant: undefined }

const getFile = (url) => relative(root, fileURLToPath(url))
const isOurs = (url) => url.startsWith('file:') && url.split('?')[0].endsWith('.ts') && !url.includes('/node_modules/')

function readText(file) {
  if (!textByFile.has(file)) textByFile.set(file, stripTypeScriptTypes(readFileSync(file, 'utf8')))
  return textByFile.get(file)
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'node:test' && context.parentURL !== shimUrl) return { url: shimUrl, shortCircuit: true }
    const resolved = next(specifier, context)
    // Files that do not lead to the mutant are loaded once for all mutants.
    if (!isOurs(resolved.url) || resolved.url.includes('?') || !load.isChanged(getFile(resolved.url))) return resolved
    return { ...resolved, url: `${resolved.url}?load=${load.number}` }
  },
  load(url, context, next) {
    if (!isOurs(url)) return next(url, context)
    const file = getFile(url)
    const isMutant = load.mutant?.file === file && url.includes('?load=')
    const source = isMutant ? stripTypeScriptTypes(applyMutant(readFileSync(file, 'utf8'), load.mutant)) : readText(file)
    return { format: 'module', source, shortCircuit: true }
  },
})

const loadCases = (file) => collectCases(() => import(`${pathToFileURL(file).href}?load=${load.number}`))

/** Offsets that ran, from the innermost range of each function. */
function makeIsCovered(functions) {
  const ranges = functions.flatMap(({ ranges: list }) => list)
  return (offset) => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    const inner = around.toSorted((left, right) => left.endOffset - left.startOffset - (right.endOffset - right.startOffset))
    return (inner[0]?.count ?? 0) > 0
  }
}

/**
 * Finds the mutants whose code each test of a file runs; code that runs while the file is loaded belongs to all of its tests.
 * A second round runs the tests in the opposite order, because a mutant is tried with some of them only.
 */
async function coverFile({ file, mutants, number }) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  load = { number, isChanged: () => true }
  const findCovered = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const scripts = result.filter(({ url }) => url.endsWith(`?load=${number}`))
    const isCovered = new Map(scripts.map((script) => [getFile(script.url), makeIsCovered(script.functions)]))
    return mutants.filter((mutant) => isCovered.get(mutant.file)?.(mutant.start) === true).map(({ id }) => id)
  }
  const loadStart = performance.now()
  const list = await loadCases(file)
  const loadMs = performance.now() - loadStart
  const loaded = await findCovered()
  const cases = []
  for (const one of list) {
    const start = performance.now()
    await runCase(one, caseMs)
    cases.push({ name: one.name, loadMs, ms: performance.now() - start, covered: [...loaded, ...(await findCovered())] })
    process.send({ waitMs: caseMs })
  }
  await finishCases(list)
  session.disconnect()
  load = { number: `${number}-reversed`, isChanged: () => true }
  const reversed = await loadCases(file)
  for (const one of reversed.toReversed()) {
    await runCase(one, caseMs)
    process.send({ waitMs: caseMs })
  }
  await finishCases(reversed)
  return { cases }
}

/** Ends at the first test that fails. */
async function tryMutant({ mutant, number, dependents, plan }) {
  const changed = new Set(dependents)
  load = { number, mutant, isChanged: (file) => changed.has(file) }
  try {
    await import(`${pathToFileURL(mutant.file).href}?load=${number}`)
  } catch (error) {
    return { verdict: 'not loaded', note: String(error) }
  }
  for (const { file, indexes, limitMs } of plan) {
    let list = []
    let name = 'loading'
    try {
      list = await loadCases(file)
      for (const index of indexes) {
        process.send({ waitMs: limitMs + 5_000 })
        name = list[index].name
        await runCase(list[index], limitMs)
      }
    } catch (error) {
      return { verdict: 'killed', note: `${file}: ${name}`, isStray: error?.isStray === true }
    } finally {
      await finishCases(list).catch(() => {})
    }
  }
  return { verdict: 'survived' }
}

const jobs = { cover: coverFile, try: tryMutant }
async function handle(message) {
  try {
    const result = await jobs[message.job](message)
    // Work that a mutant left behind would slow down or disturb the next one.
    process.send({ result: { ...result, isBusy: process.getActiveResourcesInfo().some((name) => name !== 'PipeWrap') } })
  } catch (error) {
    process.send({ result: { error: String(error?.stack ?? error) } })
  }
}
process.on('message', (message) => void handle(message))
process.on('disconnect', () => process.exit())
process.send({ isReady: true })

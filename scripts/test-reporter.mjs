// A short report of node:test: failures in full, passes as a number.
// The counts go to the file named by PARLEY_COUNTS, so that no other script has to parse printed text.
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { inspect } from 'node:util'

const where = ({ file, line }) => (file ? ` (${relative(process.cwd(), file)}${line ? `:${line}` : ''})` : '')

export default async function* report(source) {
  const counts = { passed: 0, failed: 0, skipped: 0, files: 0, failedFiles: [], slowest: [], fuzz: { cases: 0, longestDelayMs: 0 } }
  const outputByFile = new Map()
  const listed = []
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') {
      outputByFile.set(data.file, ((outputByFile.get(data.file) ?? '') + data.message).slice(-4000))
    } else if (type === 'test:fail') {
      // A suite fails because one of its tests did, and that one was shown already.
      if (data.details.error?.failureType === 'subtestsFailed') continue
      const cause = data.details.error?.cause ?? data.details.error
      yield `  ✗ ${data.name}${where(data)}\n${indent(getStack(cause))}\n`
    } else if (type === 'test:diagnostic') {
      // Written by test/fuzz-corpus.ts.
      const [, cases, delayMs] = /^fuzz corpus: (\d+) cases, longest event-loop delay (\d+) ms$/.exec(data.message) ?? []
      counts.fuzz.cases += Number(cases ?? 0)
      counts.fuzz.longestDelayMs = Math.max(counts.fuzz.longestDelayMs, Number(delayMs ?? 0))
    } else if (type === 'test:summary' && data.file === undefined) {
      counts.passed = data.counts.passed
      counts.failed = data.counts.failed + data.counts.cancelled
      counts.skipped = data.counts.skipped + data.counts.todo
    } else if (type === 'test:summary') {
      counts.files += 1
      counts.slowest.push({ file: relative(process.cwd(), data.file), seconds: Math.round(data.duration_ms / 1000) })
      counts.slowest = counts.slowest.toSorted((one, two) => two.seconds - one.seconds).slice(0, 8)
      if (!data.success) counts.failedFiles.push(relative(process.cwd(), data.file))
      if (!data.success && outputByFile.has(data.file))
        yield `  … ${relative(process.cwd(), data.file)} printed:\n${indent(outputByFile.get(data.file))}\n`
      else if (process.env.PARLEY_COUNTS_FILES)
        listed.push(
          `  ${data.success ? '✓' : '✗'} ${relative(process.cwd(), data.file)}  ${data.counts.passed} passed  ${(data.duration_ms / 1000).toFixed(1)} s`,
        )
    }
  }
  // Only now the processes have ended, and their time is known.
  for (const line of listed) yield `${line}${listed.length === 1 ? processorNote() : ''}\n`
  if (process.env.PARLEY_COUNTS) writeFileSync(process.env.PARLEY_COUNTS, JSON.stringify(counts))
}

/** Processor time of the file and of the processes it started, where the system tells it: what it waited says little about a busy machine. */
function processorNote() {
  try {
    const [user = 0, system = 0] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ').slice(13, 15).map(Number)
    return `  ${((user + system) / 100).toFixed(1)} s of processor`
  } catch {
    return ''
  }
}

/** Also of the cause: fast-check names the counterexample and keeps the assertion there. */
const getStack = (error) =>
  error instanceof Error
    ? (error.stack ?? error.message) + (error.cause === undefined ? '' : `\ncaused by ${getStack(error.cause)}`)
    : inspect(error)

const indent = (text) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')

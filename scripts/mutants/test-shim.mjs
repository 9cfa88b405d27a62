// Stands in for `node:test` inside the worker: a file is loaded once, then its tests run one by one, as often as needed.
export { mock } from 'node:test'

const { setInterval: startTimer, clearInterval: stopTimer } = globalThis
const lookMs = 100
const idleLooks = 5
const makeSuite = (parent) => ({ parent, before: [], after: [], beforeEach: [], afterEach: [], hasStarted: false })
let suite = makeSuite()
let cases = []

/** The tests that `load` defines, in their order. */
export async function collectCases(load) {
  suite = makeSuite()
  cases = []
  await load()
  return cases
}

export function test(name, ...rest) {
  cases.push({ name, suite, run: rest.findLast((part) => typeof part === 'function') })
}
export const it = test

export function describe(name, ...rest) {
  const outer = suite
  suite = makeSuite(outer)
  rest.findLast((part) => typeof part === 'function')()
  suite = outer
}
export { describe as suite }

export const before = (hook) => void suite.before.push(hook)
export const after = (hook) => void suite.after.push(hook)
export const beforeEach = (hook) => void suite.beforeEach.push(hook)
export const afterEach = (hook) => void suite.afterEach.push(hook)

const getSuites = (inner) => (inner === undefined ? [] : [...getSuites(inner.parent), inner])

/** A rejection or exception that no code handles fails the running test, as it does under `node:test`. It may come from the mutant before. */
let failRunning = () => {}
for (const name of ['unhandledRejection', 'uncaughtException'])
  process.on(name, (error) => failRunning(Object.assign(new Error(`${name}: ${String(error?.message ?? error)}`), { isStray: true })))

/** A test that waits while nothing of this process can happen any more has failed, and so has one that takes too long. */
function watch(limitMs, fail) {
  let [looks, idle] = [0, 0]
  const timer = startTimer(() => {
    looks += 1
    const resources = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')
    idle = resources.length <= 1 ? idle + 1 : 0
    if (idle >= idleLooks || looks * lookMs >= limitMs) fail(new Error('the test does not end'))
  }, lookMs)
  return () => stopTimer(timer)
}

/** Rejects if the test fails. */
export async function runCase({ suite: inner, run }, limitMs) {
  const suites = getSuites(inner)
  const cleanups = []
  const context = { after: (hook) => void cleanups.push(hook), diagnostic: () => {}, signal: new AbortController().signal }
  const { promise: interrupted, reject } = Promise.withResolvers()
  failRunning = reject
  const stopWatching = watch(limitMs, reject)
  try {
    await Promise.race([interrupted, runWithHooks(suites, () => run(context))])
  } finally {
    for (const hook of [...cleanups.toReversed(), ...suites.toReversed().flatMap((one) => one.afterEach)]) await hook(context)
    stopWatching()
    failRunning = () => {}
  }
}

async function runWithHooks(suites, run) {
  for (const one of suites.filter(({ hasStarted }) => !hasStarted)) {
    one.hasStarted = true
    for (const hook of one.before) await hook()
  }
  for (const hook of suites.flatMap((one) => one.beforeEach)) await hook()
  await run()
}

export async function finishCases(list) {
  const suites = new Set(list.flatMap(({ suite: inner }) => getSuites(inner)).filter(({ hasStarted }) => hasStarted))
  for (const one of suites) for (const hook of one.after) await hook()
}

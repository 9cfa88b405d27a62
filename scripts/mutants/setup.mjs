// Loaded into each test process: replaces one file in memory, makes runs repeatable, and, as the reporter, ends at the first failure.
import fc from 'fast-check'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

fc.configureGlobal({ seed: 1, endOnFailure: true })
const mutant = JSON.parse(process.env.PARLEY_MUTANT ?? 'null')
if (mutant !== null)
  registerHooks({
    load: (url, context, next) =>
      url === mutant.url ? { format: 'module', source: stripTypeScriptTypes(mutant.text), shortCircuit: true } : next(url, context),
  })

export default async function* endAtFailure(source) {
  for await (const { type, data } of source) if (type === 'test:fail') yield* stop(data)
}

function* stop({ name, details }) {
  yield `${name}: ${details.error?.cause?.message ?? details.error?.message}\n`
  setImmediate(() => process.exit(1))
}

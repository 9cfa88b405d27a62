import { problemInWords } from '../../app/config/problem.ts'
import { exitCode } from '../exit-code.ts'
import type { Given } from '../given.ts'
import { readLocalPolicy } from '../local-policy.ts'
import { plainText } from '../plain-text.ts'
import { shortPath } from '../places.ts'
import type { Terminal } from '../terminal.ts'

/** A policy with rules and no example fails: nothing was tested, and a script must not read that as success. */
export async function run(terminal: Terminal, _given: Given): Promise<number> {
  const { approvals } = terminal.words
  const read = await readLocalPolicy(terminal)
  if ('problems' in read) {
    terminal.result({ ok: false, file: read.file, problems: read.problems, rules: null, examples: 0, untested: 0 }, () =>
      read.problems.map((problem) => `${terminal.paint.red('✗')} ${plainText(problemInWords(problem))}`),
    )
    return exitCode.failed
  }
  const rules = read.policy.rules.length
  const examples = read.examples.reduce((sum, count) => sum + count, 0)
  const untested = read.examples.filter((count) => count === 0).length
  const isUntested = rules > 0 && examples === 0
  const ok = !isUntested
  terminal.result({ ok, file: read.file, problems: [], rules, examples, untested }, () => {
    if (!read.exists) return approvals.noFile
    if (rules === 0) return approvals.nothingToTest(shortPath(read.file, terminal.cwd))
    if (isUntested) return `${terminal.paint.red('✗')} ${approvals.noExamples(rules)}`
    const tested = `${terminal.paint.green('✓')} ${approvals.tested(examples, rules - untested)}`
    return untested > 0 ? [tested, `  ${approvals.untested(untested)}`] : [tested]
  })
  if (isUntested && !terminal.json) terminal.say(`  ${terminal.errPaint.cyan('→')} ${approvals.noExamplesHint}`)
  return ok ? exitCode.ok : exitCode.failed
}

import type { RunScope } from './scope.ts'
import { baseName } from './subjects/shell-programs.ts'
import type { CommandWord, RunSubject } from './subjects/subject.ts'

/** `behind`: the denied command stands behind other words, such as `xrun git push --force`. `unsure`: it may match. */
export type Match = 'yes' | 'no' | 'behind' | 'unsure'

/** Allow rules and grants: the words in order, exactly. Only words behind a final `*` are free. */
export function allowsRun({ words, isOpen }: RunScope, subject: RunSubject): Match {
  if (!isOpen && subject.words.length !== words.length) return 'no'
  for (const [at, wanted] of words.entries()) {
    const word = subject.words[at]
    if (!word) return 'no'
    if (!word.isLiteral) return 'unsure'
    if (word.value !== wanted) return 'no'
  }
  return 'yes'
}

/**
 * Deny and ask rules: the program, then all words in any order and anywhere, with short flags split and `-f` the same as
 * `--force`.
 */
export function forbidsRun(scope: RunScope, { words, outer }: RunSubject): Match {
  const inner = forbids(scope, words)
  if (inner === 'yes' || !outer) return inner
  const whole = forbids(scope, outer)
  return whole === 'yes' || inner === 'no' ? whole : inner
}

function forbids({ words: [program, ...rest] }: RunScope, words: readonly CommandWord[]): Match {
  if (program === undefined) return 'yes'
  const wanted = rest.flatMap(flagParts)
  const [first, ...others] = words
  if (first?.isLiteral && isProgram(first.value, program)) return contains(others, wanted)
  const pieces = others.filter(({ isLiteral }) => isLiteral).flatMap(({ value }) => value.split(/[\s;|&()<>"'`]+/))
  const hasProgram = pieces.some((piece) => isProgram(piece, program))
  const behind = contains([...others.filter(({ isLiteral }) => !isLiteral), ...pieces.map((value) => ({ value, isLiteral: true }))], wanted)
  if (hasProgram) return behind === 'yes' ? 'behind' : behind
  // The program itself may be what a variable holds, when everything else of the rule is there.
  return wanted.length > 0 && behind === 'yes' && others.some(({ isLiteral }) => !isLiteral) ? 'unsure' : 'no'
}

function contains(words: readonly CommandWord[], wanted: readonly string[]): Match {
  const given = new Set(words.filter(({ isLiteral }) => isLiteral).flatMap(({ value }) => [value, ...flagParts(value)]))
  const missing = wanted.filter((one) => !given.has(one))
  if (missing.length === 0) return 'yes'
  const canHold = words.some(({ isLiteral }) => !isLiteral)
  // Many programs take the beginning of a long flag for the flag.
  const isShortened = missing.every(
    (one) => one.startsWith('--') && [...given].some((word) => word.length > 2 && word.startsWith('--') && one.startsWith(word)),
  )
  return canHold || isShortened ? 'unsure' : 'no'
}

/** `-rf` is `-r` and `-f`, `-f` is `--force`, `--output=x` is `--output`. */
function flagParts(word: string): string[] {
  if (/^--[^=]+=/s.test(word)) return [word.slice(0, word.indexOf('='))]
  if (!/^-[^-]/s.test(word)) return [word]
  return [...word.slice(1)].map((flag) => (flag === 'f' ? '--force' : `-${flag}`))
}

const isProgram = (word: string, program: string): boolean => baseName(word).toLowerCase() === baseName(program).toLowerCase()

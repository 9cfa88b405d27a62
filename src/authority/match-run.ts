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
  return outer ? stronger(inner, forbids(scope, outer)) : inner
}

function forbids({ words: [program, ...rest] }: RunScope, words: readonly CommandWord[]): Match {
  if (program === undefined) return 'yes'
  const flagsOfRule = rest.flatMap(flagParts)
  const [first, ...others] = words
  const isFirst = first?.isLiteral === true && isProgram(first.value, program)
  const direct = isFirst ? contains(others, flagsOfRule) : 'no'
  return direct === 'yes' ? 'yes' : stronger(direct, forbidsBehind(program, flagsOfRule, others, isFirst))
}

/** The denied command among the arguments of another one or of itself, also inside an argument such as `alias.x=!git push`. */
function forbidsBehind(program: string, wanted: readonly string[], others: readonly CommandWord[], isFirst: boolean): Match {
  const free = others.filter(({ isLiteral }) => !isLiteral)
  const literal = others.filter(({ isLiteral }) => isLiteral)
  const pieces = literal.flatMap(({ value }) => value.split(/[\s;|&()<>"'`=!]+/))
  const match = contains([...free, ...literal, ...pieces.map((value) => ({ value, isLiteral: true }))], wanted)
  if (isFirst || pieces.some((piece) => isProgram(piece, program))) return match === 'yes' ? 'behind' : match
  // The program itself may be what a variable holds, when everything else of the rule is there.
  return wanted.length > 0 && match === 'yes' && free.length > 0 ? 'unsure' : 'no'
}

const strength: Readonly<Record<Match, number>> = { no: 0, unsure: 1, behind: 2, yes: 3 }
const stronger = (a: Match, b: Match): Match => (strength[a] >= strength[b] ? a : b)

function contains(words: readonly CommandWord[], wanted: readonly string[]): Match {
  const flagsOfCall = new Set(words.filter(({ isLiteral }) => isLiteral).flatMap(({ value }) => [value, ...flagParts(value)]))
  const missing = wanted.filter((one) => !flagsOfCall.has(one))
  if (missing.length === 0) return 'yes'
  const canHold = words.some(({ isLiteral }) => !isLiteral)
  // Many programs take the beginning of a long flag for the flag.
  const isShortened = missing.every(
    (one) => one.startsWith('--') && [...flagsOfCall].some((word) => word.length > 2 && word.startsWith('--') && one.startsWith(word)),
  )
  return canHold || isShortened ? 'unsure' : 'no'
}

/** `-rf` is `-r` and `-f`, `-f` is `--force`, `--output=x` is `--output`. */
function flagParts(word: string): string[] {
  if (/^--[^=]+=/s.test(word)) return [word.slice(0, word.indexOf('='))]
  if (!/^-[^-]/s.test(word)) return [word]
  return Array.from(word.slice(1), (flag) => (flag === 'f' ? '--force' : `-${flag}`))
}

const isProgram = (word: string, program: string): boolean => baseName(word).toLowerCase() === baseName(program).toLowerCase()

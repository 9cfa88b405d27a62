import { type FileUse, redirectionEffect } from './redirection.ts'
import { isHarmlessVariable, isLoopVariable } from './shell-programs.ts'
import type { SyntaxNode, Word } from './shell-syntax.ts'
import type { NetSubject } from './subject.ts'
import type { Unsure } from './unsure.ts'

/** The effect of one node of a command beside the programs it runs. */
export type SyntaxEffect = {
  unsure?: Unsure
  files?: readonly FileUse[]
  net?: NetSubject
  /** A wrapper, assignment, substitution or here-document: nothing that a standing permission should be made of. */
  isOnceOnly?: true
}

type Effects = { [Type in SyntaxNode['type']]?: (node: Extract<SyntaxNode, { type: Type }>) => SyntaxEffect }

const none: SyntaxEffect = {}
const syntax: SyntaxEffect = { unsure: { why: 'syntax' } }
const expansion = (detail: string): SyntaxEffect => ({ unsure: { why: 'expansion', detail } })

/** ${ command; } is new in bash 5.3; older ones refuse it. */
const substitution = ({ script, text }: { script: unknown; text: string }): SyntaxEffect => ({
  isOnceOnly: true,
  ...((!script || text.startsWith('${')) && syntax),
})

/** Arithmetic can assign, and evaluates text inside subscripts as code even when it is quoted. */
const arithmetic = (text: string): SyntaxEffect =>
  /[`[\]'"\\]|\$\(|\+\+|--|(?:^|[^=!<>])=(?!=)|(?:<<|>>)=/.test(text) ? expansion(text) : none

/** `[[ 'a[$(id)]' -eq 0 ]]` runs `id`, and `-v` evaluates subscripts in the same way. */
export const hasCodeInSubscript = (text: string): boolean => /^[^[]*\[[\s\S]*?(?:\$\(|`)/.test(text)

const test = (...words: readonly Word[]): SyntaxEffect => {
  const match = words.find(({ text }) => hasCodeInSubscript(text))
  return match ? expansion(match.text) : none
}

const effects: Effects = {
  Script: (node) => ('errors' in node && node.errors && node.errors.length > 0 ? syntax : none),
  Function: ({ name }) => ({ unsure: { why: 'function', detail: name.value } }),
  Coproc: () => ({ unsure: { why: 'shell-state', detail: 'coproc' } }),
  Select: () => ({ unsure: { why: 'shell-state', detail: 'select' } }),
  For: ({ name }) => (isLoopVariable(name.text) ? none : { unsure: { why: 'assignment', detail: name.text } }),
  ArithmeticFor: () => ({ unsure: { why: 'assignment' } }),
  Assignment: ({ name, value, index, append }) => {
    const isHarmless = isHarmlessVariable(name) && value.type !== 'ArrayValue' && !index && !append
    return isHarmless ? { isOnceOnly: true } : { isOnceOnly: true, unsure: { why: 'assignment', detail: name } }
  },
  Redirect: redirectionEffect,
  // The input of a program is not among its words, so a scope made of them would allow any other input.
  HereDoc: ({ closing, delimiter }) => ({ isOnceOnly: true, ...(!(closing && delimiter) && syntax) }),
  HereString: () => ({ isOnceOnly: true }),
  Time: () => ({ isOnceOnly: true }),
  CommandExpansion: substitution,
  ProcessSubstitution: substitution,
  ArithmeticCommandExpansion: substitution,
  ParameterExpansion: ({ prefix, text }) => (prefix === '!' ? expansion(text) : none),
  Default: ({ operator }) => (operator === '=' || operator === ':=' ? { unsure: { why: 'assignment' } } : none),
  Transform: () => expansion('@'),
  Unknown: ({ operator }) => expansion(operator),
  Names: () => expansion('!'),
  // Off in a shell that runs a command, where it is a syntax error.
  ExtendedGlob: () => syntax,
  ArithmeticExpansion: ({ text }) => arithmetic(text.slice(3, -2)),
  ArithmeticCommand: ({ body }) => arithmetic(body),
  TestUnary: ({ operand }) => test(operand),
  TestBinary: ({ left, right }) => test(left, right),
}

export const syntaxEffect = (node: SyntaxNode): SyntaxEffect =>
  (effects[node.type] as ((node: SyntaxNode) => SyntaxEffect) | undefined)?.(node) ?? none

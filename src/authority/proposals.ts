import type { Decision } from './decision.ts'
import { escapeGlob } from './glob.ts'
import { parseScope, type Where, scopeLimits } from './scope.ts'
import { allows } from './match-scope.ts'
import { baseName } from './subjects/shell-programs.ts'
import {
  type CommandWord,
  type PathSubject,
  type RunSubject,
  type Scalars,
  shellWord,
  type Subject,
  subjectText,
} from './subjects/subject.ts'

/** A scope that a card offers for "in this chat" and "always". `script` is a file whose hash the grant is bound to. */
export type ScopeProposal = { text: string; where?: Where; script?: string }

/** Scopes for one subject that no rule or grant covers yet, best first. */
export type SubjectProposals = { subject: string; scopes: readonly ScopeProposal[] }

/**
 * | call | proposed |
 * |---|---|
 * | `git log -3` | `run(git log *)`, then exact; never `git *` |
 * | any other command | exact; with a script, bound to its hash |
 * | edit `src/a/b.ts` | `write(src/a/**)`, the file, `write(src/**)` |
 * | message, MCP | that address · that tool, with scalars as `where` |
 * | covered by a rule or grant already | nothing |
 * | once only | nothing at all |
 */
export function proposeScopes(decision: Decision): readonly SubjectProposals[] {
  if (decision.decision !== 'ask' || decision.onceOnly) return []
  const open = decision.subjects.filter(({ verdict }) => verdict === 'ask')
  const proposals = open.map(({ subject }) => ({
    subject: subjectText(subject),
    scopes: scopesFor(subject).filter((scope) => covers(scope, subject)),
  }))
  // A grant for some of the subjects would not let the call run, so it is all of them or none.
  return proposals.every(({ scopes }) => scopes.length > 0) ? proposals : []
}

function covers({ text, where }: ScopeProposal, subject: Subject): boolean {
  const parsed = parseScope(text, where)
  return 'scope' in parsed && allows(parsed.scope, subject) === 'yes'
}

function scopesFor(subject: Subject): readonly ScopeProposal[] {
  switch (subject.kind) {
    case 'run':
      return runScopes(subject)
    case 'read':
    case 'write':
      return pathScopes(subject)
    case 'net':
    case 'message':
      return [{ text: subjectText(subject) }]
    case 'mcp':
    case 'tool': {
      const where = whereOf(subject.scalars)
      return where === null ? [] : [{ text: subjectText(subject), ...(Object.keys(where).length > 0 && { where }) }]
    }
  }
}

const interpreters = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|Rscript|sh|bash|dash|zsh|ksh)$/

function runScopes(subject: RunSubject): readonly ScopeProposal[] {
  const { words } = subject
  const [program, second] = words
  if (!program?.isLiteral) return []
  const script = scriptOf(subject)
  // An interpreter that gets neither a file nor code reads its program from elsewhere.
  if (script === null && isInterpreter(program.value) && !hasInlineCode(words)) return []
  const exact: ScopeProposal[] = words.every(({ isLiteral }) => isLiteral)
    ? [{ text: `run(${words.map(({ value }) => shellWord(value)).join(' ')})`, ...(script !== null && { script }) }]
    : []
  const isGit = program.value === 'git' && second?.isLiteral && /^[a-z][a-z-]*$/.test(second.value)
  return isGit ? [{ text: `run(git ${second.value} *)` }, ...exact] : exact
}

const isInterpreter = (program: string): boolean => interpreters.test(baseName(program))

const hasInlineCode = (words: readonly CommandWord[]): boolean =>
  words.some(({ value, isLiteral }) => isLiteral && /^(?:-[cepmr]|--eval|--print)$/.test(value))

/** The file whose content decides what the command does: a program by path, or the first argument of an interpreter. */
export function scriptOf({ words }: RunSubject): string | null {
  const [program, ...rest] = words
  if (!program?.isLiteral) return null
  if (program.value.includes('/') && !/^\/(?:usr\/)?bin\//.test(program.value)) return program.value
  if (!isInterpreter(program.value) || hasInlineCode(rest)) return null
  const at = rest.findIndex(({ value, isLiteral }) => !isLiteral || !value.startsWith('-'))
  const before = rest[at - 1]?.value ?? ''
  // `--import x.js y.js`: the word behind a long option may be its value, and the script another one.
  if (before.startsWith('--') && !before.includes('=') && !optionWithoutValue.test(before)) return null
  const script = rest[at]
  return script?.isLiteral ? script.value : null
}

const optionWithoutValue = /^--(?:test|watch|no-[\w-]+|experimental-strip-types|enable-source-maps)$/

function pathScopes({ kind, names, isRecursive }: PathSubject): readonly ScopeProposal[] {
  const [first, second] = names
  // Two names of one file are in no single folder that a person would recognise.
  if (!first || second) return []
  if (first.inside === null) return [{ text: `${kind}(${escapeGlob(first.absolute)}${isRecursive ? '/**' : ''})` }]
  const parts = first.inside.split('/').map(escapeGlob)
  const file = `${kind}(${parts.join('/')}${isRecursive ? '/**' : ''})`
  const folders = parts.slice(0, -1)
  const near = folders.length > 0 ? [`${kind}(${folders.join('/')}/**)`] : []
  const top = folders.length > 1 ? [`${kind}(${folders[0]}/**)`] : []
  return first.inside === '' ? [] : [...near, file, ...top].map((text) => ({ text }))
}

/** All short scalars; null when a value cannot be written as a pattern of its own. */
function whereOf(scalars: Scalars): Where | null {
  const where: Record<string, string> = {}
  for (const [field, value] of Object.entries(scalars)) {
    if (value === null || value.length > scopeLimits.whereChars) continue
    if (value.includes('*')) return null
    where[field] = value
  }
  return Object.keys(where).length > scopeLimits.whereFields ? null : where
}

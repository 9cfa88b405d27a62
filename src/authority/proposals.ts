import type { Decision } from './decision.ts'
import { escapeGlob } from './glob.ts'
import { parseScope, type Where, scopeLimits } from './scope.ts'
import { allows } from './match-scope.ts'
import { coversAnyContent, readCode } from './subjects/command-code.ts'
import { type PathSubject, type RunSubject, type Scalars, shellWord, type Subject, subjectText } from './subjects/subject.ts'

/**
 * A scope that a card offers for "in this chat" and "always". `script`, and `modules` beside it, are files with code: the grant
 * is bound to their hashes. `anyContent`: it is bound to no file and allows the command whatever the files it runs contain.
 */
export type ScopeProposal = { text: string; where?: Where; script?: string; modules?: readonly string[]; anyContent?: true }

/** Scopes for one subject that no rule or grant covers yet, best first. */
export type SubjectProposals = { subject: string; scopes: readonly ScopeProposal[] }

/**
 * | call | proposed |
 * |---|---|
 * | `git log -3` | `run(git log *)`, then exact; never `git *` |
 * | any other command | exact; with files of code, bound to their hashes; else marked if it runs files |
 * | code that the words do not name | nothing |
 * | edit `src/a/b.ts` | `write(src/a/**)`, the file, `write(src/**)` |
 * | message, MCP | that address · that tool, with all fields as `where`; nothing when one is no short scalar |
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
      const where = describeWhere(subject.scalars)
      return where === null ? [] : [{ text: subjectText(subject), ...(Object.keys(where).length > 0 && { where }) }]
    }
  }
}

function runScopes(subject: RunSubject): readonly ScopeProposal[] {
  const { words } = subject
  const [program, second] = words
  const { files, isKnown } = readCode(words)
  if (!program?.isLiteral || !isKnown) return []
  const [script, ...modules] = files.map(({ path }) => path)
  const isUnbound =
    script === undefined &&
    coversAnyContent(
      words.map(({ value }) => value),
      false,
    )
  const bound = {
    ...(script !== undefined && { script }),
    ...(modules.length > 0 && { modules }),
    ...(isUnbound && { anyContent: true as const }),
  }
  const exact: ScopeProposal[] = words.every(({ isLiteral }) => isLiteral)
    ? [{ text: `run(${words.map(({ value }) => shellWord(value)).join(' ')})`, ...bound }]
    : []
  const isGit = program.value === 'git' && second?.isLiteral && /^[a-z][a-z-]*$/.test(second.value)
  return isGit ? [{ text: `run(git ${second.value} *)` }, ...exact] : exact
}

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

/** Every field of the call; null when one of them is no short scalar, or cannot be written as a pattern of its own. */
function describeWhere(scalars: Scalars): Where | null {
  const where: Record<string, string> = {}
  for (const [field, value] of Object.entries(scalars)) {
    if (value === null || value.length > scopeLimits.whereChars || value.includes('*')) return null
    where[field] = value
  }
  return Object.keys(where).length > scopeLimits.whereFields ? null : where
}

import { allows } from './match-scope.ts'
import type { Match } from './match-run.ts'
import { type Author, isAtLeast, type Role } from './roles.ts'
import { parseScope, type RunScope, type Scope, type Where } from './scope.ts'
import { type Cause, listCausers } from './cause.ts'
import { coversAnyContent, readCode } from './subjects/command-code.ts'
import type { RunSubject, Subject } from './subjects/subject.ts'

/** A standing permission, folded from `grant.made` and `grant.ended`. */
export type Grant = {
  grant: string
  agent: string
  tool: string
  toolHash: string
  /** As written, such as `run(git log *)`; `where` belongs to it. */
  scopeText: string
  scope: Scope
  /** The role of the call it was made for. It serves that role and above. */
  role: Role
  /** Set for a grant made for a guest or in a group: it serves this author only. */
  author: string | null
  /** Null: all dialogs. */
  dialog: string | null
  by: Author
  via: string
  madeAt: number
  until: number
  hasEnded: boolean
  /** Scripts the command runs, by path, with the hash they had when a person looked at them. */
  scripts: Scripts
  /** Fields of the input that the approved call had; without it those of `where`. */
  fields?: readonly string[]
}

type Scripts = Readonly<Record<string, string>>

/** Facts of a call that a grant is compared with. */
export type GrantedCall = {
  agent: string
  tool: string
  toolHash: string
  cause: Cause
  dialog: string
  now: number
  scripts?: Scripts
}

const dayMs = 86_400_000

export const grantLimits = { dialogDays: 30, alwaysDays: 90 } as const

/** The end of a new grant: never later than the limit, and never renewed by use. */
export function grantEnd(lasts: 'chat' | 'always', now: number, wanted?: number): number {
  const latest = now + (lasts === 'chat' ? grantLimits.dialogDays : grantLimits.alwaysDays) * dayMs
  return wanted === undefined ? latest : Math.min(wanted, latest)
}

/** The author a grant is bound to: guests and groups share nothing with one another. */
export function grantAuthor({ role, by }: Cause): string | null | { fault: 'several-authors' } {
  if (isAtLeast(role, 'member')) return null
  const low = by.filter((author) => !isAtLeast(author.role, 'member'))
  const [only] = low.length === 0 ? by : low
  return only && by.every(({ id }) => id === only.id) ? only.id : { fault: 'several-authors' }
}

/** True if the grant is in force for this call, regardless of its scope. */
export function servesCall(grant: Grant, call: GrantedCall): boolean {
  return (
    !grant.hasEnded &&
    call.now < grant.until &&
    grant.agent === call.agent &&
    grant.tool === call.tool &&
    grant.toolHash === call.toolHash &&
    (grant.dialog === null || grant.dialog === call.dialog) &&
    isAtLeast(call.cause.role, grant.role) &&
    (isAtLeast(grant.role, 'member') ||
      (grant.author !== null && call.cause.by.length > 0 && listCausers(call.cause).every(({ id }) => id === grant.author)))
  )
}

/** True if the scope covers the subject, and the command runs the code that a person reviewed. */
export function grantMatch(grant: Grant, subject: Subject, scripts: GrantedCall['scripts'] = {}): Match {
  const { scope } = grant
  const match = allows(scope, subject)
  if (match !== 'yes') return match
  if (subject.kind === 'run' && scope.kind === 'run') return isSameCode(scope, grant.scripts, subject, scripts) ? 'yes' : 'no'
  if (subject.kind !== 'mcp' && subject.kind !== 'tool') return match
  // A field that the approved call did not have, such as another recipient, may change what the call does.
  const fields = new Set(grant.fields ?? ('where' in scope ? Object.keys(scope.where) : []))
  const present = Object.keys(subject.scalars)
  return present.length === fields.size && present.every((field) => fields.has(field)) ? 'yes' : 'no'
}

/**
 * A grant with scripts serves commands that run just these, in the words where an interpreter takes its code from. One without
 * serves no script that its own words name: only words behind a final `*` are free.
 */
function isSameCode(scope: RunScope, approved: Scripts, { words }: RunSubject, current: Scripts): boolean {
  const { files, isKnown } = readCode(words)
  const paths = Object.keys(approved)
  if (paths.length === 0 && scope.isOpen) return files.every(({ at }) => at >= scope.words.length)
  const named = new Set(files.map(({ path }) => path))
  const isApproved = (path: string): boolean =>
    Object.hasOwn(approved, path) && Object.hasOwn(current, path) && approved[path] === current[path]
  return isKnown && named.size === paths.length && [...named].every(isApproved)
}

/** True for a command that is bound to no file and runs files: the grant allows it whatever they contain. */
export function allowsAnyContent({ scope: text, scripts }: { scope: string; scripts: Scripts }): boolean {
  const parsed = parseScope(text)
  if ('fault' in parsed || parsed.scope.kind !== 'run' || Object.keys(scripts).length > 0) return false
  return coversAnyContent(parsed.scope.words, parsed.scope.isOpen)
}

export const notCovering = 'it does not cover this call'

/** A scope from outside, such as the API: it must be valid and cover at least one of the call's subjects. */
export function checkScope(text: string, where: Where, subjects: readonly Subject[]): { scope: Scope } | { fault: string } {
  const parsed = parseScope(text, where)
  if ('fault' in parsed) return parsed
  return subjects.some((subject) => allows(parsed.scope, subject) === 'yes') ? parsed : { fault: notCovering }
}

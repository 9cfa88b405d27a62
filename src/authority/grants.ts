import { allows } from './match-scope.ts'
import type { Match } from './match-run.ts'
import { type Author, isAtLeast, type Role } from './roles.ts'
import { parseScope, type Scope, type Where } from './scope.ts'
import type { Cause } from './cause.ts'
import type { Subject } from './subjects/subject.ts'

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
  scripts: Readonly<Record<string, string>>
}

/** Facts of a call that a grant is compared with. */
export type GrantedCall = {
  agent: string
  tool: string
  toolHash: string
  cause: Cause
  dialog: string
  now: number
  scripts?: Readonly<Record<string, string>>
}

const dayMs = 86_400_000

export const grantLimits = { dialogDays: 30, alwaysDays: 90 } as const

/** The end of a new grant: never later than the limit, and never renewed by use. */
export function grantEnd(lasts: 'chat' | 'always', now: number, wanted?: number): number {
  const latest = now + (lasts === 'chat' ? grantLimits.dialogDays : grantLimits.alwaysDays) * dayMs
  return wanted === undefined || !(wanted > now) ? latest : Math.min(wanted, latest)
}

/** The author a grant is bound to: guests and groups share nothing with one another. */
export function grantAuthor({ role, by }: Cause): string | null | { fault: 'several-authors' } {
  if (isAtLeast(role, 'member')) return null
  const low = by.filter((author) => !isAtLeast(author.role, 'member'))
  const [only] = low.length === 0 ? by : low
  return only && by.every(({ id }) => id === only.id) ? only.id : { fault: 'several-authors' }
}

/** Whether the grant is in force for this call at all, whatever its scope. */
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
      (grant.author !== null && call.cause.by.length > 0 && call.cause.by.every(({ id }) => id === grant.author))) &&
    Object.entries(grant.scripts).every(([path, hash]) => Object.hasOwn(call.scripts ?? {}, path) && call.scripts?.[path] === hash)
  )
}

export const grantMatch = (grant: Grant, subject: Subject): Match => allows(grant.scope, subject)

/** A scope from outside, such as the API: it must be valid and cover at least one of the call's subjects. */
export function checkScope(text: string, where: Where, subjects: readonly Subject[]): { scope: Scope } | { fault: string } {
  const parsed = parseScope(text, where)
  if ('fault' in parsed) return parsed
  return subjects.some((subject) => allows(parsed.scope, subject) === 'yes') ? parsed : { fault: 'it does not cover this call' }
}

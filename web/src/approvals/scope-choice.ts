import type { ApprovalView } from '../../../src/shapes/wire.ts'
import type { AnswerInput } from '../../../src/client/index.ts'

export type ScopeProposal = ApprovalView['proposals'][number][number]

/** One proposed scope; `part` is the part of the call it covers. */
export type ScopeChoice = ScopeProposal & { part: number }

export const scopeChoices = ({ proposals }: Pick<ApprovalView, 'proposals'>): ScopeChoice[] =>
  proposals.flatMap((list, part) => list.map((proposal) => ({ ...proposal, part })))

export type Edited = { text: string; where: Readonly<Record<string, string>> }

/**
 * The scope to send. An unchanged best proposal is left to the server, which knows more about it, such as the hash of the script it
 * is bound to.
 */
export function scopeToSend({ text, where }: Edited, { proposals }: Pick<ApprovalView, 'proposals'>): Pick<AnswerInput, 'scope' | 'where'> {
  const scope = text.trim()
  const filledFields = Object.fromEntries(Object.entries(where).filter(([, value]) => value.trim() !== ''))
  const isBest = proposals.some(([best]) => best?.text === scope && isSame(best.where ?? {}, filledFields))
  if (isBest) return {}
  return { scope, ...(Object.keys(filledFields).length > 0 ? { where: filledFields } : {}) }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const fields = Object.keys(a)
  return fields.length === Object.keys(b).length && fields.every((field) => a[field] === b[field])
}

/** Parts of the call that the chosen scope is not meant for are allowed by their best proposals. */
export const otherScopes = (part: number, { proposals }: Pick<ApprovalView, 'proposals'>): string[] =>
  proposals.flatMap(([best], index) => (best && index !== part ? [best.text] : []))

const dayMs = 86_400_000
export const longestDays = 90

/** A day as a date field has it, in the reader's own time zone. */
export function dayAfter(now: number, days: number): string {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** The end of that day, not later than a grant may last; null for a day outside of the range. */
export function endOfDay(day: string, now: number): number | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (year === undefined || day < dayAfter(now, 0) || day > dayAfter(now, longestDays)) return null
  return Math.min(new Date(Number(year), Number(month) - 1, Number(date) + 1).getTime() - 1, now + longestDays * dayMs)
}

import type { ApprovalFactWords } from '../../words/en/approval-facts.ts'

export type ChatApprovalWords = ApprovalFactWords & {
  eachBelow: string
  back: string
  open: string
  editOnPage: string
  inDialog(title: string): string
  part(number: number, total: number, isSameLine: boolean): string
  tooLong: string
  chooseScope(agent: string, date: string): string
  whileUnchanged(file: string): string
  anyContent: string
  writeNote: string
  note(text: string): string
  decided(name: string, decision: string): string
  withdrawn: string
  lowestRole(role: string): string
  offersWorkspace: string
  list: { separator: string; colon: string }
  /** Stands between a sentence and the time after it. */
  gap: string
  /** Facts in brackets after a name. */
  aside(facts: readonly string[]): string
  /** Names of people of whom one decides, or several. */
  names(names: readonly string[], keys: number): string
}

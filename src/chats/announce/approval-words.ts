import { chatApprovalWords } from '../../words/index.ts'
import type { Language } from '../../shapes/language.ts'

export type ChatApprovalWords = {
  allowAll(count: number): string
  denyAll: string
  each: string
  eachBelow: string
  back: string
  open: string
  editOnPage: string
  inDialog(title: string): string
  part(number: number, total: number, isSameLine: boolean): string
  tooLong: string
  tooLarge: string
  chatScope(scopes: string): string
  chooseScope(agent: string, date: string): string
  whileUnchanged(file: string): string
  anyContent: string
  writeNote: string
  note(text: string): string
  decided(name: string, decision: string): string
  covered: string
  withdrawn: string
  interrupted: string
  irreversible: string
  lowestRole(role: string): string
  offersWorkspace: string
  surfaces: Readonly<Record<'web' | 'cli' | 'api' | 'library' | 'build', string>>
  list: { separator: string; colon: string }
  /** Stands between a sentence and the time after it. */
  gap: string
  /** Facts in brackets after a name. */
  aside(facts: readonly string[]): string
  /** Names of people of whom one decides, or several. */
  names(names: readonly string[], keys: number): string
}

/** The surface a person wrote by: a part of Parley, or a platform by its own name. */
export function surfaceName(via: string, language: Language): string {
  const surfaceWords: Readonly<Record<string, string>> = chatApprovalWords[language].surfaces
  return Object.hasOwn(surfaceWords, via) ? (surfaceWords[via] ?? via) : `${via.charAt(0).toUpperCase()}${via.slice(1)}`
}

import type { TaskdocView, TaskdocVersionView } from '../shapes/wire.ts'
import type { TerminalWords } from '../words/en/terminal.ts'
import { oneLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

type Section = TaskdocView['sections'][number]

export const sectionPath = ({ category, selector }: Pick<Section, 'category' | 'selector'>): string =>
  oneLine(category === null ? selector : `${category}/${selector}`)

export function toSectionName(path: string): { category: string | null; selector: string } {
  const [first = '', ...rest] = path.split('/')
  return rest.length === 0 ? { category: null, selector: first } : { category: first, selector: rest.join('/') }
}

export const writerName = (by: TaskdocVersionView['by'], words: TerminalWords): string =>
  by === null ? words.taskdocs.byHand : by.name === 'owner' && by.role === 'owner' ? words.theOwner : oneLine(by.name)

export function changedLine({ changed, hash }: Section, { words, language }: Pick<Terminal, 'words' | 'language'>): string {
  if (!changed) return words.taskdocs.empty
  return `${words.taskdocs.lastChanged(writerName(changed.by, words), new Date(changed.at).toLocaleString(language))} · ${hash || words.taskdocs.tooLong}`
}

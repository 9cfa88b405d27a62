import { useContext } from 'react'
import { isNamelessOwner } from '../../../src/authority/owner-names.ts'
import type { TaskdocView } from '../../../src/shapes/wire.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import type { PageTaskdocWords } from '../../../src/words/en/page-taskdoc.ts'
import { pageTaskdocWords } from '../../../src/words/page-parts.ts'
import { handleName } from '../chat/author.ts'
import { currentReader } from '../link/current-reader.ts'
import { LanguageContext } from '../words/use-words.ts'

export type Section = TaskdocView['sections'][number]
type Writer = NonNullable<Section['changed']>['by']

export const useTaskdocWords = (): PageTaskdocWords => pageTaskdocWords[useContext(LanguageContext)]

export const sectionPath = ({ category, selector }: Pick<Section, 'category' | 'selector'>): string =>
  category === null ? selector : `${category}/${selector}`

export const sectionTitle = (section: Pick<Section, 'category' | 'selector'>, texts: PageTaskdocWords): string =>
  texts.sections[sectionPath(section)] ?? sectionPath(section)

/** Null: outside of Parley. A version names its writer, whose id stays with the dialog. */
export function writerName(by: Writer, words: PageWords): string | null {
  if (by === null) return null
  if (by.kind === 'agent') return handleName(by.name)
  if (by.name === currentReader.name) return words.chat.you
  return isNamelessOwner(by) ? words.chat.theOwner : by.name
}

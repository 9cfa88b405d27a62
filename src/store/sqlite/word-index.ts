import type { Unit, WordQuery } from '../../ports/store.ts'
import type { Statements } from './statements.ts'

/** Words have letters and digits alone, so the first character of a group sets it apart. The index folds ASCII capitals. */
const groupWord = (group: string): string => `_${group.replaceAll(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`)}`

/** Under the write lock nothing is indexed twice and nothing is indexed that was removed. */
export function indexWords(sql: Statements, { entries, upTo }: NonNullable<Unit['index']>): void {
  const indexed = sql.indexedTo.get()?.['position'] as number
  for (const { position, group, words } of entries) {
    const isIndexed = position <= indexed
    if (isIndexed !== (upTo === undefined) || !sql.hasEvent.get(position)) continue
    sql.addWords.run(position, `${words.join(' ')} ${groupWord(group)}`)
  }
  if (upTo !== undefined) sql.setIndexedTo.run(upTo)
}

/** A query of FTS5. Words and groups have no quotation mark. */
export function matchWords({ words, groups }: Pick<WordQuery, 'words' | 'groups'>): string {
  const all = words.map(({ word, isStart }) => `"${word}"${isStart ? '*' : ''}`).join(' AND ')
  return groups ? `(${all}) AND (${groups.map((group) => `"${groupWord(group)}"`).join(' OR ')})` : all
}

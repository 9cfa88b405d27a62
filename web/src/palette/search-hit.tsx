import type { ReactNode } from 'react'
import type { SearchHit } from '../../../src/shapes/wire.ts'
import { pageFindWords } from '../../../src/words/page-parts.ts'
import { visibleTitle } from '../approvals/visible-characters.ts'
import { toAuthor } from '../chat/author.ts'
import { useSettings } from '../keep/settings.ts'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './palette.module.css'

/** Where the page shows what was found. */
export const hitPath = ({ dialog, item }: Pick<SearchHit, 'dialog' | 'item'>): string =>
  `/c/${encodeURIComponent(dialog)}${item === null ? '' : `#${encodeURIComponent(item)}`}`

/** The dialog, who said it and when, and the words around what was found. */
export function SearchHitText({ hit }: { hit: SearchHit }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const { kinds } = pageFindWords[useSettings().language]
  const { text, marks } = hit.excerpt
  return (
    <span className={styles['hit']}>
      <span className={styles['from']}>
        <bdi>{toAuthor(hit.by, words)}</bdi>
        <bdi>{visibleTitle(hit.title) || words.list.untitled}</bdi>
        {kinds[hit.kind] !== '' && <span>{kinds[hit.kind]}</span>}
        <time dateTime={new Date(hit.at).toISOString()}>{times.age(hit.at)}</time>
      </span>
      <span dir="auto" className={styles['excerpt']}>
        {marks.map(([from, to], index) => [text.slice(marks[index - 1]?.[1] ?? 0, from), <mark key={from}>{text.slice(from, to)}</mark>])}
        {text.slice(marks.at(-1)?.[1] ?? 0)}
      </span>
    </span>
  )
}

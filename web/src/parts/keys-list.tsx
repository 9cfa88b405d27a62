import type { ReactNode } from 'react'
import { shortcutRows } from '../approvals/approval-keys.ts'
import { useSettings } from '../keep/settings.ts'
import { useWords } from '../words/use-words.ts'
import styles from './modal.module.css'

/** The inside of the list of shortcuts. It is loaded after the page, because the first load has a budget. */
export function KeysList(): ReactNode {
  const words = useWords()
  const { sendWith } = useSettings()
  const rows: [string, string][] = [
    ['?', words.keys.show],
    ['n', words.keys.newChat],
    ['/', words.keys.search],
    ['t', words.keys.tree],
    ['c', words.keys.composer],
    ['q', words.keys.question],
    ['g', words.keys.newest],
  ]
  return (
    <>
      <dl className={styles['keys']}>
        {rows.map(([key, what]) => [
          <dt key={`${key} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{what}</dd>,
        ])}
      </dl>
      <h3>{words.keys.approvals}</h3>
      <dl className={styles['keys']}>
        {shortcutRows(words).map(([key, what]) => [
          <dt key={`${key} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{what}</dd>,
        ])}
      </dl>
      <p className={styles['label']}>
        {words.keys.outside} {sendWith === 'enter' ? words.composer.hintEnter : words.composer.hintCtrl}
      </p>
    </>
  )
}

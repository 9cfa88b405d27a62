import type { ReactNode } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { inWords, useTimes, useWords } from '../words/use-words.ts'
import styles from './working-line.module.css'

/** A light line while the agent works and nothing is being written yet. It stops while a person is waited for. */
export function WorkingLine({ view }: { view: DialogView }): ReactNode {
  const words = useWords()
  const times = useTimes()
  if (view.status !== 'working' && view.status !== 'stopping') return null
  if (view.retrying) {
    const { message } = inWords(view.retrying.words, words)
    return (
      <p className={styles['line']} dir="auto">
        {message} {view.retrying.retryAt !== null && words.turn.retryAt(times.clock(view.retrying.retryAt))}
      </p>
    )
  }
  if (view.draft?.text) return null
  return (
    <p className={styles['line']}>
      <span className={styles['dots']} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {words.chat.working}
    </p>
  )
}

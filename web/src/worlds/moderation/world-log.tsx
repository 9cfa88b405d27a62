import type { ReactNode } from 'react'
import { Age } from '../../lists/place.tsx'
import { identity, useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { ModerationPage } from './part-props.ts'

export function WorldLog({ page: { log } }: { page: ModerationPage }): ReactNode {
  const words = useWorldWords()
  if (log.length === 0) return <p className={styles['soft']}>{words.noLog}</p>
  return (
    <ol className={styles['log']}>
      {log.map(({ at, act, about, detail }, index) => (
        // Entries have no id, and one that was written never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${at} ${index}`}>
          {words.acts[act]}
          {about && (
            <>
              {' '}
              <bdi>{identity(about)}</bdi>
            </>
          )}
          {detail !== null && (
            <>
              : <bdi>{words.logDetails[detail] ?? detail}</bdi>
            </>
          )}{' '}
          <span className={styles['soft']}>
            <Age at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

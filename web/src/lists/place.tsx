import type { ReactNode } from 'react'
import { handleName } from '../chat/author.ts'
import { useTimes } from '../words/use-words.ts'
import styles from './overview.module.css'

/** Words of a stranger: shown to the letter, and nothing in them can be clicked. */
export function Quote({ text }: { text: string }): ReactNode {
  return (
    text !== '' && (
      <blockquote className={styles['quote']} dir="auto">
        {text}
      </blockquote>
    )
  )
}

export function Place({ channel, at, children }: { channel: string; at: number; children?: ReactNode }): ReactNode {
  return (
    <p className={styles['from']}>
      <bdi>{handleName(channel)}</bdi> · <Age at={at} />
      {children}
    </p>
  )
}

export function Age({ at }: { at: number }): ReactNode {
  const times = useTimes()
  return <time dateTime={new Date(at).toISOString()}>{times.age(at)}</time>
}

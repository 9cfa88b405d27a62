import type { ReactNode } from 'react'
import { Tile } from '../look/tile.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './dock.module.css'

type FoldedProps = { agent: string; text: string; count: number; onOpen(): void }

/** A question that was put off: one line, still open. */
export function FoldedQuestion({ agent, text, count, onOpen }: FoldedProps): ReactNode {
  const words = useWords()
  return (
    <div className={styles['bar']}>
      <Tile name={agent} size={22} isYourTurn />
      <p className={styles['cut']} dir="auto">
        {text}
      </p>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        aria-expanded={false}
        aria-label={`${words.question.answer}: ${words.question.reopen(count)}`}
        onClick={onOpen}
      >
        {words.question.answer}
      </button>
    </div>
  )
}

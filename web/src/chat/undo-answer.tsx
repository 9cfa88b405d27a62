import { type ReactNode, useEffect, useState } from 'react'
import type { DialogView, QuestionItemView } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { currentReader } from '../link/current-reader.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { answersPlace } from './question-card.tsx'
import styles from './question-card.module.css'

/** The answers that the reader gave a moment ago, each with a button that takes it back. */
export function UndoAnswers({ view }: { view: DialogView }): ReactNode {
  const own = view.items.filter(
    (item): item is QuestionItemView =>
      item.kind === 'question' && item.closed?.undoUntil !== undefined && item.closed.by === currentReader.name,
  )
  return own.map((item) => <UndoAnswer key={item.id} item={item} />)
}

function UndoAnswer({ item }: { item: QuestionItemView }): ReactNode {
  const words = useWords()
  const { id, ask, closed } = item
  const left = useSecondsLeft((closed?.undoUntil ?? 0) - (closed?.at ?? 0))
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<ErrorWords | null>(null)
  if (left === 0 && !isSending && !error) return null

  const undo = async (): Promise<void> => {
    setSending(true)
    setError(null)
    try {
      // The card shows the answer again, so that it can be corrected.
      if (closed?.answers) storage.set('tab', answersPlace(id), closed.answers)
      await client.questions.withdrawAnswer(id)
      announce(words.question.undone)
    } catch (failure) {
      storage.set('tab', answersPlace(id), null)
      setError(asWords(failure))
    } finally {
      setSending(false)
    }
  }
  return (
    <div className={styles['closed']}>
      <p>
        <strong dir="auto">{ask.text || ask.items[0]?.text}</strong>
        {error ? <span role="alert">{inWords(error, words).message}</span> : <span>{words.question.undoLeft(left)}</span>}
      </p>
      {!error && (
        <button type="button" className="button" disabled={isSending} onClick={() => void undo()}>
          {words.question.undo}
        </button>
      )}
    </div>
  )
}

/** Counted from the moment the answer is shown: the clocks of page and server may differ. */
function useSecondsLeft(forMs: number): number {
  const [left, setLeft] = useState(Math.ceil(forMs / 1_000))
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return left
}

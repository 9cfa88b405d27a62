import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './question-card.module.css'

/** Declining is an answer of its own kind; the reason is optional. */
export function DeclineForm({
  isSending,
  error,
  onBack,
  onDecline,
}: {
  isSending: boolean
  error: ErrorWords | null
  onBack(): void
  onDecline(reason: string): void
}): ReactNode {
  const words = useWords()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onDecline(reason.trim())
      }}
    >
      <div className={styles['part']}>
        <label htmlFor={id}>{words.question.declineReason}</label>
        <textarea
          ref={field}
          id={id}
          className="field"
          rows={1}
          dir="auto"
          maxLength={2_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      {error && (
        <p className={styles['error']} role="alert" dir="auto">
          {words.question.failed} {inWords(error, words).message}
        </p>
      )}
      <div className={styles['acts']}>
        <button type="submit" className="button" data-kind="main" aria-disabled={isSending}>
          {isSending ? words.question.sending : words.question.declineSend}
        </button>
        <button type="button" className="button" onClick={onBack}>
          {words.question.declineBack}
        </button>
      </div>
    </form>
  )
}

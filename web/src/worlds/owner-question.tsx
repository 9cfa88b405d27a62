import { type ReactNode, useId, useState } from 'react'
import { client } from '../link/page-client.ts'
import { ActButton, CardForm, TextField } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type OwnerQuestionProps = { account: string; question: { id: string; text: string }; refresh(): void }

/** The agent needs a decision of its owner; the talk rests until there is one. */
export function OwnerQuestion({ account, question, refresh }: OwnerQuestionProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const [text, setText] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const answer = (): void => {
    if (text.trim() !== '') void run(() => client.questions.answer(question.id, { text: text.trim() }), words.answered)
  }
  return (
    <section className={`${styles['card']} ${styles['asks']}`} aria-labelledby={id} data-question={question.id}>
      <p className={styles['soft']}>{words.asks(account)}</p>
      <h2 id={id} dir="auto">
        {question.text}
      </h2>
      <CardForm
        error={error}
        onSubmit={answer}
        acts={
          <>
            <ActButton label={words.answer} kind="main" isSending={isSending} />
            <ActButton
              label={words.noAnswer}
              kind="quiet"
              isSending={isSending}
              onClick={() => void run(() => client.questions.decline(question.id), words.didNotAnswer)}
            />
          </>
        }
      >
        <TextField label={words.answerLabel(account)} rows={2} required maxLength={4_000} value={text} onChange={setText} />
      </CardForm>
    </section>
  )
}

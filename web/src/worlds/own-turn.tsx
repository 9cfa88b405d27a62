import { type ReactNode, useId, useState } from 'react'
import { client } from '../link/page-client.ts'
import { useAction } from './use-action.ts'
import { useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type OwnTurnProps = { account: string; request: string; isTakenOver: boolean; refresh(): void }

/** Takes over from the agent, writes turns in its place, and hands back. */
export function OwnTurn({ account, request, isTakenOver, refresh }: OwnTurnProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const [text, setText] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const of = { account }
  return (
    <div className={styles['form']}>
      {isTakenOver ? (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() === '') return
            void run(() => client.conversations.write(request, { ...of, text: text.trim() }), words.sent).then(
              (isDone) => isDone && setText(''),
            )
          }}
        >
          <label className={styles['label']} htmlFor={id}>
            {words.own}
          </label>
          <textarea
            id={id}
            className="field"
            rows={3}
            required
            maxLength={4_000}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div className={styles['acts']}>
            <button className="button" data-kind="main" aria-disabled={isSending}>
              {words.send}
            </button>
            <button
              type="button"
              className="button"
              aria-disabled={isSending}
              onClick={() => void run(() => client.conversations.handBack(request, of), words.didHandBack)}
            >
              {words.handBack}
            </button>
          </div>
        </form>
      ) : (
        <div>
          <button
            type="button"
            className="button"
            aria-disabled={isSending}
            onClick={() => void run(() => client.conversations.takeOver(request, of), words.didTakeOver)}
          >
            {words.takeOver}
          </button>
        </div>
      )}
      {error !== null && (
        <p role="alert" className={styles['bad']}>
          {error}
        </p>
      )}
    </div>
  )
}

import { type ReactNode, useRef, useState } from 'react'
import { type BuildView, freshKey } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, useWords } from '../words/use-words.ts'
import { endedWords } from './ended-words.ts'
import styles from './ended.module.css'
import { useBuildWords } from './use-build.ts'

/** A button below the agent's summary; what an operator may want to know is folded away. */
export function EndedEarly({ build, view }: { build: string; view: BuildView }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  // One key for all tries: however often it is pressed, one new round comes of it.
  const key = useRef(freshKey())
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const isCancelled = view.status === 'cancelled'
  const { title, sentence, details } = endedWords(view, words)

  const again = async (): Promise<void> => {
    if (isSending) return
    setSending(true)
    setError(null)
    try {
      // The page follows the build, so the new round appears by itself and takes this away.
      await client.builds.retry(build, { key: key.current })
    } catch (failure) {
      setError(`${words.retryFailed} ${inWords(asWords(failure), page).message}`)
      setSending(false)
    }
  }

  return (
    <section className={styles['early']} data-bad={!isCancelled || undefined} aria-label={title}>
      <div hidden={sentence === null && error === null && isCancelled}>
        {sentence !== null && (
          <>
            <p className={styles['title']}>{title}</p>
            <p dir="auto">{sentence}</p>
          </>
        )}
        {error !== null && (
          <p role="alert" className={styles['error']}>
            {error}
          </p>
        )}
        {!isCancelled && (
          <details>
            <summary>{words.details}</summary>
            {details.map((text) => (
              <p key={text} dir="auto">
                {text}
              </p>
            ))}
            <p>
              <code dir="ltr">{build}</code>
            </p>
          </details>
        )}
      </div>
      <button
        type="button"
        className="button"
        data-kind="main"
        title={words.keptAnswers}
        aria-disabled={isSending}
        onClick={() => void again()}
      >
        {isSending ? words.starting : isCancelled ? words.startAgain : words.tryAgain}
      </button>
    </section>
  )
}

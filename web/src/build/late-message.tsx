import { type ReactNode, useRef, useState } from 'react'
import { freshKey } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './ended.module.css'
import { useBuildWords } from './use-build.ts'

/** Below messages that came too late for the round that ended. */
export function LateMessage({ build }: { build: string }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const key = useRef(freshKey())
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const goOn = async (): Promise<void> => {
    if (isSending) return
    setSending(true)
    setError(null)
    try {
      await client.builds.retry(build, { key: key.current })
    } catch (failure) {
      setError(`${words.retryFailed} ${inWords(asWords(failure), page).message}`)
      setSending(false)
    }
  }
  return (
    <section className={styles['early']} aria-label={words.cameLate} data-part="late">
      <div>
        <p>{words.cameLate}</p>
        {error !== null && (
          <p role="alert" className={styles['error']}>
            {error}
          </p>
        )}
      </div>
      <button type="button" className="button" data-kind="main" aria-disabled={isSending} onClick={() => void goOn()}>
        {isSending ? words.starting : words.continueWith}
      </button>
    </section>
  )
}

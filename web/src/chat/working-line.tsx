import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { useWords } from '../words/use-words.ts'
import styles from './working-line.module.css'

const FailureText = lazy(async () => ({ default: (await import('../words/failure-text.tsx')).FailureText }))

/** A light line while the agent works and nothing is being written yet. It stops while a person is waited for. */
export function WorkingLine({ view }: { view: DialogView }): ReactNode {
  const words = useWords()
  if (view.status !== 'working' && view.status !== 'stopping') return null
  if (view.retrying) {
    return (
      <p className={styles['line']} dir="auto">
        <Suspense>
          <FailureText error={view.retrying.error} show="message" />
        </Suspense>{' '}
        <Countdown {...view.retrying} />
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

function Countdown({ at, retryAt }: { at: number; retryAt: number | null }): ReactNode {
  const words = useWords()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (retryAt === null) return null
  // The clock of this device may differ from the server's: never more than the wait itself is shown.
  return words.turn.retryIn(Math.max(0, Math.ceil(Math.min(retryAt - now, retryAt - at) / 1_000)))
}

import { type ReactNode, useEffect, useState } from 'react'
import type { DialogView, FailureItem } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/client/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './turn-bar.module.css'

/** What can be done about the turn: stop it while it runs, go on after it was stopped or failed. */
export function TurnBar({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const words = useWords()
  const { status } = view
  const [asked, setAsked] = useState<'stop' | 'continue' | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  useEffect(() => {
    setAsked(null)
    setError(null)
  }, [status])

  const ask = async (what: 'stop' | 'continue'): Promise<void> => {
    if (asked) return
    setAsked(what)
    setError(null)
    try {
      await client.dialogs[what](dialog)
    } catch (failure) {
      const said = asWords(failure)
      setAsked(null)
      // It ended by itself, or another tab was first: the log says so already.
      if (said.code !== 'nothing_to_stop' && said.code !== 'nothing_to_continue') setError(said)
    }
  }

  if (status === 'working' || status === 'stopping') {
    const isStopping = status === 'stopping' || asked === 'stop'
    return (
      <div className={styles['bar']}>
        {error && <p role="alert">{words.turn.stopFailed}</p>}
        <button type="button" className="button" aria-disabled={isStopping} onClick={() => void (isStopping ? null : ask('stop'))}>
          <Icon name="stop" />
          {isStopping ? words.turn.stopping : words.turn.stop}
        </button>
      </div>
    )
  }
  if (status !== 'stopped' && status !== 'failed') return null
  const failure = status === 'failed' ? view.items.findLast((item): item is FailureItem => item.kind === 'failure') : undefined
  return (
    <section
      className={styles['ended']}
      data-status={status}
      aria-label={status === 'failed' ? words.turn.failedTitle : words.turn.stoppedTitle}
    >
      <div>
        <p className={styles['title']}>{status === 'failed' ? words.turn.failedTitle : words.turn.stoppedTitle}</p>
        {failure && (
          <p dir="auto">
            {inWords(failure.words, words).message} {inWords(failure.words, words).hint}
          </p>
        )}
        <p className={styles['next']}>
          {status === 'failed' ? `${words.turn.failedNotChanged} ${words.turn.failedNext}` : words.turn.stoppedNext}
        </p>
        {failure && (
          <details>
            <summary>{words.turn.details}</summary>
            <p dir="auto">{failure.words.message}</p>
            <p>
              {words.turn.code}: <code dir="ltr">{failure.words.code}</code>
            </p>
          </details>
        )}
        {error && (
          <p role="alert" className={styles['error']}>
            {inWords(error, words).message}
          </p>
        )}
      </div>
      <button type="button" className="button" data-kind="main" aria-disabled={asked === 'continue'} onClick={() => void ask('continue')}>
        <Icon name="play" />
        {words.turn.continue}
      </button>
    </section>
  )
}

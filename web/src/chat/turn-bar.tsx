import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { DialogView, FailureItem } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { useTrees } from '../tree/tree-store.ts'
import { inWords, useWords } from '../words/use-words.ts'
import { getCloser } from './author.ts'
import styles from './turn-bar.module.css'

const FailureText = lazy(async () => ({ default: (await import('../words/failure-text.tsx')).FailureText }))

const FreshStart = lazy(async () => ({ default: (await import('../offers/index.tsx')).FreshStart }))

/** Buttons of a turn: stop while it works or waits for teammates, continue after it was stopped or failed. */
export function TurnBar({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const words = useWords()
  const { byDialog } = useTrees()
  const isEmergency = (useRefreshing(inbox).value?.emergency ?? null) !== null
  const { status } = view
  // A stop further up is known from the tree where the dialog itself had nothing to hold back.
  const stop = view.stop ?? byDialog.get(dialog)?.stop ?? null
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
      const text = asWords(failure)
      setAsked(null)
      // It ended by itself, or another tab was first: the log says so already.
      if (text.code !== 'nothing_to_stop' && text.code !== 'nothing_to_continue') setError(text)
    }
  }

  if (status === 'dead') return null
  if (isEmergency && status !== 'stopping' && status !== 'failed' && view.draft === null) return <EmergencyNote />
  if (stop !== null && stop.in !== null && stop.in !== dialog && status !== 'working' && status !== 'stopping')
    return <StoppedAbove by={stop.by} above={stop.in} />
  if (status === 'working' || status === 'stopping' || status === 'delegated') {
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
  const isLatched = status === 'stopped' && stop !== null
  const title =
    status === 'failed' ? words.turn.failedTitle : isLatched ? words.turn.latchedTitle(getCloser(stop.by, words)) : words.turn.stoppedTitle
  const failure = status === 'failed' ? view.items.findLast((item): item is FailureItem => item.kind === 'failure') : undefined
  // A fresh start is the next step then; Continue alone would often fail again.
  const isFull = failure?.error.code.startsWith('context_')
  return (
    <section className={styles['ended']} data-status={status} aria-label={title} data-shrinks>
      <div>
        <p className={styles['title']}>{title}</p>
        {failure && (
          <p dir="auto">
            <Suspense>
              <FailureText error={failure.error} show="message and hint" />
            </Suspense>
          </p>
        )}
        <p className={styles['next']}>
          {status === 'failed'
            ? `${words.turn.failedNotChanged} ${words.turn.failedNext}`
            : isLatched
              ? words.turn.latchedNext
              : words.turn.stoppedNext}
        </p>
        {failure && (
          <details>
            <summary>{words.turn.details}</summary>
            <p dir="auto">
              <Suspense>
                <FailureText error={failure.error} show="catalogue" />
              </Suspense>
            </p>
            <p>
              {words.turn.code}: <code dir="ltr">{failure.error.code}</code>
            </p>
          </details>
        )}
        {error && (
          <p role="alert" className={styles['error']}>
            {inWords(error, words).message}
          </p>
        )}
      </div>
      {isFull && (
        <Suspense>
          <FreshStart dialog={dialog} />
        </Suspense>
      )}
      <button
        type="button"
        className="button"
        data-kind={isFull ? undefined : 'main'}
        aria-disabled={asked === 'continue'}
        onClick={() => void ask('continue')}
      >
        <Icon name="play" />
        {words.turn.continue}
      </button>
    </section>
  )
}

function EmergencyNote(): ReactNode {
  const words = useWords()
  return (
    <section className={styles['ended']} data-status="stopped" aria-label={words.turn.emergencyTitle}>
      <div>
        <p className={styles['title']}>{words.turn.emergencyTitle}</p>
        <p className={styles['next']}>{words.turn.emergencyNext}</p>
      </div>
    </section>
  )
}

function StoppedAbove({ by, above }: { by: string; above: string }): ReactNode {
  const words = useWords()
  const title = words.turn.aboveTitle(getCloser(by, words))
  return (
    <section className={styles['ended']} data-status="stopped" aria-label={title}>
      <div>
        <p className={styles['title']}>{title}</p>
        <p className={styles['next']}>{words.turn.aboveNext}</p>
      </div>
      <Link href={`/c/${above}`} className="button">
        {words.turn.toStopped}
      </Link>
    </section>
  )
}

import { lazy, type ReactNode, Suspense, useContext } from 'react'
import { Link } from 'wouter'
import type { DialogView, FailureItem } from '../../../src/client/index.ts'
import { ShapeMark } from '../lists/status-mark.tsx'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { getCloser } from './author.ts'
import { DialogContext } from './dialog-context.ts'
import styles from './turn-bar.module.css'
import type { Turn } from './use-turn.ts'

const FailureText = lazy(async () => ({ default: (await import('../words/failure-text.tsx')).FailureText }))

const FreshStart = lazy(async () => ({ default: (await import('../offers/index.tsx')).FreshStart }))

/** Why the turn ended, what is kept, and how it goes on. Stop itself is in the message field. */
export function TurnBar({ view, turn }: { view: DialogView; turn: Turn }): ReactNode {
  const words = useWords()
  const dialog = useContext(DialogContext)
  const { kind, stop, error } = turn
  const { status } = view
  if (kind === 'emergency') return <EmergencyNote />
  if (kind === 'stopped-above' && stop !== null && stop.in !== null) return <StoppedAbove by={stop.by} above={stop.in} />
  if (kind === 'works') {
    return (
      error && (
        <p role="alert" className={styles['alert']}>
          {words.turn.stopFailed}
        </p>
      )
    )
  }
  if (kind !== 'ended') return null
  const isLatched = status === 'stopped' && stop !== null
  const title =
    status === 'failed' ? words.turn.failedTitle : isLatched ? words.turn.latchedTitle(getCloser(stop.by, words)) : words.turn.stoppedTitle
  const failure = status === 'failed' ? view.items.findLast((item): item is FailureItem => item.kind === 'failure') : undefined
  // A fresh start is the next step then; Continue alone would often fail again.
  const isFull = failure?.error.code.startsWith('context_')
  return (
    <section className={styles['ended']} data-status={status} aria-label={title} data-shrinks>
      <div>
        {status === 'failed' && <ShapeMark shape="failed">{words.status.failed}</ShapeMark>}
        <h2 className={styles['title']}>{title}</h2>
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
      <div className={styles['acts']}>
        <button
          type="button"
          className="button"
          data-kind={isFull ? undefined : 'main'}
          aria-disabled={turn.isContinuing}
          onClick={() => void turn.ask('continue')}
        >
          <Icon name="play" />
          {words.turn.continue}
        </button>
        {isFull && (
          <Suspense>
            <FreshStart dialog={dialog} />
          </Suspense>
        )}
      </div>
    </section>
  )
}

function EmergencyNote(): ReactNode {
  const words = useWords()
  return (
    <section className={styles['ended']} data-status="stopped" aria-label={words.turn.emergencyTitle}>
      <div>
        <h2 className={styles['title']}>{words.turn.emergencyTitle}</h2>
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
        <h2 className={styles['title']}>{title}</h2>
        <p className={styles['next']}>{words.turn.aboveNext}</p>
      </div>
      <div className={styles['acts']}>
        <Link href={`/c/${above}`} className="button">
          {words.turn.toStopped}
        </Link>
      </div>
    </section>
  )
}

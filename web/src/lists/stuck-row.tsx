import type { ReactNode } from 'react'
import type { DeliveryView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { useWords } from '../words/use-words.ts'
import styles from './overview.module.css'
import { Place } from './place.tsx'
import { plainPreview } from './plain-preview.ts'
import { useDeciding } from './use-deciding.ts'

const most = 200

/** A failed or unconfirmed delivery. Only a person decides whether to retry or dismiss it. */
export function StuckRow({ delivery, gone }: { delivery: DeliveryView; gone: string | null }): ReactNode {
  const words = useWords()
  const { channel, address, state, text, plannedAt, error } = delivery
  return (
    <>
      <div>
        <p className={styles['text']}>
          {words.inbox.stuck[state === 'unknown' || state === 'parked' || state === 'partly-sent' ? state : 'failed']}
        </p>
        <Place channel={channel} at={plannedAt}>
          {' · '}
          <bdi>{words.inbox.to(address)}</bdi>
        </Place>
        <p className={styles['quote']} dir="auto">
          {shortened(plainPreview(text))}
        </p>
        {error && (
          <p className={styles['why']} dir="auto">
            {error.message}
          </p>
        )}
      </div>
      <StuckChoices delivery={delivery} gone={gone} />
    </>
  )
}

/** Retry, dismiss, or say that an unconfirmed one arrived. */
export function StuckChoices({ delivery: { id, state, text }, gone }: { delivery: DeliveryView; gone: string | null }): ReactNode {
  const words = useWords()
  const { isSending, done, error, decide } = useDeciding()
  const outcome = done ?? gone
  if (outcome !== null) return <p className={styles['from']}>{outcome}</p>
  const which = shortened(plainPreview(text), 60)
  return (
    <div className={styles['quick']}>
      <button
        type="button"
        className="button"
        aria-disabled={isSending}
        aria-label={`${words.inbox.retry}: ${which}`}
        onClick={() => void decide(() => client.deliveries.retry(id), words.inbox.retried)}
      >
        {words.inbox.retry}
      </button>
      {state === 'unknown' && (
        <button
          type="button"
          className="button"
          aria-disabled={isSending}
          aria-label={`${words.inbox.arrived}: ${which}`}
          onClick={() => void decide(() => client.deliveries.confirm(id), words.inbox.confirmed)}
        >
          {words.inbox.arrived}
        </button>
      )}
      <button
        type="button"
        className="button"
        data-kind="quiet"
        aria-disabled={isSending}
        aria-label={`${words.inbox.dismiss}: ${which}`}
        onClick={() => void decide(() => client.deliveries.dismiss(id), words.inbox.dismissed)}
      >
        {words.inbox.dismiss}
      </button>
      {state === 'unknown' && <span className={styles['from']}>{words.inbox.twice}</span>}
      {error !== null && <p role="alert">{error}</p>}
    </div>
  )
}

/** By whole characters, however many units they take. */
export function shortened(text: string, at = most): string {
  const characters = Array.from(text)
  return characters.length > at ? `${characters.slice(0, at).join('')}…` : text
}

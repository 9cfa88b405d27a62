import type { ReactNode } from 'react'
import type { PairingView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './overview.module.css'
import { Place, Quote } from './place.tsx'
import { useDeciding } from './use-deciding.ts'

/** A request for access from a chat app. Until it is accepted, no message of the person reaches an agent. */
export function PairingRow({ place, gone }: { place: PairingView; gone: string | null }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const { isSending, done, error, decide } = useDeciding()
  const { channel, address, pairing } = place
  if (!pairing) return null
  const { code, from, text, requestedAt, expiresAt } = pairing
  const name = from.name || from.id
  const outcome = done ?? gone
  return (
    <>
      <div>
        <p className={styles['text']}>
          <bdi>{words.inbox.requestToWrite(name)}</bdi>
        </p>
        <Place channel={channel} at={requestedAt}>
          {' · '}
          {words.inbox.until(times.clock(expiresAt))}
        </Place>
        <Quote text={text} />
        {outcome === null && (
          <p className={styles['code']}>
            <span>{words.inbox.code}</span> <code dir="ltr">{code}</code> <span>{words.inbox.codeHelp}</span>
          </p>
        )}
      </div>
      {outcome === null ? (
        <div className={styles['quick']} role="group" aria-label={words.inbox.requestToWrite(name)}>
          <button
            type="button"
            className="button"
            data-kind="main"
            aria-disabled={isSending}
            aria-label={`${words.inbox.accept}: ${name}`}
            onClick={() => void decide(() => client.pairings.accept(code), words.inbox.didAccept(name))}
          >
            {words.inbox.accept}
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={isSending}
            aria-label={`${words.inbox.decline}: ${name}`}
            onClick={() => void decide(() => client.pairings.decline(code), words.inbox.didDecline(name))}
          >
            {words.inbox.decline}
          </button>
          <button
            type="button"
            className="button"
            data-kind="quiet"
            aria-disabled={isSending}
            aria-label={`${words.inbox.block}: ${name}`}
            onClick={() => void decide(() => client.pairings.block({ channel, target: address }), words.inbox.didBlock(name))}
          >
            {words.inbox.block}
          </button>
          {error !== null && <p role="alert">{error}</p>}
        </div>
      ) : (
        <p className={styles['from']}>{outcome}</p>
      )}
    </>
  )
}

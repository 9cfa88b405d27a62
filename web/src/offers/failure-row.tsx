import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { FailureView } from '../../../src/shapes/wire.ts'
import { visibleTitle } from '../approvals/visible-characters.ts'
import { toAuthor } from '../chat/author.ts'
import { client } from '../link/page-client.ts'
import { inWords, useWords } from '../words/use-words.ts'
import styles from '../lists/overview.module.css'
import { Age } from '../lists/place.tsx'
import { useDeciding } from '../lists/use-deciding.ts'
import { FreshStart } from './fresh-start.tsx'
import { useOfferWords } from './offer-words.ts'

/** A failed dialog. A person retries it, gives it up or opens it. */
export function FailureRow({ failure, gone }: { failure: FailureView; gone: string | null }): ReactNode {
  const words = useWords()
  const { isSending, done, error, decide } = useDeciding()
  const { dialog, agent, title, at, canRetry, isTold, replyDueAt } = failure
  const texts = useOfferWords()
  const name = visibleTitle(title) || words.list.untitled
  const outcome = done ?? gone
  const { message, hint } = inWords(failure.error, words)
  return (
    <>
      <div>
        <p className={styles['text']} dir="auto">
          {message}
        </p>
        <p className={styles['from']}>
          <bdi>{toAuthor({ kind: 'agent', name: agent }, words)}</bdi> · <bdi>{name}</bdi> · <Age at={at} />
        </p>
        <p className={styles['why']}>
          {isTold
            ? texts.isTold
            : replyDueAt === null
              ? hint
              : texts.isDue(new Date(replyDueAt).toLocaleTimeString([], { timeStyle: 'short' }))}
        </p>
      </div>
      {outcome === null ? (
        <div className={styles['quick']}>
          {canRetry && failure.error.code.startsWith('context_') && <FreshStart dialog={dialog} name={name} />}
          {canRetry && (
            <button
              type="button"
              className="button"
              aria-disabled={isSending}
              aria-label={`${texts.retry}: ${name}`}
              onClick={() => void decide(() => client.dialogs.continue(dialog), texts.retried)}
            >
              {texts.retry}
            </button>
          )}
          <button
            type="button"
            className="button"
            data-kind="quiet"
            aria-disabled={isSending}
            aria-label={`${texts.giveUp}: ${name}`}
            onClick={() => void decide(() => client.dialogs.giveUp(dialog), texts.gaveUp)}
          >
            {texts.giveUp}
          </button>
          <Link href={`/c/${dialog}`} className="button" data-kind="quiet">
            {texts.open}
          </Link>
          {error !== null && <p role="alert">{error}</p>}
        </div>
      ) : (
        <p className={styles['from']}>{outcome}</p>
      )}
    </>
  )
}

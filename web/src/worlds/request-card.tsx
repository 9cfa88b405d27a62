import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { client } from '../link/page-client.ts'
import { Age, Quote } from '../lists/place.tsx'
import { useTimes } from '../words/use-words.ts'
import { useAction } from './use-action.ts'
import { type ChatRequest, identity, talkPath, useWorldWords, waitingRequests } from './use-worlds.ts'
import styles from './worlds.module.css'

/** A request of a stranger's agent. No model runs before the owner accepts. */
export function RequestCard({ request }: { request: ChatRequest }): ReactNode {
  const words = useWorldWords()
  const times = useTimes()
  const id = useId()
  const [brief, setBrief] = useState('')
  const { isSending, error, run } = useAction(waitingRequests.refresh)
  const { account, counterparty, world, purpose, verdict, createdAt, expiresAt } = request
  const peer = identity(counterparty)
  const of = { account }
  return (
    <li className={styles['card']} aria-labelledby={id} data-request={request.request}>
      <h3 id={id} dir="auto">
        {words.wants(peer, account)}
      </h3>
      <p className={styles['soft']}>
        {words.stranger}
        {world && (
          <>
            {' · '}
            <bdi>{words.inWorld(world.displayName)}</bdi>
          </>
        )}
        {' · '}
        <Age at={createdAt} />
        {' · '}
        {words.until(times.clock(expiresAt))}
      </p>
      <p className={styles['soft']}>
        <bdi>{purpose === null ? words.noPurpose : words.purpose(peer)}</bdi>
      </p>
      <Quote text={purpose ?? ''} />
      <p className={styles['soft']}>
        {words.policy[verdict.because]} {words.noModel}
      </p>
      <label className={styles['label']} htmlFor={`${id}-brief`}>
        {words.brief(account)}
      </label>
      <textarea
        id={`${id}-brief`}
        className="field"
        rows={2}
        maxLength={4_000}
        dir="auto"
        value={brief}
        onChange={(event) => setBrief(event.target.value)}
      />
      <div className={styles['acts']}>
        <button
          type="button"
          className="button"
          data-kind="main"
          aria-disabled={isSending}
          aria-label={words.act(words.accept, peer)}
          onClick={() =>
            void run(
              () => client.chatRequests.accept(request.request, brief.trim() === '' ? of : { ...of, brief: brief.trim() }),
              words.didAccept(peer, account),
            )
          }
        >
          {words.accept}
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={isSending}
          aria-label={words.act(words.decline, peer)}
          onClick={() => void run(() => client.chatRequests.reject(request.request, of), words.didDecline(peer))}
        >
          {words.decline}
        </button>
        <button
          type="button"
          className="button"
          data-kind="quiet"
          aria-disabled={isSending}
          aria-label={words.act(words.block, peer)}
          onClick={() => void run(() => client.chatRequests.block(request.request, of), words.didBlock(peer))}
        >
          {words.block}
        </button>
      </div>
      {error !== null && (
        <p role="alert" className={styles['bad']}>
          {error}
        </p>
      )}
    </li>
  )
}

/** A talk in a list, with a link to its turns. */
export function TalkRow({ talk }: { talk: ChatRequest }): ReactNode {
  const words = useWorldWords()
  const { account, request, counterparty, chat, status, turns, world, updatedAt } = talk
  return (
    <li className={styles['row']}>
      <Link href={talkPath(account, request)} dir="auto">
        {words.talk(account, identity(counterparty))}
      </Link>
      <p className={styles['soft']}>
        {chat === null ? words.status[status] : words.chat[chat]} · {words.turns(turns)}
        {world && (
          <>
            {' · '}
            <bdi>{world.displayName}</bdi>
          </>
        )}
        {' · '}
        <Age at={updatedAt} />
      </p>
    </li>
  )
}

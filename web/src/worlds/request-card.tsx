import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { client } from '../link/page-client.ts'
import { inbox } from '../link/refreshing.ts'
import { Age, Quote } from '../lists/place.tsx'
import { useTimes } from '../words/use-words.ts'
import { ActButton, CardForm, TextField } from './card-form.tsx'
import { ChangeLimits } from './change-limits.tsx'
import { useAction } from './use-action.ts'
import { Exposure } from './exposure.tsx'
import { type ChatRequest, identity, type TalkBounds, talkPath, useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type CardProps = { request: ChatRequest; bounds: TalkBounds; heading?: 'h2' | 'h3' }

/** A request of a stranger's agent. No model runs before the owner accepts. */
export function RequestCard({ request, bounds, heading: Heading = 'h3' }: CardProps): ReactNode {
  const words = useWorldWords()
  const times = useTimes()
  const id = useId()
  const [brief, setBrief] = useState('')
  const [limits, setLimits] = useState<TalkBounds | null>(null)
  const { isSending, error, run } = useAction(inbox.refresh)
  const { account, counterparty, world, purpose, verdict, createdAt, expiresAt } = request
  const peer = identity(counterparty)
  const of = { account }
  const accepted = { ...of, ...limits, ...(brief.trim() === '' ? {} : { brief: brief.trim() }) }
  const shown = { ...bounds, ...limits }
  return (
    <article className={styles['request']} aria-labelledby={id} data-request={request.request}>
      <Heading id={id} dir="auto">
        {words.wants(peer, account)}
      </Heading>
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
      <Exposure peer={peer} account={account} world={world?.displayName ?? null} />
      <CardForm
        error={error}
        acts={
          <>
            <ActButton
              label={words.accept}
              kind="main"
              spoken={words.act(words.accept, peer)}
              isSending={isSending}
              onClick={() => void run(() => client.chatRequests.accept(request.request, accepted), words.didAccept(peer, account))}
            />
            <ActButton
              label={words.decline}
              spoken={words.act(words.decline, peer)}
              isSending={isSending}
              onClick={() => void run(() => client.chatRequests.reject(request.request, of), words.didDecline(peer))}
            />
            <ActButton
              label={words.block}
              kind="quiet"
              spoken={words.act(words.block, peer)}
              isSending={isSending}
              onClick={() => void run(() => client.chatRequests.block(request.request, of), words.didBlock(peer))}
            />
          </>
        }
      >
        <TextField label={words.brief(account)} rows={2} maxLength={4_000} value={brief} onChange={setBrief} />
        <p className={styles['soft']}>
          {words.mostTurns(shown.turns)} · {words.mostMoney(shown.money.toFixed(2))} · {words.reporting[shown.reporting]}
        </p>
      </CardForm>
      <div className={styles['acts']}>
        <ChangeLimits
          bounds={shown}
          error={null}
          save={async (changed) => {
            setLimits(changed)
            return true
          }}
        />
      </div>
      <p className={styles['soft']}>
        {words.policy[verdict.because]} {words.noModel}
      </p>
    </article>
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

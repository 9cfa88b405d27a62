import type { ReactNode } from 'react'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { RequestCard } from './request-card.tsx'
import { useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

/** Requests to talk that wait for the owner, from the inbox; nothing while there is none. */
export function WaitingRequests(): ReactNode {
  const words = useWorldWords()
  const items = useRefreshing(inbox).value?.items ?? []
  const waiting = items.filter((item) => item.kind === 'chat-request')
  if (waiting.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="chat-requests">
      <h2 id="chat-requests">{words.requests}</h2>
      <ul className={styles['rows']}>
        {waiting.map(({ account, request, bounds }) => (
          <li key={`${account} ${request.request}`} className={styles['card']}>
            <RequestCard request={{ ...request, account }} bounds={bounds} />
          </li>
        ))}
      </ul>
    </section>
  )
}

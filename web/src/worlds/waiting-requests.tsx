import type { ReactNode } from 'react'
import { useRefreshing } from '../link/refreshing.ts'
import { RequestCard } from './request-card.tsx'
import { useWorldWords, waitingRequests } from './use-worlds.ts'
import styles from './worlds.module.css'

/** Requests to talk that wait for the owner; nothing while there is none. */
export function WaitingRequests(): ReactNode {
  const words = useWorldWords()
  const { value, error } = useRefreshing(waitingRequests)
  if (error)
    return (
      <p role="alert" className={styles['bad']}>
        {words.failed} {error.message}
      </p>
    )
  if (value === null || value.length === 0) return null
  return (
    <section className={styles['section']} aria-labelledby="chat-requests">
      <h2 id="chat-requests">{words.requests}</h2>
      <ul className={styles['rows']}>
        {value.map((request) => (
          <RequestCard key={request.request} request={request} />
        ))}
      </ul>
    </section>
  )
}

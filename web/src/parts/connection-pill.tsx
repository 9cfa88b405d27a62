import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useConnection } from '../link/connection.ts'
import { client } from '../link/page-client.ts'
import { useWords } from '../words/use-words.ts'
import { announce } from './announcer.tsx'
import styles from './connection-pill.module.css'

const toWord = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  resuming: 'resuming',
  offline: 'offline',
  'signed-out': 'signedOut',
} as const

/** One word about the line to the server, and a way to hurry it. */
export function ConnectionPill(): ReactNode {
  const words = useWords()
  const state = useSteadyState()
  const before = useRef(state)
  useEffect(() => {
    const was = before.current
    before.current = state
    if (was === 'live' && (state === 'reconnecting' || state === 'offline')) announce(words.announce.disconnected)
    else if (state === 'live' && (was === 'reconnecting' || was === 'offline')) announce(words.announce.reconnected)
  }, [state, words])

  const isDown = state === 'reconnecting' || state === 'offline'
  return (
    <div className={styles['pill']} data-state={state}>
      <span
        className={styles['state']}
        title={state === 'offline' ? words.connection.explainOffline : isDown ? words.connection.explainReconnecting : undefined}
      >
        <span className={styles['dot']} aria-hidden="true" />
        <span className="hidden-visually">{words.connection.label}: </span>
        {words.connection[toWord[state]]}
      </span>
      {isDown && (
        <button type="button" className={styles['retry']} onClick={() => client.live().retryNow()}>
          {words.connection.retryNow}
        </button>
      )}
    </div>
  )
}

/** A short interruption is not shown. */
function useSteadyState(): ReturnType<typeof useConnection> {
  const state = useConnection()
  const [steady, setSteady] = useState(state)
  useEffect(() => {
    const timer = setTimeout(() => setSteady(state), state === 'reconnecting' ? 400 : 0)
    return () => clearTimeout(timer)
  }, [state])
  return steady
}

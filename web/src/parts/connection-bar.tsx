import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useConnection } from '../link/connection.ts'
import { client } from '../link/page-client.ts'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import { announce } from './announcer.tsx'
import styles from './connection-bar.module.css'

const toWord = {
  connecting: 'connecting',
  live: 'live',
  reconnecting: 'reconnecting',
  resuming: 'resuming',
  offline: 'offline',
  'signed-out': 'signedOut',
} as const

/** Shown while the server cannot be reached, with a way to hurry; a page reader finds the state at any time. */
export function ConnectionBar(): ReactNode {
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
  if (!isDown) {
    return (
      <p className="hidden-visually" data-state={state}>
        {words.connection.label}: {words.connection[toWord[state]]}
      </p>
    )
  }
  return (
    <div className={styles['bar']} data-state={state}>
      <Icon name="net" />
      <p>
        <strong>{words.connection[toWord[state]]}</strong>{' '}
        {state === 'offline' ? words.connection.explainOffline : words.connection.explainReconnecting}
      </p>
      <button type="button" className="button" data-kind="quiet" onClick={() => client.live().retryNow()}>
        {words.connection.retryNow}
      </button>
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

import { type ReactNode, useState } from 'react'
import type { ErrorWords, SessionView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, useTimes, useWords } from '../words/use-words.ts'
import { browserName } from './browser-name.ts'
import styles from '../parts/modal.module.css'

/** Browsers that are signed in, fetched when the list is opened. Each but this one can be signed out from here. */
export function SignedInBrowsers(): ReactNode {
  const words = useWords()
  const times = useTimes()
  const [sessions, setSessions] = useState<SessionView[] | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const [isBusy, setBusy] = useState(false)

  const load = async (change?: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await change?.()
      const all = await client.sessions.list()
      setSessions(all.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > Date.now()))
      setError(null)
    } catch (fault) {
      setError(asWords(fault))
    }
    setBusy(false)
  }

  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <details className={styles['help']} onToggle={(event) => event.currentTarget.open && void load()}>
      <summary>{words.settings.browsers}</summary>
      {error && (
        <p role="alert" className={styles['bad']}>
          {inWords(error, words).message}
        </p>
      )}
      {sessions === null && error === null && <p role="status">{words.settings.browsersLoading}</p>}
      <ul className={styles['browsers']}>
        {sessions?.map(({ id, browser, lastUsedAt, current }) => {
          const name = browserName(browser) || words.settings.unknownBrowser
          return (
            <li key={id}>
              <span>
                <bdi>{name}</bdi>
                <span className={styles['soft']}>
                  {current ? words.settings.thisBrowser : words.settings.lastUsed(times.age(lastUsedAt))}
                </span>
              </span>
              {!current && (
                <button
                  type="button"
                  className="button"
                  data-kind="quiet"
                  disabled={isBusy}
                  aria-label={words.settings.signOutBrowser(name)}
                  onClick={() => void load(() => client.sessions.revoke(id))}
                >
                  {words.settings.signOut}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {others.length > 1 && (
        <button type="button" className="button" disabled={isBusy} onClick={() => void load(() => client.sessions.revokeOthers())}>
          {words.settings.signOutOthers}
        </button>
      )}
    </details>
  )
}

import { type ReactNode, useContext, useEffect, useId, useState } from 'react'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import type { NotificationsView } from '../../../src/shapes/notifications.ts'
import { pageNoticeWords } from '../../../src/words/page-parts.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { type Choices, findObstacle, isSubscribedHere, switchOff, switchOn } from '../notices/this-browser.ts'
import { inWords, LanguageContext, useTimes, useWords } from '../words/use-words.ts'
import styles from './settings.module.css'

const night = { from: '22:00', to: '07:00' }

/** Whether this browser is notified while the page is closed, and of how much. */
export function NotificationSettings(): ReactNode {
  const language = useContext(LanguageContext)
  const words = useWords()
  const own = pageNoticeWords[language]
  const times = useTimes()
  const id = useId()
  const [view, setView] = useState<NotificationsView | null>(null)
  const [isDropped, setDropped] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [obstacle] = useState(findObstacle)

  const run = async (work: () => Promise<NotificationsView | null>, done: string | null = null): Promise<void> => {
    setBusy(true)
    setError(null)
    setNote(null)
    try {
      const next = await work()
      if (next) setView(next)
      setNote(next ? (next.subscription?.failure ? null : done) : own.said)
      setDropped(next !== null && next.subscription === null && (await isSubscribedHere()))
    } catch (fault) {
      // The browser itself refuses with an exception of its own kind.
      if (fault instanceof DOMException) setNote(own.noService)
      else setError(asWords(fault))
    }
    setBusy(false)
  }
  useEffect(() => {
    if (obstacle === null) void run(() => client.call('notifications.get', {}))
    // oxlint-disable-next-line react/exhaustive-deps -- Once, when the settings are opened.
  }, [])

  const subscription = view?.subscription ?? null
  const choices: Choices = { language, shows: subscription?.shows ?? 'words', quiet: subscription?.quiet ?? null }
  const change = (changed: Partial<Choices>): void => {
    if (view) void run(() => switchOn(view.publicKey, { ...choices, ...changed }))
  }
  const toggle = (isOn: boolean): void => {
    if (view) void run(isOn ? () => switchOn(view.publicKey, choices) : switchOff)
  }
  if (error?.code === 'notifications_off' || error?.code === 'not_subscribed') return null
  return (
    <section aria-labelledby={`${id}-title`} className={styles['card']}>
      <div className={styles['row']}>
        <div>
          <h2 id={`${id}-title`} className={styles['heading']}>
            {own.title}
          </h2>
          <label htmlFor={`${id}-on`}>{own.here}</label>
          <p className={styles['note']}>{obstacle ? own.obstacles[obstacle] : own.about}</p>
        </div>
        <input
          id={`${id}-on`}
          type="checkbox"
          className={styles['switch']}
          checked={subscription !== null}
          disabled={obstacle !== null || view === null || isBusy}
          onChange={(event) => toggle(event.target.checked)}
        />
      </div>
      {subscription && (
        <>
          <div className={styles['row']}>
            <label htmlFor={`${id}-shows`}>{own.shows}</label>
            <select
              id={`${id}-shows`}
              className="field"
              value={subscription.shows}
              onChange={(event) => change({ shows: event.target.value === 'nothing' ? 'nothing' : 'words' })}
            >
              <option value="words">{own.words}</option>
              <option value="nothing">{own.nothing}</option>
            </select>
          </div>
          <div className={styles['row']}>
            <label htmlFor={`${id}-quiet`}>{own.quiet}</label>
            <input
              id={`${id}-quiet`}
              type="checkbox"
              className={styles['switch']}
              checked={subscription.quiet !== null}
              onChange={(event) => change({ quiet: event.target.checked ? night : null })}
            />
            {subscription.quiet && (
              <div className={styles['times']}>
                {(['from', 'to'] as const).map((end) => (
                  <input
                    key={end}
                    type="time"
                    className="field"
                    aria-label={end === 'from' ? own.quietFrom : own.quietTo}
                    value={subscription.quiet?.[end]}
                    onChange={(event) => {
                      if (subscription.quiet && event.target.value !== '')
                        change({ quiet: { ...subscription.quiet, [end]: event.target.value } })
                    }}
                  />
                ))}
              </div>
            )}
          </div>
          <div className={styles['row']}>
            <p role="status" className={styles['note']}>
              {subscription.failure ? own.failed(subscription.failure.why, times.age(subscription.failure.at)) : note}
            </p>
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() => void run(() => client.call('notifications.test', {}), own.tested)}
            >
              {own.test}
            </button>
          </div>
        </>
      )}
      {!subscription && (isDropped || note !== null) && (
        <p role="status" className={styles['note']}>
          {isDropped ? own.dropped : note}
        </p>
      )}
      {error && (
        <p role="alert" className={styles['bad']}>
          {inWords(error, words).message}
        </p>
      )}
    </section>
  )
}

import { type ReactNode, useRef, useState } from 'react'
import { getCloser } from '../chat/author.ts'
import { client } from '../link/page-client.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useTimes, useWords } from '../words/use-words.ts'
import { announce } from './announcer.tsx'
import { Confirm } from './confirm.tsx'
import styles from './emergency-banner.module.css'

/** Shown on every page while the emergency stop is set: who set it, since when, and the only way to lift it. */
export function EmergencyBanner(): ReactNode {
  const words = useWords()
  const times = useTimes()
  const ask = useRef<HTMLDialogElement>(null)
  const [error, setError] = useState<string | null>(null)
  const emergency = useRefreshing(inbox).value?.emergency ?? null
  if (emergency === null) return null

  const resume = async (): Promise<void> => {
    try {
      const { count } = await client.dialogs.resumeAll()
      ask.current?.close()
      announce(words.tree.resumedAll(count))
      inbox.refresh()
    } catch (failure) {
      setError(`${words.tree.failed} ${inWords(asWords(failure), words).message}`)
    }
  }
  return (
    <section className={styles['banner']} role="status" aria-label={words.emergency.label}>
      <span>
        <Icon name="stop" /> <strong>{words.emergency.stopped(getCloser(emergency.by, words), times.clock(emergency.at))}</strong>{' '}
        <span className={styles['next']}>{words.emergency.next}</span>
      </span>
      <button
        type="button"
        className="button"
        onClick={() => {
          setError(null)
          ask.current?.showModal()
        }}
      >
        <Icon name="play" />
        {words.tree.resumeAll}
      </button>
      <Confirm
        ref={ask}
        title={words.tree.resumeAll}
        next={words.emergency.resumeAsk}
        action={words.tree.resumeAll}
        error={error}
        onConfirm={() => void resume()}
      />
    </section>
  )
}

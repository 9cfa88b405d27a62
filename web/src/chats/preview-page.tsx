import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { MessagePresentation } from '../../../src/chats/message/presentation.ts'
import type { ErrorWords, PreviewView } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { ListPage } from '../parts/list-page.tsx'
import list from '../parts/list-page.module.css'
import { PresentationCard, type Taps } from '../presentation/presentation-card.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { LossList } from './loss-list.tsx'
import styles from './preview-page.module.css'

const pauseMs = 400
const draftKey = 'preview'
/** Not platforms. */
const ownKinds = ['web', 'plain']
const noTaps: Taps = { isOver: false, chosen: null, sending: null, tap: () => undefined }

/** Draws one message for every chat app, from the very requests that would be sent, with what each cannot show. */
export function PreviewPage(): ReactNode {
  const words = useWords()
  const own = words.chats.preview
  const [typed, setTyped] = useState(() => storage.get<string>('tab', draftKey) ?? JSON.stringify(own.example, null, 2))
  const { preview, error } = usePreview(typed)
  return (
    <div className={styles['wide']}>
      <ListPage title={own.title} loading={preview === null && !error ? own.loading : null}>
        <p className={list['soft']}>
          {own.lead} <Link href="/chats">{words.chats.title}</Link>
        </p>
        <label className={styles['field']}>
          <span>{own.message}</span>
          <textarea
            rows={9}
            value={typed}
            spellCheck={false}
            dir="auto"
            onChange={(event) => {
              setTyped(event.target.value)
              storage.set('tab', draftKey, event.target.value)
            }}
          />
        </label>
        {error && (
          <p role="alert" className={styles['problem']}>
            {inWords(error, words).message} {inWords(error, words).hint}
          </p>
        )}
        {preview && <Platforms preview={preview} />}
      </ListPage>
    </div>
  )
}

function Platforms({ preview: { channels, dropped } }: { preview: PreviewView }): ReactNode {
  const own = useWords().chats.preview
  return (
    <>
      {dropped.length > 0 && (
        <ul className={styles['dropped']} aria-label={own.dropped}>
          {dropped.map(({ at, why }) => (
            <li key={at} dir="auto">
              <code>{at}</code>: {why}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles['platforms']}>
        {Object.entries(channels)
          .filter(([name]) => !ownKinds.includes(name))
          .map(([name, channel]) => (
            <Platform key={name} channel={channel} />
          ))}
      </ul>
    </>
  )
}

function Platform({ channel: { title, requests, losses, shown } }: { channel: PreviewView['channels'][string] }): ReactNode {
  const words = useWords()
  const own = words.chats.preview
  // The server read them back from the requests.
  const messages = (shown ?? []) as MessagePresentation[]
  return (
    <li className={styles['platform']}>
      <h2>{title}</h2>
      <p className={list['soft']}>{own.messages(messages.length)}</p>
      {messages.map((message, index) => (
        <PresentationCard key={index} presentation={message} taps={noTaps} />
      ))}
      {losses.length === 0 ? (
        <p className={styles['whole']}>
          <Icon name="check" />
          {own.whole}
        </p>
      ) : (
        <div className={styles['losses']}>
          <h3>{words.chats.losses(losses.length)}</h3>
          <LossList losses={losses} />
        </div>
      )}
      <details>
        <summary>{own.requests(requests.length)}</summary>
        <pre tabIndex={0} dir="ltr">
          {JSON.stringify(requests, null, 2)}
        </pre>
      </details>
    </li>
  )
}

/** The last preview stays while the next one is on its way. */
function usePreview(typed: string): { preview: PreviewView | null; error: ErrorWords | null } {
  const [preview, setPreview] = useState<PreviewView | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const read = async (): Promise<void> => {
      try {
        const next = await client.messages.preview(toMessage(typed), { signal: gone.signal })
        if (gone.signal.aborted) return
        setPreview(next)
        setError(null)
      } catch (failure) {
        if (!gone.signal.aborted) setError(asWords(failure))
      }
    }
    const timer = setTimeout(() => void read(), pauseMs)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [typed])
  return { preview, error }
}

/** JSON is a message or a presentation; anything else is the text of one, in Markdown. */
function toMessage(typed: string): object {
  try {
    const value = JSON.parse(typed) as unknown
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Words.
  }
  return { text: typed }
}

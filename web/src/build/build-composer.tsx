import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { freshKey } from '../../../src/client/index.ts'
import styles from '../chat/composer.module.css'
import { isComposing } from '../keep/composing.ts'
import { drafts } from '../keep/drafts.ts'
import { useSettings } from '../keep/settings.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useBuildWords } from './use-build.ts'

/** Longest message; the server has the same limit. */
const mostChars = 20_000

/** A message to the build, in every phase. After the end it asks for a change. */
export function BuildComposer({ build, isOver }: { build: string; isOver: boolean }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const { sendWith } = useSettings()
  const place = `build.${build}`
  const [text, setText] = useState(() => drafts.get(place))
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  // One key for all tries of the same text.
  const key = useRef(freshKey())

  const change = (next: string): void => {
    setText(next)
    setError(null)
    drafts.set(place, next)
    key.current = freshKey()
  }
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSending || text.trim() === '') return
    if (text.length > mostChars) return setError(words.promptTooLong(mostChars))
    setSending(true)
    try {
      await client.builds.say(build, text, { key: key.current })
      change('')
    } catch (failure) {
      const { message, hint } = inWords(asWords(failure), page)
      setError(`${words.sayFailed} ${message} ${hint}`.trim())
    } finally {
      setSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || isComposing(event)) return
    if (sendWith === 'enter' ? event.shiftKey || event.altKey : !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const label = isOver ? words.askForChange : words.sayLabel
  return (
    <form className={styles['composer']} data-part="build-composer" onSubmit={(event) => void send(event)}>
      <div className={styles['box']}>
        <textarea
          rows={1}
          dir="auto"
          value={text}
          placeholder={label}
          aria-label={label}
          aria-invalid={error === null ? undefined : true}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="button"
          data-kind="main"
          data-shape="round"
          aria-label={page.composer.send}
          title={page.composer.send}
          aria-disabled={isSending}
        >
          <Icon name="send" />
        </button>
      </div>
      {error !== null && (
        <p className={styles['hint']} data-bad role="alert">
          {error}
        </p>
      )}
    </form>
  )
}

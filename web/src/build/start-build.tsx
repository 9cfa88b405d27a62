import { type FormEvent, type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { freshKey } from '../../../src/client/index.ts'
import fresh from '../chat/fresh-chat.module.css'
import { isComposing } from '../keep/composing.ts'
import { drafts } from '../keep/drafts.ts'
import { useSettings } from '../keep/settings.ts'
import { client } from '../link/page-client.ts'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, LanguageContext, useWords } from '../words/use-words.ts'
import styles from './builds-page.module.css'
import { useBuildWords } from './use-build.ts'

const place = 'build'
/** Longest request; the server has the same limit. */
const mostChars = 20_000

/** On a narrow screen the examples give way to the builds there are. */
export function StartBuild({ isEmpty }: { isEmpty: boolean }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const language = useContext(LanguageContext)
  const { sendWith } = useSettings()
  const [, navigate] = useLocation()
  const server = useRefreshing(serverInfo).value
  const [text, setText] = useState(() => drafts.get(place))
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const wasTouched = useRef(text !== '')
  const key = useRef(freshKey())

  // The demo has one story to tell: its first words stand there already.
  useEffect(() => {
    if (server?.demo !== true || wasTouched.current) return
    setText(page.fresh.demoText)
    // Enter pressed a moment too early was answered with "write something".
    setError(null)
  }, [server?.demo, page])

  const change = (next: string): void => {
    wasTouched.current = true
    setText(next)
    setError(null)
    drafts.set(place, next)
    key.current = freshKey()
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isSending) return
    const prompt = text.trim()
    const fault = prompt === '' ? words.writeSomething : prompt.length > mostChars ? words.promptTooLong(mostChars) : null
    if (fault !== null) {
      setError(fault)
      field.current?.focus()
      return
    }
    setSending(true)
    try {
      const { build_id: build } = await client.builds.start({ prompt, language }, { key: key.current })
      drafts.set(place, '')
      navigate(`/b/${encodeURIComponent(build)}`)
    } catch (failure) {
      setSending(false)
      const { message, hint } = inWords(asWords(failure), page)
      setError(`${words.startFailed} ${message} ${hint}`.trim())
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || isComposing(event)) return
    if (sendWith === 'enter' ? event.shiftKey || event.altKey : !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const write = (example: string): void => {
    change(example)
    field.current?.focus()
  }
  return (
    <>
      <form className={styles['start']} noValidate onSubmit={(event) => void submit(event)}>
        <label htmlFor="build-prompt">{words.prompt}</label>
        <textarea
          id="build-prompt"
          ref={field}
          className="field"
          rows={2}
          dir="auto"
          value={text}
          placeholder={words.promptExample}
          aria-invalid={error === null ? undefined : true}
          aria-describedby="build-prompt-fault"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <p id="build-prompt-fault" className={styles['error']} role="alert">
          {error}
        </p>
        <button type="submit" className="button" data-kind="main" aria-disabled={isSending}>
          {isSending ? words.starting : words.start}
        </button>
      </form>
      <ul className={fresh['tries']} data-empty={isEmpty || undefined}>
        {words.examples.map(({ name, about, text: example }) => (
          <li key={name}>
            <button type="button" onClick={() => write(example)}>
              <Icon name="build" />
              <b>{name}</b>
              <small>{about}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

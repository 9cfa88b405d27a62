import { type ReactNode, useState } from 'react'
import { type BuildSummary, controlFor } from '../../../src/client/index.ts'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import { inbox } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './overview.module.css'

/** A few choices fit on a line; what needs writing or reading is answered in the dialog. */
const most = 4

type Options = readonly { value: string; label: string }[]

export function quickOptions({ ask }: QuestionView): Options {
  const [only] = ask.items
  const control = only && controlFor(only)
  return ask.items.length === 1 && control?.type === 'options' && control.options.length <= most ? control.options : []
}

/** Of a build's question; a text has no options, and a set is answered in the build. */
export function quickBuildOptions({ isSet, questions = [] }: NonNullable<BuildSummary['question']>): Options {
  const options = questions[0]?.options ?? []
  return isSet === false && options.length <= most ? options.map(({ id: value, label }) => ({ value, label })) : []
}

type Props = { about: string; options: Options; send(choice: string): Promise<unknown> }

/** Answers a plain choice from the list itself. */
export function QuickAnswers({ about, options, send }: Props): ReactNode {
  const words = useWords()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (options.length === 0) return null
  const answer = async (choice: string): Promise<void> => {
    if (isSending) return
    setSending(true)
    setError(null)
    try {
      await send(choice)
      announce(words.announce.answered)
      inbox.refresh()
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
      setSending(false)
    }
  }
  return (
    <div className={styles['quick']} role="group" aria-label={words.inbox.answerWith(about)}>
      {options.map(({ value, label }) => (
        <button key={value} type="button" className="button" aria-disabled={isSending} onClick={() => void answer(value)}>
          <bdi>{label}</bdi>
        </button>
      ))}
      {error !== null && <p role="alert">{error}</p>}
    </div>
  )
}

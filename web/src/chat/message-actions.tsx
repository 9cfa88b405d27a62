import { type ReactNode, useState } from 'react'
import { Icon } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './log-row.module.css'

/** Below a message of an agent. The text is copied as Markdown, as the agent wrote it. */
export function MessageActions({ text }: { text: string }): ReactNode {
  const words = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setCopied(true)
        announce(words.signIn.copied)
      },
      () => setCopied(false),
    )
  }
  return (
    <p className={styles['acts']}>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        data-shape="icon"
        aria-label={words.chat.copyMessage}
        title={isCopied ? words.signIn.copied : words.chat.copyMessage}
        onClick={copy}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
    </p>
  )
}

import { type ReactNode, useState } from 'react'
import { useWords } from '../words/use-words.ts'
import styles from './notice-page.module.css'

/** Something to type in a terminal, ready to be copied. */
export function Command({ text }: { text: string }): ReactNode {
  const words = useWords()
  const [copied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <div className={styles['command']}>
      <code dir="ltr">{text}</code>
      <button type="button" className="button" data-kind="quiet" onClick={copy}>
        {copied ? words.signIn.copied : words.signIn.copy}
      </button>
    </div>
  )
}

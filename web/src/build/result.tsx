import { type ReactNode, useId, useState } from 'react'
import { MessageBody } from '../chat/message-body.tsx'
import { Icon } from '../look/icon.tsx'
import styles from './ended.module.css'
import { useBuildWords } from './use-build.ts'

/** The result as Markdown, rendered by the page's own renderer, so that nothing in it can run. */
export function Result({ output }: { output: string }): ReactNode {
  const words = useBuildWords()
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard?.writeText(output).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <section className={styles['result']} aria-labelledby={id} data-part="result">
      <header>
        <Icon name="check" />
        <h2 id={id}>{words.result}</h2>
        <button type="button" className="button" data-kind="quiet" aria-label={isCopied ? undefined : words.copyResult} onClick={copy}>
          {isCopied ? words.copied : words.copy}
        </button>
      </header>
      <MessageBody text={output} isMine={false} />
    </section>
  )
}

import { memo, type ReactNode, useMemo } from 'react'
import { Markdown } from '../markdown/markdown.ts'
import { useWords } from '../words/use-words.ts'
import styles from './log-row.module.css'

/** An agent's words are Markdown; a person's are shown as they typed them. */
export const MessageBody = memo(function MessageBody({ text, isMine }: { text: string; isMine: boolean }): ReactNode {
  const { chat, signIn } = useWords()
  const words = useMemo(() => ({ ...chat, copied: signIn.copied }), [chat, signIn])
  if (isMine)
    return (
      <div className={styles['bubble']} dir="auto">
        {text}
      </div>
    )
  return (
    <div className="md">
      <Markdown text={text} words={words} />
    </div>
  )
})

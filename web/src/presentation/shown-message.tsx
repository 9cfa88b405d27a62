import { type ReactNode, useContext, useState } from 'react'
import type { ShownMessage as Shown } from '../../../src/chats/message/shown-message.ts'
import type { MessageItem } from '../../../src/client/index.ts'
import { freshKey } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { getCloser } from '../chat/author.ts'
import { DialogContext } from '../chat/dialog-context.ts'
import { MessageBody } from '../chat/message-body.tsx'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, useWords } from '../words/use-words.ts'
import { PresentationCard, type Taps } from './presentation-card.tsx'
import styles from './presentation.module.css'

/** A message of an agent with its presentation: texts, table, chart, and controls that say something in the dialog. */
export function ShownMessage({ item, shown }: { item: MessageItem; shown: Shown }): ReactNode {
  const words = useWords()
  const { taps, error } = useTaps(item)
  return (
    <>
      {shown.words.trim() !== '' && <MessageBody text={shown.words} isMine={false} />}
      <PresentationCard presentation={shown.presentation} taps={taps}>
        {item.tapped?.isOver && <p className={styles['context']}>{words.chat.tappedBy(getCloser(item.tapped.by, words))}</p>}
        {error && (
          <p className={styles['bad']} role="alert">
            {inWords(error, words).message}
          </p>
        )}
      </PresentationCard>
    </>
  )
}

function useTaps({ id: message, tapped }: MessageItem): { taps: Taps; error: ErrorWords | null } {
  const dialog = useContext(DialogContext)
  const [sending, setSending] = useState<string | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const isOver = tapped?.isOver ?? false
  async function send(value: string): Promise<void> {
    setSending(value)
    setError(null)
    try {
      await client.dialogs.tap(dialog, { message, value }, { key: freshKey() })
    } catch (failure) {
      setError(asWords(failure))
    } finally {
      setSending(null)
    }
  }
  const tap = (value: string): void => void (sending === null && !isOver && send(value))
  return { taps: { isOver, chosen: tapped?.value ?? null, sending, tap }, error }
}

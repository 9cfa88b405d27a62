import type { ReactNode } from 'react'
import { drafts } from '../keep/drafts.ts'
import type { Letter } from '../keep/outbox.ts'
import { pageOutbox } from '../keep/page-outbox.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './log-row.module.css'
import { MessageBody } from './message-body.tsx'

/** A message that the server does not have yet. */
export function LetterRow({ letter }: { letter: Letter | { text: string; state: 'sending' } }): ReactNode {
  const words = useWords()
  const isRefused = letter.state === 'refused'
  const takeBack = (): void => {
    if (!('key' in letter) || !pageOutbox.take(letter.key)) return
    const place = letter.dialog ?? 'new'
    drafts.set(place, [drafts.get(place), letter.text].filter((text) => text !== '').join('\n'))
    dispatchEvent(new CustomEvent('parley-draft'))
  }
  return (
    <article
      className={styles['row']}
      data-mine="true"
      data-part="letter"
      aria-label={`${words.chat.you}, ${isRefused ? words.chat.notSent : letter.state === 'sending' ? words.chat.sending : words.chat.willSend}`}
    >
      <p className="hidden-visually">{words.chat.you}</p>
      {letter.text.trim() !== '' && <MessageBody text={letter.text} isMine />}
      <p className={styles['way']} data-bad={isRefused || undefined}>
        <Icon name={isRefused ? 'warn' : 'clock'} />
        {isRefused ? words.chat.notSent : letter.state === 'sending' ? words.chat.sending : words.chat.willSend}
      </p>
      {'files' in letter && letter.files && letter.files.length > 0 && (
        <p className={styles['way']}>{letter.files.map(({ name }) => name).join(', ')}</p>
      )}
      {isRefused && 'key' in letter && (
        <div className={styles['refused']}>
          {letter.error && (
            <p dir="auto">
              {inWords(letter.error, words).message} {inWords(letter.error, words).hint}
            </p>
          )}
          <button type="button" className="button" onClick={() => pageOutbox.retry(letter.key)}>
            {words.chat.tryAgain}
          </button>
          <button type="button" className="button" data-kind="quiet" onClick={takeBack}>
            {words.chat.edit}
          </button>
        </div>
      )}
    </article>
  )
}

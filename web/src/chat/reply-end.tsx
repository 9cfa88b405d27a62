import { type ReactNode, useEffect, useRef } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'
import { storage } from '../keep/storage.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './reply-end.module.css'
import { getRest } from './get-rest.ts'
import { useReplyEnd } from './use-reply-end.ts'

const place = 'parley.reply-end'

/** Continue or stop below a finished reply: shortcuts, never in the way. Their room is kept from the first moment, so nothing jumps. */
export function ReplyEnd({ dialog, view, letters }: { dialog: string; view: DialogView; letters: readonly Letter[] }): ReactNode {
  const words = useWords()
  const end = useReplyEnd(dialog, getRest(view, letters))
  const statusRef = useRef<HTMLParagraphElement>(null)
  const hadFocus = useRef(false)
  const rows = end?.rows ?? null
  useEffect(() => {
    if (rows !== null) storage.set('local', place, rows.length === 0 ? null : rows.flat().map(({ label }) => label))
  }, [rows])
  useEffect(() => {
    // The button that had the focus is gone.
    if (end?.said && hadFocus.current) statusRef.current?.focus({ preventScroll: true })
    hadFocus.current = false
  }, [end?.said])

  if (!end) return null
  const isOffered = rows !== null && end.said === null
  const buttons = rows?.flat() ?? (storage.get<string[]>('local', place) ?? []).map((label) => ({ label, data: label }))
  if (buttons.length === 0) return end.error && <Fault message={inWords(end.error, words).message} />
  return (
    <div className={styles['end']}>
      <div className={styles['rows']} role="group" aria-label={words.chat.replyEnd} inert={!isOffered} data-shown={isOffered || undefined}>
        {buttons.map((control) => (
          <button
            key={control.data}
            type="button"
            className="button"
            lang={getLang(control.label)}
            aria-disabled={end.sending !== null}
            data-pressed={end.sending === control || undefined}
            onClick={(event) => {
              hadFocus.current = event.currentTarget === document.activeElement
              void end.tap(control)
            }}
          >
            <bdi>{control.label}</bdi>
          </button>
        ))}
      </div>
      {end.said && (
        <p ref={statusRef} className={styles['said']} tabIndex={-1} data-part="reply-end">
          {end.said.chosen && (
            <strong lang={getLang(end.said.chosen.label)}>
              <Icon name="check" />
              <bdi>{withoutMark(end.said.chosen.label)}</bdi>
            </strong>
          )}
          {end.said.toast !== '' && <span lang={getLang(end.said.toast)}>{end.said.toast}</span>}
        </p>
      )}
      {end.error && <Fault message={words.chat.tapFailed} />}
    </div>
  )
}

function Fault({ message }: { message: string }): ReactNode {
  return (
    <p role="alert" className={styles['fault']}>
      {message}
    </p>
  )
}

/** "A. " numbers the choices; one that was chosen stands alone. */
const withoutMark = (label: string): string => label.replace(/^[A-Z]\. /, '')

/** They come in the language of the dialog, which may not be that of the page. */
const getLang = (text: string): string | undefined => (/\p{Script=Han}/u.test(text) ? 'zh' : undefined)

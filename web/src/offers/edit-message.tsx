import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isComposing } from '../keep/composing.ts'
import { useWords } from '../words/use-words.ts'
import { useOfferWords } from './offer-words.ts'
import styles from './offers.module.css'

type Props = { text: string; error: string | null; onSend(text: string): void; onCancel(): void }

/** The text of a message in a field. Sending it opens a branch; the message itself stays. */
export function EditMessage({ text, error, onSend, onCancel }: Props): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const [changed, setChanged] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (): void => {
    if (changed.trim() !== '') onSend(changed)
  }
  return (
    <form
      className={styles['edit']}
      data-part="edit"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className="field"
        dir="auto"
        rows={3}
        value={changed}
        aria-label={words.chat.editMessage}
        aria-describedby="edit-about"
        onChange={(event) => setChanged(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Escape') {
            event.preventDefault()
            onCancel()
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            send()
          }
        }}
      />
      <p id="edit-about">{texts.editAbout}</p>
      {error !== null && <p role="alert">{error}</p>}
      <div>
        <button type="button" className="button" data-kind="quiet" onClick={onCancel}>
          {words.tree.cancel}
        </button>
        <button type="submit" className="button" data-kind="main">
          {words.composer.send}
        </button>
      </div>
    </form>
  )
}

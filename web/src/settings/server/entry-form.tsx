import { type ReactNode, useState } from 'react'
import { Field } from './fields.tsx'
import styles from './server-settings.module.css'
import { isName, useSettingsWords } from './settings-words.ts'

type FormProps = {
  /** Null: a new entry, whose name is asked for. */
  name: string | null
  /** Names that are taken. */
  taken: readonly string[]
  suggested: string
  children: ReactNode
  onReview(name: string): void
  onRemove: (() => void) | null
  onCancel(): void
}

/** The frame of every form of an entry: its name, its fields, and review, remove, cancel. */
export function EntryForm({ name, taken, suggested, children, onReview, onRemove, onCancel }: FormProps): ReactNode {
  const texts = useSettingsWords()
  const [typed, setTyped] = useState(suggested)
  const [fault, setFault] = useState<string | null>(null)
  const submit = (): void => {
    const wanted = name ?? typed.trim()
    const why = name !== null ? null : !isName(wanted) ? texts.badName : taken.includes(wanted) ? texts.taken : null
    setFault(why)
    if (why === null) onReview(wanted)
  }
  return (
    <form
      className={styles['form']}
      data-part="entry-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {name === null && <Field label={texts.fields.name} value={typed} onChange={setTyped} isCode isRequired />}
      {fault !== null && (
        <p role="alert" className={styles['bad']}>
          {fault}
        </p>
      )}
      {children}
      <div className={styles['acts']}>
        <button type="submit" className="button" data-kind="main">
          {texts.review}
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </button>
        {onRemove && (
          <button type="button" className={`button ${styles['end']}`} data-kind="quiet" onClick={onRemove}>
            {texts.remove}
          </button>
        )}
      </div>
    </form>
  )
}

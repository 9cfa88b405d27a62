import { type ReactNode, useId } from 'react'
import type { ApprovalView } from '../../../src/shapes/wire.ts'
import { useApprovalWords } from './approval-words.ts'
import styles from './approval.module.css'

type EditTextsProps = {
  texts: NonNullable<ApprovalView['shown']['texts']>
  /** Changed texts by field; a text that is as the agent wrote it is not in it. */
  edits: Readonly<Record<string, string>>
  onEdit(edits: Readonly<Record<string, string>>): void
}

/** The words that leave, in fields that the person may change before they allow the call. */
export function EditTexts({ texts, edits, onEdit }: EditTextsProps): ReactNode {
  const own = useApprovalWords()
  const id = useId()
  const change = (field: string, text: string, original: string): void => {
    const { [field]: _, ...rest } = edits
    onEdit(text === original ? rest : { ...rest, [field]: text })
  }
  return (
    <div className={styles['edits']} role="group" aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} className={styles['facts']}>
        {own.editWords}
      </p>
      {texts.map(({ field, text, most }) => (
        <div key={field}>
          <label htmlFor={`${id}-${field}`}>{own.texts[field] ?? field}</label>
          <textarea
            id={`${id}-${field}`}
            className="field"
            rows={Math.min(6, 1 + Math.ceil(text.length / 60))}
            maxLength={most}
            dir="auto"
            value={edits[field] ?? text}
            onChange={(event) => change(field, event.target.value, text)}
          />
        </div>
      ))}
      {Object.keys(edits).length > 0 && (
        <p className={styles['facts']} role="status">
          {own.editedOnce}
        </p>
      )}
    </div>
  )
}

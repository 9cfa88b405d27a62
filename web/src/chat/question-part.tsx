import { type ReactNode, useId } from 'react'
import type { Question } from '../../../src/client/wire.ts'
import { isComposing } from '../keep/composing.ts'
import { useSettings } from '../keep/settings.ts'
import styles from './question-card.module.css'

type PartProps = {
  item: Question['items'][number]
  /** Its text is then the question's own and not repeated when it says the same. */
  isOnly: boolean
  value: string
  fault: string | undefined
  onChange(value: string): void
}

export function QuestionPart({ item, isOnly, value, fault, onChange }: PartProps): ReactNode {
  const { sendWith } = useSettings()
  const id = useId()
  const faultId = `${id}fault`
  const described = fault === undefined ? undefined : faultId
  const problem = fault !== undefined && (
    <p id={faultId} className={styles['fault']}>
      {fault}
    </p>
  )
  if (item.kind === 'choice') {
    return (
      <fieldset
        className={styles['part']}
        role="radiogroup"
        data-item={item.id}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={described}
      >
        <legend className={isOnly ? 'hidden-visually' : undefined} dir="auto">
          {item.text}
        </legend>
        <div className={styles['options']}>
          {item.options.map((option) => (
            <label key={option.value} className={styles['option']}>
              <input type="radio" name={id} value={option.value} checked={value === option.value} onChange={() => onChange(option.value)} />
              <span dir="auto">
                {option.label}
                {option.hint && <small dir="auto">{option.hint}</small>}
              </span>
            </label>
          ))}
        </div>
        {problem}
      </fieldset>
    )
  }
  return (
    <div className={styles['part']} data-item={item.id}>
      <label htmlFor={id} dir="auto">
        {item.text}
      </label>
      <textarea
        id={id}
        className="field"
        rows={1}
        dir="auto"
        value={value}
        placeholder={item.placeholder}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={described}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return
          if (sendWith === 'enter' ? event.shiftKey : !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      {problem}
    </div>
  )
}

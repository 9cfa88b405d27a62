import type { KeyboardEvent, ReactNode } from 'react'
import { isComposing } from '../../keep/composing.ts'
import { useSettings } from '../../keep/settings.ts'
import styles from '../question-card.module.css'
import type { ControlProps } from './control-props.ts'

/** Typed text on one line or several. */
export function FieldControl(props: ControlProps<'field'>): ReactNode {
  const { id, item, label, control, value, isInvalid, describedBy, onChange } = props
  const { sendWith } = useSettings()
  const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || isComposing(event)) return
    if (sendWith === 'enter' ? event.shiftKey : !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const field = {
    id,
    className: 'field',
    dir: 'auto',
    value,
    placeholder: control.placeholder,
    'aria-invalid': isInvalid ? true : undefined,
    'aria-describedby': describedBy,
  } as const
  return (
    <div className={styles['part']} data-item={item}>
      <label htmlFor={id} dir="auto">
        {label}
      </label>
      {control.lines === 'many' ? (
        <textarea {...field} rows={1} onChange={(event) => onChange(event.target.value)} onKeyDown={submitOnEnter} />
      ) : (
        <span className={styles['line']}>
          <input
            {...field}
            type="text"
            inputMode={control.keyboard}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
          {control.suffix && <span dir="auto">{control.suffix}</span>}
        </span>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from '../question-card.module.css'
import type { ControlProps } from './control-props.ts'

/** A calendar date, in the form the browser's language writes dates. */
export function DateControl({ id, item, label, control, value, isInvalid, describedBy, onChange }: ControlProps<'date'>): ReactNode {
  return (
    <div className={styles['part']} data-item={item}>
      <label htmlFor={id} dir="auto">
        {label}
      </label>
      <span className={styles['line']}>
        <input
          id={id}
          className="field"
          type="date"
          min={control.min}
          max={control.max ?? '9999-12-31'}
          value={value}
          aria-invalid={isInvalid ? true : undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </div>
  )
}

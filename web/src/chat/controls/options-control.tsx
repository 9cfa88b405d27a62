import type { ReactNode } from 'react'
import styles from '../question-card.module.css'
import type { ControlProps } from './control-props.ts'

/** One of several: a group of radio buttons. */
export function OptionsControl(props: ControlProps<'options'>): ReactNode {
  const { id, item, label, control, value, isInvalid, isLabelHidden, describedBy, onChange } = props
  return (
    <fieldset
      className={styles['part']}
      role="radiogroup"
      data-item={item}
      aria-invalid={isInvalid ? true : undefined}
      aria-describedby={describedBy}
    >
      <legend className={isLabelHidden ? 'hidden-visually' : undefined} dir="auto">
        {label}
      </legend>
      <div className={styles['options']}>
        {control.options.map((option) => (
          <label key={option.value} className={styles['option']}>
            <input type="radio" name={id} value={option.value} checked={value === option.value} onChange={() => onChange(option.value)} />
            <span dir="auto">
              {option.label}
              {option.hint && <small dir="auto">{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

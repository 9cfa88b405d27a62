import type { ReactNode } from 'react'
import styles from '../question-card.module.css'
import type { ControlProps } from './control-props.ts'

/** Several of the options: a group of checkboxes. The value has one option on each line, in the order they are shown. */
export function ChecksControl(props: ControlProps<'checks'>): ReactNode {
  const { item, label, control, value, isInvalid, isLabelHidden, describedBy, onChange } = props
  const chosen = value === '' ? [] : value.split('\n')
  const toggle = (option: string): void => {
    const next = chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]
    onChange(control.options.flatMap((one) => (next.includes(one.value) ? [one.value] : [])).join('\n'))
  }
  return (
    <fieldset className={styles['part']} data-item={item} aria-invalid={isInvalid ? true : undefined} aria-describedby={describedBy}>
      <legend className={isLabelHidden ? 'hidden-visually' : undefined} dir="auto">
        {label}
      </legend>
      <div className={styles['options']}>
        {control.options.map((option) => (
          <label key={option.value} className={styles['option']}>
            <input type="checkbox" value={option.value} checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
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

import { type ReactNode, useId } from 'react'
import styles from './server-settings.module.css'

type FieldProps = {
  label: string
  value: string
  onChange(value: string): void
  type?: 'text' | 'number' | 'password' | 'area'
  isCode?: boolean
  isRequired?: boolean
}

export function Field({ label, value, onChange, type = 'text', isCode = false, isRequired = false }: FieldProps): ReactNode {
  const id = useId()
  const common = { id, className: 'field', value, required: isRequired, dir: isCode ? ('ltr' as const) : ('auto' as const) }
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {type === 'area' ? (
        <textarea {...common} rows={5} maxLength={20_000} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...common}
          type={type}
          min={type === 'number' ? 0 : undefined}
          step={type === 'number' ? 'any' : undefined}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellCheck={!isCode}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChange(value: string): void
}

export function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  const id = useId()
  // A value in the file stays a choice, whatever the page knows.
  const all = options.some(([one]) => one === value) ? options : [...options, [value, value] as const]
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => onChange(event.target.value)}>
        {all.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

type ChecksProps = {
  legend: string
  values: readonly string[]
  options: readonly (readonly [value: string, label: string])[]
  onChange(values: string[]): void
}

export function Checks({ legend, values, options, onChange }: ChecksProps): ReactNode {
  return (
    <fieldset className={styles['checks']}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <Check
          key={value}
          label={label}
          isOn={values.includes(value)}
          onChange={(isOn) => onChange(isOn ? [...values, value] : values.filter((one) => one !== value))}
        />
      ))}
    </fieldset>
  )
}

export function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }): ReactNode {
  return (
    <label className={styles['check']}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

import { type FormEvent, type ReactNode, useId } from 'react'
import styles from './worlds.module.css'

/** Fields above a row of buttons, with the error below them. Without `onSubmit` the buttons act on their own. */
export function CardForm({
  children,
  acts,
  error,
  onSubmit,
}: {
  children?: ReactNode
  acts: ReactNode
  error: string | null
  onSubmit?: () => void
}): ReactNode {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <form className={styles['form']} onSubmit={submit}>
      {children}
      <div className={styles['acts']}>{acts}</div>
      <ErrorLine error={error} />
    </form>
  )
}

export const ErrorLine = ({ error }: { error: string | null }): ReactNode =>
  error !== null && (
    <p role="alert" className={styles['bad']}>
      {error}
    </p>
  )

type FieldProps = {
  label: string
  value: string
  maxLength?: number
  /** A number within these bounds. */
  numbers?: { min: number; max?: number; step: number }
  /** One line without it. */
  rows?: number
  required?: boolean
  onChange(value: string): void
}

export function TextField({ label, value, maxLength, numbers, rows, required = false, onChange }: FieldProps): ReactNode {
  const id = useId()
  const field = { id, className: 'field', maxLength, required, value, dir: 'auto' }
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...field}
          {...(numbers && { type: 'number', inputMode: 'decimal', ...numbers })}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea {...field} rows={rows} onChange={(event) => onChange(event.target.value)} />
      )}
    </div>
  )
}

type ActButtonProps = {
  label: string
  kind?: 'main' | 'bad' | 'quiet'
  /** For readers who hear the button without its card. */
  spoken?: string
  isSending: boolean
  /** Without it the button submits its form. */
  onClick?: () => void
}

export const ActButton = ({ label, kind, spoken, isSending, onClick }: ActButtonProps): ReactNode => (
  <button
    type={onClick ? 'button' : 'submit'}
    className="button"
    data-kind={kind}
    aria-label={spoken}
    aria-disabled={isSending}
    onClick={onClick}
  >
    {label}
  </button>
)

import { type KeyboardEvent as KeyPress, type ReactNode, useEffect, useEffectEvent } from 'react'
import type { QuestionControl } from '../../../src/client/index.ts'
import { useSettings } from '../keep/settings.ts'
import { isTextField } from '../parts/is-text-field.ts'
import styles from './question-card.module.css'

type RowsProps = {
  item: string
  options: Extract<QuestionControl, { type: 'options' }>['options']
  labelledBy: string
  chosen: string | null
  isSending: boolean
  onChoose(value: string): void
}

/** More rows have no key. */
const mostKeys = 9

/** One of several, each a row that answers at once: by a click, or by its number outside text fields. */
export function ChoiceRows({ item, options, labelledBy, chosen, isSending, onChoose }: RowsProps): ReactNode {
  const { singleKeys } = useSettings()
  const choose = (value: string | undefined): void => {
    if (value !== undefined && !isSending) onChoose(value)
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.defaultPrevented) return
    if (!/^[1-9]$/.test(event.key) || isTextField(event.target) || document.querySelector('dialog[open]')) return
    const option = options[Number(event.key) - 1]
    if (!option) return
    event.preventDefault()
    choose(option.value)
  })
  useEffect(() => {
    if (!singleKeys) return
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [singleKeys])
  const onArrow = (event: KeyPress<HTMLElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const rows = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])]
    rows.at((rows.findIndex((row) => row === document.activeElement) + step) % rows.length)?.focus()
  }
  return (
    <div className={styles['options']} role="group" aria-labelledby={labelledBy} data-item={item}>
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          className={styles['option']}
          data-value={option.value}
          aria-pressed={chosen === option.value}
          aria-disabled={isSending || undefined}
          aria-keyshortcuts={singleKeys && index < mostKeys ? `${index + 1}` : undefined}
          onClick={() => choose(option.value)}
          onKeyDown={onArrow}
        >
          <span className={styles['key']} aria-hidden="true" data-unused={!singleKeys || index >= mostKeys || undefined}>
            {index + 1}
          </span>
          <span dir="auto">
            {option.label}
            {option.hint && <small dir="auto">{option.hint}</small>}
          </span>
        </button>
      ))}
    </div>
  )
}

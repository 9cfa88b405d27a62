import { type ReactNode, useId, useState } from 'react'
import styles from './taskdoc.module.css'
import { type Section, useTaskdocWords } from './taskdoc-words.ts'

type Props = { taken: readonly string[]; onAdd(section: Pick<Section, 'category' | 'selector'>): void }

const name = /^([a-zA-Z][\w-]{0,63})\/([a-zA-Z][\w-]{0,63})$/

/** Sections beyond goals, constraints and progress have a category. */
export function AddSection({ taken, onAdd }: Props): ReactNode {
  const texts = useTaskdocWords()
  const id = useId()
  const [text, setText] = useState('')
  const [isBad, setBad] = useState(false)
  const known = Object.keys(texts.sections).filter((path) => path.includes('/') && !taken.includes(path))
  return (
    <details className={styles['add']}>
      <summary>{texts.add}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [, category, selector] = name.exec(text.trim()) ?? []
          setBad(category === undefined || selector === undefined)
          if (category === undefined || selector === undefined) return
          setText('')
          onAdd({ category, selector })
        }}
      >
        <label htmlFor={`${id}-name`}>{texts.addName}</label>
        <input
          id={`${id}-name`}
          className="field"
          dir="ltr"
          list={`${id}-known`}
          value={text}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? `${id}-bad` : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id={`${id}-known`}>
          {known.map((path) => (
            <option key={path} value={path}>
              {texts.sections[path]}
            </option>
          ))}
        </datalist>
        {isBad && (
          <p id={`${id}-bad`} role="alert" className={styles['bad']}>
            {texts.badName}
          </p>
        )}
        <button type="submit" className="button">
          {texts.addNext}
        </button>
      </form>
    </details>
  )
}

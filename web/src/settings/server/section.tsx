import { type ReactNode, useId, useState } from 'react'
import styles from './server-settings.module.css'

type SectionProps = {
  title: string
  about?: string
  add: string
  empty: string | null
  renderForm(close: () => void): ReactNode
  children: ReactNode
}

/** A group of entries, with a form for a new one. */
export function Section({ title, about, add, empty, renderForm, children }: SectionProps): ReactNode {
  const id = useId()
  const [isAdding, setAdding] = useState(false)
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p className={styles['note']}>{about}</p>}
      {empty !== null && <p className={styles['note']}>{empty}</p>}
      <ul className={styles['entries']}>{children}</ul>
      {isAdding ? (
        renderForm(() => setAdding(false))
      ) : (
        <button type="button" className="button" onClick={() => setAdding(true)}>
          {add}
        </button>
      )}
    </section>
  )
}

import { type ReactNode, type Ref, useId } from 'react'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './modal.module.css'

/** The browser's own dialog: it keeps the focus inside, gives it back, and closes on Escape. */
export function Modal({ ref, title, children }: { ref: Ref<HTMLDialogElement>; title: string; children: ReactNode }): ReactNode {
  const words = useWords()
  const id = useId()
  return (
    <dialog ref={ref} className={styles['modal']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        <form method="dialog">
          <button className="button" data-kind="quiet" data-shape="icon" aria-label={words.app.close}>
            <Icon name="close" />
          </button>
        </form>
      </div>
      <div className={styles['body']}>{children}</div>
    </dialog>
  )
}

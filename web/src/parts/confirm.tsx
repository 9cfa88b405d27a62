import { type ReactNode, type Ref, useId } from 'react'
import { useWords } from '../words/use-words.ts'
import { Modal } from './modal.tsx'
import styles from './modal.module.css'

type ConfirmProps = {
  ref: Ref<HTMLDialogElement>
  title: string
  next?: string
  action: string
  isDangerous?: boolean
  error: string | null
  /** Fields to fill in before confirming. */
  children?: ReactNode
  /** Null while there is nothing to do. */
  onConfirm: (() => void) | null
}

/** Asks once before something that reaches far. Escape and Cancel change nothing. */
export function Confirm({ ref, title, next, action, isDangerous, error, children, onConfirm }: ConfirmProps): ReactNode {
  const words = useWords()
  const id = useId()
  return (
    <Modal ref={ref} title={title}>
      <form
        method="dialog"
        className={styles['ask']}
        aria-describedby={next === undefined ? undefined : id}
        onSubmit={(event) => {
          if (event.nativeEvent.submitter?.getAttribute('value') !== 'do') return
          event.preventDefault()
          onConfirm?.()
        }}
      >
        {next !== undefined && <p id={id}>{next}</p>}
        {children}
        {error !== null && (
          <p role="alert" className={styles['bad']}>
            {error}
          </p>
        )}
        <div className={styles['foot']}>
          {onConfirm && (
            <button className="button" data-kind={isDangerous ? 'bad' : 'main'} value="do">
              {action}
            </button>
          )}
          <button className="button" data-kind="quiet" value="cancel" formNoValidate>
            {words.tree.cancel}
          </button>
        </div>
      </form>
    </Modal>
  )
}

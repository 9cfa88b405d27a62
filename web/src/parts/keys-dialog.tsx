import { type ReactNode, type RefObject, useEffect } from 'react'
import { useLocation } from 'wouter'
import { shortcutRows } from '../approvals/approval-keys.ts'
import { useSettings } from '../keep/settings.ts'
import { useWords } from '../words/use-words.ts'
import { Modal } from './modal.tsx'
import styles from './modal.module.css'

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)))

const focusOn = (id: string): void => document.getElementById(id)?.focus()

/** Single letters, outside of text fields only, and not at all for people who switched them off. */
export function useKeys(list: RefObject<HTMLDialogElement | null>): void {
  const [, navigate] = useLocation()
  const { singleKeys } = useSettings()
  useEffect(() => {
    if (!singleKeys) return
    const actions: Record<string, () => void> = {
      '?': () => list.current?.showModal(),
      n: () => navigate('/c/new'),
      '/': () => focusOn('dialog-search'),
      t: () => focusOn('dialog-tree'),
      c: () => focusOn('composer'),
      q: () => focusOn('question-card'),
      g: () => document.getElementById('log')?.scrollTo({ top: Number.MAX_SAFE_INTEGER }),
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented || isTextField(event.target)) return
      if (document.querySelector('dialog[open]')) return
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [singleKeys, navigate, list])
}

export function KeysDialog({ ref }: { ref: RefObject<HTMLDialogElement | null> }): ReactNode {
  const words = useWords()
  const { sendWith } = useSettings()
  const rows: [string, string][] = [
    ['?', words.keys.show],
    ['n', words.keys.newChat],
    ['/', words.keys.search],
    ['t', words.keys.tree],
    ['c', words.keys.composer],
    ['q', words.keys.question],
    ['g', words.keys.newest],
  ]
  return (
    <Modal ref={ref} title={words.keys.title}>
      <dl className={styles['keys']}>
        {rows.map(([key, what]) => [
          <dt key={`${key} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{what}</dd>,
        ])}
      </dl>
      <h3>{words.keys.approvals}</h3>
      <dl className={styles['keys']}>
        {shortcutRows(words).map(([key, what]) => [
          <dt key={`${key} key`}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{what}</dd>,
        ])}
      </dl>
      <p className={styles['label']}>
        {words.keys.outside} {sendWith === 'enter' ? words.composer.hintEnter : words.composer.hintCtrl}
      </p>
    </Modal>
  )
}

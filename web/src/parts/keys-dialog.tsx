import { lazy, type ReactNode, type RefObject, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useSettings } from '../keep/settings.ts'
import { useWords } from '../words/use-words.ts'
import { Modal } from './modal.tsx'

const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }))

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
  return (
    <Modal ref={ref} title={useWords().keys.title}>
      <Suspense>
        <KeysList />
      </Suspense>
    </Modal>
  )
}

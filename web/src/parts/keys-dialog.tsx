import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { useSettings } from '../keep/settings.ts'
import { useWords } from '../words/use-words.ts'
import { isTextField } from './is-text-field.ts'
import { Modal } from './modal.tsx'

const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }))

const focusOn = (id: string): void => document.getElementById(id)?.focus()

/**
 * Single letters, outside of text fields only, and not at all for people who switched them off. Control or Command with K
 * opens the search everywhere.
 */
export function useKeys(list: RefObject<HTMLDialogElement | null>, onSearch: () => void): void {
  const [, navigate] = useLocation()
  const { singleKeys } = useSettings()
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      search()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!singleKeys) return
    const actions: Record<string, () => void> = {
      '?': () => list.current?.showModal(),
      n: () => navigate('/c/new'),
      '/': search,
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

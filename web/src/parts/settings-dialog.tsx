import { lazy, type ReactNode, type RefObject, Suspense } from 'react'
import { useWords } from '../words/use-words.ts'
import { Modal } from './modal.tsx'

const SettingsForm = lazy(async () => ({ default: (await import('./settings-form.tsx')).SettingsForm }))

export function SettingsDialog({ ref, onShowKeys }: { ref: RefObject<HTMLDialogElement | null>; onShowKeys(): void }): ReactNode {
  return (
    <Modal ref={ref} title={useWords().settings.title}>
      <Suspense>
        <SettingsForm ref={ref} onShowKeys={onShowKeys} />
      </Suspense>
    </Modal>
  )
}

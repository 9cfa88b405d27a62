import type { ReactNode } from 'react'
import type { DialogStatus } from '../../../src/client/wire.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './status-mark.module.css'

const icons: Record<DialogStatus, IconName> = {
  ready: 'check',
  working: 'dots',
  stopping: 'dots',
  waiting: 'question',
  stopped: 'pause',
  failed: 'warn',
}

/** A word and a sign, never a colour alone. */
export function StatusMark({ status }: { status: DialogStatus }): ReactNode {
  const words = useWords()
  return (
    <span className={styles['status']} data-status={status}>
      <Icon name={icons[status]} />
      {words.status[status]}
    </span>
  )
}

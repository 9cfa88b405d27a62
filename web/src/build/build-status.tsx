import type { ReactNode } from 'react'
import type { BuildViewStatus } from '../../../src/client/index.ts'
import styles from '../lists/status-mark.module.css'
import { Icon, type IconName } from '../look/icon.tsx'
import { useBuildWords } from './use-build.ts'

const icons: Record<BuildViewStatus, IconName> = {
  starting: 'dots',
  running: 'dots',
  waiting: 'question',
  complete: 'check',
  failed: 'warn',
  cancelled: 'stop',
}

/** The colours are those of dialogs in the same state. */
const looks: Partial<Record<BuildViewStatus, string>> = { starting: 'working', running: 'working', waiting: 'waiting', failed: 'failed' }

/** A word and a sign, never a colour alone. */
export function BuildStatus({ status }: { status: BuildViewStatus }): ReactNode {
  const words = useBuildWords()
  return (
    <span className={styles['status']} data-status={looks[status]}>
      <Icon name={icons[status]} />
      <span>{words.status[status]}</span>
    </span>
  )
}

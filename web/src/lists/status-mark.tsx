import type { ReactNode } from 'react'
import type { DialogStatus, DialogSummary } from '../../../src/shapes/wire.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import type { PageWords } from '../../../src/words/en/page.ts'
import { useWords } from '../words/use-words.ts'
import styles from './status-mark.module.css'

const icons: Record<DialogStatus, IconName> = {
  ready: 'check',
  working: 'dots',
  stopping: 'dots',
  waiting: 'question',
  delegated: 'people',
  stopped: 'pause',
  failed: 'warn',
  dead: 'close',
}

type MarkProps = {
  status: DialogStatus
  pending?: DialogSummary['pending']
  /** It waits for people other than the reader. */
  isForOthers?: boolean
}

/** A word and a sign, never a colour alone. */
export function StatusMark({ status, pending = [], isForOthers = false }: MarkProps): ReactNode {
  const words = useWords()
  return (
    <span className={styles['status']} data-status={status}>
      <Icon name={isForOthers ? 'clock' : icons[status]} />
      <span>{isForOthers ? words.status.approval : statusWords({ status, pending }, words)}</span>
    </span>
  )
}

export const statusWords = ({ status, pending }: Pick<DialogSummary, 'status' | 'pending'>, words: PageWords): string =>
  status === 'delegated' && pending.length > 0 ? words.tree.waitsFor(getNames(pending)) : words.status[status]

/** Names of the agents it waits for, each once; many are shown as a number. */
function getNames(pending: DialogSummary['pending']): string {
  const names = [...new Set(pending.map(({ agent }) => `@${agent}`))]
  return names.length > 2 ? `${names.slice(0, 2).join(', ')} +${names.length - 2}` : names.join(', ')
}

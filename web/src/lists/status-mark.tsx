import type { ReactNode } from 'react'
import type { DialogStatus, DialogSummary } from '../../../src/shapes/wire.ts'
import { handleName } from '../chat/author.ts'
import type { PageWords } from '../../../src/words/en/page.ts'
import { useWords } from '../words/use-words.ts'
import styles from './status-mark.module.css'

/** The shapes of the design; each stands before its word. */
export type Shape = 'turn' | 'works' | 'waits' | 'stopped' | 'done' | 'failed'

const shapes: Record<DialogStatus, Shape> = {
  ready: 'done',
  working: 'works',
  stopping: 'works',
  waiting: 'turn',
  delegated: 'waits',
  stopped: 'stopped',
  failed: 'failed',
  dead: 'stopped',
  retired: 'stopped',
}

type MarkProps = {
  status: DialogStatus
  pending?: DialogSummary['pending']
  /** It waits for people other than the reader. */
  isForOthers?: boolean
}

/** One shape and one word, never a colour alone. */
export function StatusMark({ status, pending = [], isForOthers = false }: MarkProps): ReactNode {
  const words = useWords()
  return (
    <ShapeMark shape={isForOthers ? 'waits' : shapes[status]}>
      {isForOthers ? words.status.approval : statusWords({ status, pending }, words)}
    </ShapeMark>
  )
}

export function ShapeMark({ shape, children }: { shape: Shape; children: ReactNode }): ReactNode {
  return (
    <span className={styles['status']} data-shape={shape}>
      <span>{children}</span>
    </span>
  )
}

export const statusWords = ({ status, pending }: Pick<DialogSummary, 'status' | 'pending'>, words: PageWords): string =>
  status === 'delegated' && pending.length > 0 ? words.tree.waitsFor(getNames(pending)) : words.status[status]

/** Names of the agents it waits for, each once; many are shown as a number. */
function getNames(pending: DialogSummary['pending']): string {
  const names = [...new Set(pending.map(({ agent }) => handleName(agent)))]
  return names.length > 2 ? `${names.slice(0, 2).join(', ')} +${names.length - 2}` : names.join(', ')
}

import { memo, type MouseEvent, type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { plainPreview } from '../lists/plain-preview.ts'
import { StatusMark, statusWords } from '../lists/status-mark.tsx'
import { isOperator, useReader } from '../link/reader.ts'
import { Icon } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './dialog-tree.module.css'
import type { TreeRow } from './tree-rows.ts'
import { setOpen } from './tree-store.ts'

type LineProps = {
  row: TreeRow
  title: string
  isHere: boolean
  isActive: boolean
  /** Told once when it comes into sight, if its tree is not known yet. */
  onSeen: ((dialog: string) => void) | undefined
}

export const TreeLine = memo(
  function TreeLine({ row, title, isHere, isActive, onSeen }: LineProps): ReactNode {
    const words = useWords()
    const times = useTimes()
    const { dialog, level, position, siblings, hasSides, isOpen, questions } = row
    // Owners and operators may answer everything, so nothing waits for others only.
    const isForOthers = !isOperator(useReader()) && dialog.status === 'waiting' && questions === 0
    useEffect(() => onSeen?.(dialog.id), [onSeen, dialog.id])
    const name = [
      title,
      `@${dialog.agent}`,
      isForOthers ? words.status.approval : statusWords(dialog, words),
      ...(dialog.isPinned ? [words.list.pinned] : []),
      ...(questions > 0 ? [words.list.openQuestions(questions)] : []),
    ].join(', ')
    const toggle = (event: MouseEvent): void => {
      event.preventDefault()
      event.stopPropagation()
      setOpen([dialog.id], !isOpen)
    }
    return (
      <Link
        href={`/c/${dialog.id}`}
        id={`line-${dialog.id}`}
        role="treeitem"
        tabIndex={-1}
        aria-label={name}
        className={styles['line']}
        data-active={isActive || undefined}
        data-needs={questions > 0 || undefined}
        data-level={Math.min(level, 6)}
        aria-level={level}
        aria-posinset={position}
        aria-setsize={siblings}
        aria-expanded={hasSides ? isOpen : undefined}
        aria-selected={isHere}
        aria-current={isHere ? 'page' : undefined}
      >
        <Tile name={dialog.agent} size={level === 1 ? 28 : 22} isWorking={dialog.status === 'working'} />
        <span className={styles['title']} dir="auto">
          {dialog.isPinned && <Icon name="pin" />}
          {title}
        </span>
        <time className={styles['when']} dateTime={new Date(dialog.updatedAt).toISOString()}>
          {times.age(dialog.updatedAt)}
        </time>
        <span className={styles['state']}>
          {dialog.status === 'ready' ? (
            <span className={styles['soft']} dir="auto">
              {plainPreview(dialog.preview)}
            </span>
          ) : (
            <StatusMark status={dialog.status} pending={dialog.pending} isForOthers={isForOthers} />
          )}
          {questions > 0 && (dialog.status !== 'waiting' || questions > 1) && (
            <span className={styles['count']}>
              <span aria-hidden="true">{questions}</span>
              <span className="hidden-visually">{words.list.openQuestions(questions)}</span>
            </span>
          )}
        </span>
        {hasSides && (
          <span className={styles['twist']} data-open={isOpen || undefined} aria-hidden="true" onClick={toggle}>
            <Icon name="chevron" />
          </span>
        )}
      </Link>
    )
  },
  (before, after) =>
    before.title === after.title &&
    before.isHere === after.isHere &&
    before.isActive === after.isActive &&
    before.onSeen === after.onSeen &&
    before.row.dialog === after.row.dialog &&
    before.row.level === after.row.level &&
    before.row.position === after.row.position &&
    before.row.siblings === after.row.siblings &&
    before.row.hasSides === after.row.hasSides &&
    before.row.isOpen === after.row.isOpen &&
    before.row.questions === after.row.questions,
)

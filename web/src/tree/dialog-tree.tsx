import { visibleTitle } from '../approvals/visible-characters.ts'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useLocation } from 'wouter'
import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { questionsIn } from '../../../src/client/questions-in.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { useWords } from '../words/use-words.ts'
import { findByTyping, moveBy, toRows } from './tree-rows.ts'
import { readTree, setOpen, useTrees, watchTree } from './tree-store.ts'
import styles from './dialog-tree.module.css'
import { TreeLine } from './tree-line.tsx'

const typingMs = 700

/** Every dialog with what it opened. One line is current; keys move it, and the line itself is a link. */
export function DialogTree({ roots, children }: { roots: readonly DialogSummary[]; children: ReactNode }): ReactNode {
  const words = useWords()
  const [path, navigate] = useLocation()
  const trees = useTrees()
  const questionsByDialog = useAsked()
  const rows = useMemo(() => toRows(roots, trees, questionsByDialog), [roots, trees, questionsByDialog])
  const here = path.startsWith('/c/') ? path.slice(3) : null
  useFreshTrees(roots, trees.open, here)
  useWayTo(here, trees.byDialog)

  const [active, setActive] = useState<string | null>(null)
  const [isFocused, setFocused] = useState(false)
  const at = rows.findIndex(({ dialog }) => dialog.id === (active ?? here))
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRef<VirtualizerHandle>(null)
  const typed = useRef({ text: '', at: 0 })
  const getTitle = (dialog: DialogSummary): string => visibleTitle(dialog.title || dialog.preview) || words.list.untitled

  // Scrolls to the dialog of a link once; afterwards the reader's own scroll position stays.
  const place = rows.findIndex(({ dialog }) => dialog.id === here)
  const shownFor = useRef<string | null>(null)
  useEffect(() => {
    if (place < 0 || shownFor.current === here) return
    shownFor.current = here
    virtual.current?.scrollToIndex(place, { align: 'nearest' })
  }, [place, here])

  const goTo = (index: number): void => {
    const row = rows[index]
    if (!row) return
    setActive(row.dialog.id)
    virtual.current?.scrollToIndex(index, { align: 'nearest' })
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
    const row = rows[at]
    const isTyping = event.timeStamp - typed.current.at < typingMs
    if (row && (event.key === 'Enter' || (event.key === ' ' && !isTyping))) {
      event.preventDefault()
      return navigate(`/c/${row.dialog.id}`)
    }
    const move = moveBy(event.key, rows, at)
    if (move) {
      event.preventDefault()
      if ('to' in move) goTo(move.to)
      else if (row) setOpen([row.dialog.id], move.open)
      return
    }
    if (!/^[\p{L}\p{N}]$/u.test(event.key) && !(event.key === ' ' && isTyping)) return
    event.preventDefault()
    typed.current = { text: (isTyping ? typed.current.text : '') + event.key, at: event.timeStamp }
    goTo(findByTyping(typed.current.text, rows, at, getTitle))
  }

  return (
    <div ref={scroller} className={styles['scroller']}>
      <div
        id="dialog-tree"
        role="tree"
        className={styles['tree']}
        tabIndex={0}
        aria-label={words.tree.label}
        aria-activedescendant={at < 0 ? undefined : `line-${rows[at]?.dialog.id}`}
        onKeyDown={onKey}
        onFocus={() => {
          setFocused(true)
          goTo(Math.max(0, at))
        }}
        onBlur={() => setFocused(false)}
      >
        <Virtualizer ref={virtual} scrollRef={scroller} keepMounted={at < 0 ? [] : [at]}>
          {rows.map((row, index) => (
            <TreeLine
              key={row.dialog.id}
              row={row}
              title={getTitle(row.dialog)}
              isHere={row.dialog.id === here}
              isActive={isFocused && index === at}
              onSeen={row.level === 1 && !trees.byRoot.has(row.dialog.id) ? readTree : undefined}
            />
          ))}
        </Virtualizer>
      </div>
      {children}
    </div>
  )
}

/** Open questions of each dialog, from the inbox, which is current also for collapsed branches. */
function useAsked(): ReadonlyMap<string, number> {
  const { value } = useRefreshing(inbox)
  return useMemo(() => {
    const counts = new Map<string, number>()
    for (const { dialog } of questionsIn(value ?? { items: [] })) counts.set(dialog, (counts.get(dialog) ?? 0) + 1)
    return counts
  }, [value])
}

/** Visible trees are refreshed: those of open branches, that of this page, and those with open questions. */
function useFreshTrees(roots: readonly DialogSummary[], open: ReadonlySet<string>, here: string | null): void {
  const openRoots = roots.filter(({ id, pending }) => open.has(id) || pending.length > 0).map(({ id }) => id)
  const loadedIds = [...new Set(here === null || here === 'new' || here === 'demo' ? openRoots : [...openRoots, here])].toSorted().join(' ')
  useEffect(() => {
    const stops = loadedIds === '' ? [] : loadedIds.split(' ').map(watchTree)
    return () => {
      for (const stop of stops) stop()
    }
  }, [loadedIds])
  const { value } = useRefreshing(inbox)
  const { byDialog } = useTrees()
  const unknown = questionsIn(value ?? { items: [] })
    .map(({ dialog }) => dialog)
    .filter((dialog) => !byDialog.has(dialog))
    .join(' ')
  useEffect(() => {
    for (const dialog of new Set(unknown.split(' '))) if (dialog !== '') readTree(dialog)
  }, [unknown])
}

/** Expands the branches above a side dialog once, when it is opened by a link. */
function useWayTo(here: string | null, byDialog: ReadonlyMap<string, DialogSummary>): void {
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (here === null || opened.current === here) return
    const way: string[] = []
    for (let next = byDialog.get(here)?.origin; next; next = byDialog.get(next.parent)?.origin) way.push(next.parent)
    if (!byDialog.has(here)) return
    opened.current = here
    if (way.length > 0) setOpen(way, true)
  }, [here, byDialog])
}

import { type ReactNode, type Ref, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { DialogView } from '../../../src/client/index.ts'
import type { Letter } from '../keep/outbox.ts'
import { Icon } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './log.module.css'
import { LogRow } from './log-row.tsx'
import { pageMessages, type Row, toRows } from './rows.ts'
import { useStick } from './use-stick.ts'
import { WorkingLine } from './working-line.tsx'

/** Below this, plain rows: the browser's own search finds every word. */
const virtualFrom = 200

export type LogHandle = {
  /** Scrolls to an item and focuses it. False when it is not in what was loaded. */
  show(item: string): boolean
}

type LogProps = {
  ref: Ref<LogHandle>
  view: DialogView
  letters: readonly Letter[]
  isReady: boolean
  isSlow: boolean
  hasEarlier: boolean
  earlier: 'idle' | 'loading' | 'failed'
  onEarlier(): Promise<void>
  onShowCard(): void
  /** Below the last row. */
  children?: ReactNode
}

export function Log({ ref, view, letters, isReady, isSlow, hasEarlier, earlier, onEarlier, onShowCard, children }: LogProps): ReactNode {
  const words = useWords()
  const [messages, setMessages] = useState(pageMessages)
  const [wanted, setWanted] = useState<string | null>(null)
  const { rows, hasMore } = useMemo(() => toRows(view, letters, messages), [view, letters, messages])
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const virtual = useRef<VirtualizerHandle>(null)
  const { isAtEnd, toEnd, keepPlace } = useStick(scroller, content, isReady)
  const isVirtual = rows.length > virtualFrom
  const isPrepending = useRef(false)

  const show = useCallback(
    (key: string): boolean => {
      const index = rows.findIndex((row) => holdsItem(row, key))
      if (index < 0) {
        const isLoaded = view.items.some(({ id }) => id === key)
        // Loaded but not drawn: more of the log is drawn, and the place is looked for again.
        if (isLoaded) setWanted(key)
        return isLoaded
      }
      setWanted(null)
      virtual.current?.scrollToIndex(index, { align: 'center' })
      whenDrawn(key, (row) => {
        for (let fold = row.parentElement?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
        row.scrollIntoView({ block: 'center' })
        row.focus({ preventScroll: true })
        for (const marked of document.querySelectorAll('[data-linked]')) marked.removeAttribute('data-linked')
        row.setAttribute('data-linked', '')
      })
      return true
    },
    [rows, view.items],
  )
  useEffect(() => {
    if (wanted === null) return
    if (rows.some((row) => holdsItem(row, wanted))) show(wanted)
    else setMessages((count) => count + pageMessages)
  }, [wanted, rows, show])
  useImperativeHandle(ref, () => ({ show }), [show])

  // Scrolls to a message the reader has just sent.
  const lastLetter = letters.at(-1)?.key
  useEffect(() => {
    if (lastLetter !== undefined) toEnd()
  }, [lastLetter, toEnd])

  const showEarlier = async (): Promise<void> => {
    if (!hasMore) await onEarlier()
    isPrepending.current = true
    keepPlace()
    setMessages((count) => count + pageMessages)
    announce(words.announce.earlier(pageMessages))
  }
  useLayoutEffect(() => {
    isPrepending.current = false
  })

  const canShowEarlier = hasMore || hasEarlier
  const draw = rows.map((row) => <LogRow key={row.key} row={row} onShowCard={onShowCard} />)
  return (
    <div className={styles['frame']} data-fills>
      <div
        ref={scroller}
        id="log"
        className={styles['log']}
        role="log"
        aria-live="off"
        aria-label={words.chat.log}
        tabIndex={0}
        aria-busy={!isReady}
      >
        <div ref={content} className={styles['content']}>
          {canShowEarlier && isReady && (
            <div className={styles['earlier']}>
              <button
                type="button"
                className="button"
                data-kind="quiet"
                aria-disabled={earlier === 'loading'}
                onClick={() => void showEarlier()}
              >
                <Icon name="up" />
                {earlier === 'loading' ? words.chat.loadingEarlier : words.chat.earlier}
              </button>
              {earlier === 'failed' && <p role="alert">{words.chat.earlierFailed}</p>}
            </div>
          )}
          {!isReady && isSlow && <Bones label={words.chat.loading} />}
          {isReady && rows.length === 0 && <p className={styles['empty']}>{words.chat.emptyLog}</p>}
          {isReady &&
            (isVirtual ? (
              <Virtualizer ref={virtual} scrollRef={scroller} shift={isPrepending.current}>
                {draw}
              </Virtualizer>
            ) : (
              draw
            ))}
          {isReady && <WorkingLine view={view} />}
          {children}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className={`button ${styles['newest']}`} onClick={() => toEnd()}>
          <Icon name="down" />
          {words.chat.newest}
        </button>
      )}
    </div>
  )
}

/** Of a long log only the rows on screen are drawn, some frames after it was scrolled, and are hidden until they were measured. */
function whenDrawn(item: string, act: (row: HTMLElement) => void, frames = 60): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(`row-${item}`)
    if (row && getComputedStyle(row).visibility !== 'hidden') act(row)
    else if (frames > 0) whenDrawn(item, act, frames - 1)
  })
}

const holdsItem = (row: Row, id: string): boolean => row.key === id || (row.kind === 'work' && row.calls.some(({ item }) => item.id === id))

function Bones({ label }: { label: string }): ReactNode {
  return (
    <div className={styles['bones']} role="status">
      <span className="hidden-visually">{label}</span>
      {[0, 1, 2].map((bone) => (
        <div key={bone} className="skeleton" />
      ))}
    </div>
  )
}

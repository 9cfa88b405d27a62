import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { DialogTree } from '../tree/dialog-tree.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './dialog-list.module.css'
import { dialogPages } from './dialog-pages.ts'
import { useLate } from './use-late.ts'

export function DialogList(): ReactNode {
  const words = useWords()
  const [search, setSearch] = useState('')
  const settled = useSettled(search.trim())
  const pages = useMemo(() => dialogPages(settled), [settled])
  const { value, error } = useRefreshing(pages)
  // While a new search is on its way, what was found before stays.
  const deferred = useDeferredValue(useLast(value))
  const isSlow = useLate(value === null, 200)
  useMinutes()

  return (
    <div className={styles['list']}>
      <div className={styles['head']}>
        <Link href="/c/new" className="button" data-kind="main">
          <Icon name="plus" />
          {words.app.newChat}
        </Link>
        <div className={styles['search']}>
          <Icon name="search" />
          <input
            id="dialog-search"
            className="field"
            type="search"
            value={search}
            placeholder={words.list.search}
            aria-label={words.list.search}
            dir="auto"
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      </div>
      {error && (
        <div className={styles['note']} role="alert">
          <p>
            {words.list.failed} {error.message}
          </p>
          <button type="button" className="button" onClick={pages.refresh}>
            {words.list.retry}
          </button>
        </div>
      )}
      {deferred === null && isSlow && !error && <Skeleton label={words.list.loading} />}
      {deferred !== null && deferred.items.length === 0 && <Empty search={settled} />}
      {deferred !== null && deferred.items.length > 0 && (
        <DialogTree roots={deferred.items}>
          {deferred.hasMore && (
            <button type="button" className="button" data-kind="quiet" onClick={pages.more}>
              {words.list.more}
            </button>
          )}
        </DialogTree>
      )}
    </div>
  )
}

function Empty({ search }: { search: string }): ReactNode {
  const words = useWords()
  if (search !== '') return <p className={styles['note']}>{words.list.noneFound(search)}</p>
  return (
    <div className={styles['note']}>
      <p>{words.list.empty}</p>
      <Link href="/c/new">{words.list.emptyNext}</Link>
    </div>
  )
}

function Skeleton({ label }: { label: string }): ReactNode {
  return (
    <div className={styles['bones']} role="status">
      <span className="hidden-visually">{label}</span>
      {[0, 1, 2, 3].map((bone) => (
        <div key={bone} className="skeleton" />
      ))}
    </div>
  )
}

function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}

/** The text after typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Ages grow while nothing else happens. */
function useMinutes(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
}

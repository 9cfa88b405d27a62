import { type ReactNode, useEffect, useState } from 'react'
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
  const { value: list, error } = useRefreshing(dialogPages)
  const isSlow = useLate(list === null, 200)
  const isArchive = list?.isArchive ?? false
  useMinutes()

  return (
    <div className={styles['list']}>
      {isArchive ? (
        <button type="button" className={`button ${styles['shelf']}`} data-kind="quiet" onClick={() => dialogPages.show(false)}>
          <Icon name="back" />
          {words.list.backToChats}
        </button>
      ) : (
        <h2 className={styles['label']}>{words.app.chats}</h2>
      )}
      {error && (
        <div className={styles['note']} role="alert">
          <p>
            {words.list.failed} {error.message}
          </p>
          <button type="button" className="button" onClick={dialogPages.refresh}>
            {words.list.retry}
          </button>
        </div>
      )}
      {list === null && isSlow && !error && <Skeleton label={words.list.loading} />}
      {list !== null && list.items.length === 0 && (
        <>
          {isArchive ? <p className={styles['note']}>{words.list.noneArchived}</p> : <Empty />}
          {!isArchive && <ArchiveButton />}
        </>
      )}
      {list !== null && list.items.length > 0 && (
        <DialogTree roots={list.items}>
          {list.hasMore && (
            <button type="button" className="button" data-kind="quiet" onClick={dialogPages.more}>
              {words.list.more}
            </button>
          )}
          {!isArchive && !list.hasMore && <ArchiveButton />}
        </DialogTree>
      )}
    </div>
  )
}

function ArchiveButton(): ReactNode {
  const words = useWords()
  return (
    <button type="button" className={`button ${styles['shelf']}`} data-kind="quiet" onClick={() => dialogPages.show(true)}>
      <Icon name="archive" />
      {words.list.archived}
    </button>
  )
}

function Empty(): ReactNode {
  const words = useWords()
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

/** Ages grow while nothing else happens. */
function useMinutes(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
}

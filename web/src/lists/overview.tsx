import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { AllButtons } from '../tree/all-buttons.tsx'
import { useWords } from '../words/use-words.ts'
import { InboxRow } from './inbox-row.tsx'
import { useLeavingRows } from './leaving-rows.ts'
import styles from './overview.module.css'
import { useLate } from './use-late.ts'

/** Everything that waits for a person, over all dialogs and chat apps. */
export function Overview(): ReactNode {
  const words = useWords()
  const { value, error } = useRefreshing(inbox)
  const isSlow = useLate(value === null, 200)
  const rows = useLeavingRows(value)
  return (
    <div className={styles['overview']}>
      <h1>
        {words.inbox.title}
        {value !== null && value.count > 0 && <span>{value.count}</span>}
      </h1>
      <div className={styles['acts']}>
        <AllButtons />
        <Link href="/chats" className="button" data-kind="quiet">
          <Icon name="chats" />
          {words.chats.title}
        </Link>
      </div>
      {error && (
        <p role="alert">
          {words.inbox.failed} {error.message}
        </p>
      )}
      {value === null && isSlow && !error && (
        <div role="status">
          <span className="hidden-visually">{words.inbox.loading}</span>
          <div className="skeleton" />
        </div>
      )}
      {rows !== null && rows.length === 0 && (
        <div className={styles['empty']}>
          <p>{words.inbox.empty}</p>
          <p>{words.inbox.emptyNext}</p>
        </div>
      )}
      {rows !== null && rows.length > 0 && (
        <ul className={styles['rows']}>
          {rows.map(({ key, item, goneAt }) => (
            <InboxRow key={key} item={item} isGone={goneAt !== null} />
          ))}
        </ul>
      )}
    </div>
  )
}

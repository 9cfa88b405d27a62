import { lazy, type ReactNode, Suspense } from 'react'
import { isOperator, useReader } from '../link/reader.ts'
import { inbox, serverInfo, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { AllButtons } from '../tree/all-buttons.tsx'
import { useWords } from '../words/use-words.ts'
import { InboxRow } from './inbox-row.tsx'
import { inboxGroups } from './inbox-rows.ts'
import { useLeavingRows } from './leaving-rows.ts'
import list from '../parts/list-page.module.css'
import styles from './overview.module.css'
import { useLate } from './use-late.ts'

const ApprovalRow = lazy(async () => ({ default: (await import('../approvals/index.tsx')).ApprovalRow }))

/** Everything that waits for a person, over all dialogs and chat apps. */
export function Overview(): ReactNode {
  const words = useWords()
  const reader = useReader()
  const { value, error } = useRefreshing(inbox)
  const isSlow = useLate(value === null, 200)
  const rows = useLeavingRows(value)
  return (
    <div className={list['page']}>
      <div className={styles['head']}>
        <h1>{words.inbox.title}</h1>
        {isOperator(reader) && (
          <span className={styles['acts']}>
            <AllButtons />
          </span>
        )}
      </div>
      {isOperator(reader) && <Problems />}
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
          <svg viewBox="0 0 92 92" aria-hidden="true">
            <circle cx="46" cy="46" r="46" />
            <path d="M46 18A28 28 0 0 1 18 46V18Z" />
            <path d="M46 18A28 28 0 0 0 74 46V18Z" />
            <path d="M46 74A28 28 0 0 0 18 46V74Z" />
            <path d="M46 74A28 28 0 0 1 74 46V74Z" />
          </svg>
          <h2>{words.inbox.empty}</h2>
          <p>{words.inbox.emptyNext}</p>
        </div>
      )}
      {rows !== null && rows.length > 0 && (
        <>
          <h2 className={styles['group']}>
            {words.status.waiting}
            {value !== null && value.count > 0 && <span className={styles['count']}>{value.count}</span>}
          </h2>
          <ul className={styles['rows']}>
            {inboxGroups(rows).map((group) =>
              'row' in group ? (
                <InboxRow key={group.key} item={group.row.item} isGone={group.row.goneAt !== null} />
              ) : (
                <li
                  key={group.key}
                  className={styles['row']}
                  data-kind="approval"
                  data-gone={group.approvals.every(({ isGone }) => isGone) || undefined}
                >
                  <Suspense fallback={<p role="status">{words.approval.loading}</p>}>
                    <ApprovalRow rows={group.approvals} />
                  </Suspense>
                </li>
              ),
            )}
          </ul>
        </>
      )}
    </div>
  )
}

/** More would hide what waits for the person. */
const shownProblems = 5

/** Problems of the configuration and of models. */
function Problems(): ReactNode {
  const words = useWords()
  const problems = useRefreshing(serverInfo).value?.problems ?? []
  if (problems.length === 0) return null
  return (
    <section className={styles['problems']} aria-labelledby="problems" data-part="problems">
      <h2 id="problems">
        <Icon name="warn" />
        {words.problems.title}
      </h2>
      <ul>
        {problems.slice(0, shownProblems).map((problem) => (
          <li key={problem} dir="auto">
            {problem}
          </li>
        ))}
      </ul>
      <p>{words.problems.next}</p>
    </section>
  )
}

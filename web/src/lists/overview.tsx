import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Inbox, QuestionView } from '../../../src/client/wire.ts'
import { questionsIn } from '../../../src/client/questions-in.ts'
import { authorOf } from '../chat/author.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './overview.module.css'
import { AllButtons } from '../tree/all-buttons.tsx'
import { QuickAnswers, quickOptions } from './quick-answers.tsx'
import { useLate } from './use-late.ts'

/** Everything that waits for a person, over all dialogs. */
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
          {rows.map(({ question, goneAt }) => (
            <InboxRow key={question.id} question={question} isGone={goneAt !== null} />
          ))}
        </ul>
      )}
    </div>
  )
}

function InboxRow({ question, isGone }: { question: QuestionView; isGone: boolean }): ReactNode {
  const words = useWords()
  const times = useTimes()
  return (
    <li className={styles['row']} data-gone={isGone || undefined}>
      <div>
        <p className={styles['text']} dir="auto">
          {question.ask.text || question.ask.items[0]?.text}
        </p>
        <p className={styles['from']}>
          <bdi>{authorOf({ kind: 'agent', name: question.agent }, words)}</bdi> · <bdi>{question.dialogTitle || words.list.untitled}</bdi> ·{' '}
          <time dateTime={new Date(question.askedAt).toISOString()}>{times.age(question.askedAt)}</time>
        </p>
      </div>
      {isGone ? (
        <p className={styles['from']}>{words.inbox.gone}</p>
      ) : (
        <>
          <QuickAnswers question={question} />
          <Link href={`/c/${question.dialog}`} className="button" data-kind={quickOptions(question).length > 0 ? 'quiet' : undefined}>
            {words.inbox.open}
          </Link>
        </>
      )}
    </li>
  )
}

type LeavingRow = { question: QuestionView; goneAt: number | null }

const leavesAfterMs = 5_000

/** A question answered elsewhere greys out where it stands and leaves a little later: nothing jumps under the pointer. */
function useLeavingRows(waiting: Inbox | null): LeavingRow[] | null {
  const [shown, setShown] = useState<LeavingRow[] | null>(null)
  useEffect(() => {
    if (waiting !== null) setShown((before) => withOpen(before ?? [], questionsIn(waiting), Date.now()))
  }, [waiting])
  const first =
    shown?.reduce<number | null>((least, { goneAt }) => (goneAt === null ? least : Math.min(least ?? goneAt, goneAt)), null) ?? null
  useEffect(() => {
    if (first === null) return
    const timer = setTimeout(
      () => setShown((before) => before?.filter(({ goneAt }) => goneAt !== first) ?? null),
      first + leavesAfterMs - Date.now(),
    )
    return () => clearTimeout(timer)
  }, [first])
  return shown
}

function withOpen(before: LeavingRow[], open: QuestionView[], now: number): LeavingRow[] {
  const ids = new Set(open.map(({ id }) => id))
  const kept = before.map(({ question, goneAt }) => ({ question, goneAt: ids.has(question.id) ? null : (goneAt ?? now) }))
  const known = new Set(kept.map(({ question }) => question.id))
  return [...open.filter(({ id }) => !known.has(id)).map((question) => ({ question, goneAt: null })), ...kept]
}

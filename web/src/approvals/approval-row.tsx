import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import { handleName } from '../chat/author.ts'
import { approvalEnd } from '../chat/outcome-words.ts'
import { client } from '../link/page-client.ts'
import { Age } from '../lists/place.tsx'
import list from '../lists/overview.module.css'
import { useWords } from '../words/use-words.ts'
import { ApprovalBatch } from './approval-batch.tsx'
import { approvalTitle } from './approval-title.ts'
import styles from './approval.module.css'
import { visibleTitle } from './visible-characters.ts'
import { useApprovalWords } from './approval-words.ts'

type Row = { question: QuestionView; isGone: boolean }

/** The approvals of one turn in the inbox, whole: they can be decided here. */
export function ApprovalRow({ rows }: { rows: readonly Row[] }): ReactNode {
  const words = useWords()
  const own = useApprovalWords()
  const open = rows.filter(({ isGone }) => !isGone).map(({ question }) => question)
  const first = rows[0]?.question
  if (!first) return null
  const title = visibleTitle(first.dialogTitle) || words.list.untitled
  return (
    <div className={styles['row']}>
      <p className={list['from']}>
        {words.approval.kind} · <bdi>{handleName(first.agent)}</bdi> ·{' '}
        {first.isDialogClosed ? (
          <bdi>{title}</bdi>
        ) : (
          <Link href={`/c/${first.dialog}`}>
            <bdi>{title}</bdi>
          </Link>
        )}{' '}
        · <Age at={first.askedAt} />
      </p>
      {first.isDialogClosed && <p className={styles['soft']}>{own.dialogClosed}</p>}
      {rows
        .filter(({ isGone }) => isGone)
        .map(({ question }) => (
          <Decided key={question.id} question={question} />
        ))}
      <ApprovalBatch questions={open} isFetched onSending={() => undefined} />
    </div>
  )
}

/** Decided a moment ago, here or elsewhere: the row says by whom before it leaves. */
function Decided({ question }: { question: QuestionView }): ReactNode {
  const words = useWords()
  const [end, setEnd] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    client.questions.get(question.id, { signal: abort.signal }).then(
      (now) => setEnd(approvalEnd(now, words)),
      () => undefined,
    )
    return () => abort.abort()
  }, [question.id, words])
  return (
    <p className={styles['decided']} role="status">
      <span dir="auto">{approvalTitle(question, words)}</span> <strong>{end ?? words.inbox.gone.question}</strong>
    </p>
  )
}

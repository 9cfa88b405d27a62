import { type ReactNode, useId } from 'react'
import { handleName } from '../chat/author.ts'
import { ApprovalItem } from './approval-item.tsx'
import { type ApprovalQuestion, offeredDecisions } from './approval-texts.ts'
import styles from './approval.module.css'
import { type OnSending, useDecision } from './use-decision.ts'
import { useReader } from '../link/reader.ts'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import { useApprovalWords } from './approval-words.ts'

type BatchProps = {
  questions: readonly ApprovalQuestion[]
  /** The questions are as the server shows them to this reader. */
  isFetched: boolean
  id?: string
  onSending: OnSending
}

/**
 * Every approval of one turn: all once, none, or each. The frame stays when only one is left, so that what a person has typed
 * there stays too.
 */
export function ApprovalBatch({ questions, isFetched, id, onSending }: BatchProps): ReactNode {
  const own = useApprovalWords()
  // Without the reader's role a button could be offered and withdrawn a moment later.
  const isKnown = useRefreshing(serverInfo).value !== null && isFetched
  const title = useId()
  const reader = useReader()
  const [first] = questions
  if (!first) return null
  const isSingle = questions.length === 1
  // A list without buttons is scrolled with the keyboard only when it can have the focus itself.
  const isReadOnly = !isSingle && questions.every((question) => offeredDecisions(question, reader).length === 0)
  const role = isSingle ? 'none' : undefined
  return (
    <section
      id={isSingle ? undefined : id}
      className={styles['batch']}
      data-single={isSingle || undefined}
      tabIndex={isSingle ? undefined : -1}
      role={role}
      aria-labelledby={isSingle ? undefined : title}
    >
      {!isSingle && (
        <h2 id={title}>
          <bdi>{own.batch(handleName(first.agent), questions.length)}</bdi>
        </h2>
      )}
      <ol className={styles['items']} role={role} tabIndex={isReadOnly ? 0 : undefined}>
        {questions.map((question, index) => (
          <li key={question.id} role={role}>
            <ApprovalItem
              question={question}
              isKnown={isKnown}
              heading={isSingle ? 'h2' : 'h3'}
              onSending={onSending}
              {...(isSingle ? (id === undefined ? {} : { id }) : { place: own.each(index + 1, questions.length) })}
            />
          </li>
        ))}
      </ol>
      {isKnown && !isSingle && <AllButtons questions={questions} titleId={title} onSending={onSending} />}
    </section>
  )
}

function AllButtons({
  questions,
  titleId,
  onSending,
}: {
  questions: readonly ApprovalQuestion[]
  titleId: string
  onSending: OnSending
}): ReactNode {
  const own = useApprovalWords()
  const reader = useReader()
  const { isSending, sent, problem, decide } = useDecision(onSending)
  // Texts that a person may be changing are allowed one by one, with those changes.
  const hasTexts = questions.some(({ approval }) => (approval?.shown.texts ?? []).length > 0)
  const isOffered = (decision: 'once' | 'deny'): boolean =>
    !(hasTexts && decision === 'once') && questions.every((question) => offeredDecisions(question, reader).includes(decision))
  const isIrreversible = questions.some(({ approval }) => approval?.irreversible)
  if (sent !== null) return <p className={styles['sent']}>{own.sent(sent)}</p>
  if (!isOffered('once') && !isOffered('deny')) return null
  const allow = isOffered('once') && (
    <button
      type="button"
      className="button"
      data-kind={isIrreversible ? 'bad' : 'main'}
      aria-disabled={isSending}
      onClick={() => void decide(questions, { decision: 'once' })}
    >
      {own.allOnce(questions.length)}
    </button>
  )
  const deny = isOffered('deny') && (
    <button type="button" className="button" aria-disabled={isSending} onClick={() => void decide(questions, { decision: 'deny' })}>
      {own.denyAll}
    </button>
  )
  return (
    <div className={styles['all']}>
      {problem !== null && (
        <p className={styles['problem']} role="alert" dir="auto">
          {problem}
        </p>
      )}
      <div className={styles['acts']} role="group" aria-labelledby={titleId}>
        {isIrreversible && deny}
        {allow}
        {!isIrreversible && deny}
      </div>
    </div>
  )
}

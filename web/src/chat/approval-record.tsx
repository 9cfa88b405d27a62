import type { ReactNode } from 'react'
import type { QuestionItemView } from '../../../src/client/index.ts'
import { withVisibleCharacters } from '../approvals/visible-characters.ts'
import { Icon } from '../look/icon.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './log-row.module.css'
import { approvalRecord, getHeading } from './outcome-words.ts'

/** Where an approval was asked: the call, who decided what and when, and on demand everything that was shown. */
export function ApprovalRecord({ item, onShowCard }: { item: QuestionItemView; onShowCard(): void }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const { approval, state } = item
  const isDenied = approval?.decision === 'deny'
  const isWithdrawn = state !== 'answered' && item.closed?.why !== 'covered'
  const callText = approval && withVisibleCharacters(approval.shown.text)
  const [firstLine = ''] = (approval?.shown.kind === 'run' ? (callText ?? '') : '').split('\n')
  return (
    <article
      id={`row-${item.id}`}
      tabIndex={-1}
      className={styles['asked']}
      data-state={state}
      aria-label={`${words.approval.kind}, ${times.clock(item.at)}`}
      data-part="approval"
    >
      <p className={styles['askedText']}>
        <Icon name={state === 'open' ? 'question' : isWithdrawn ? 'stop' : isDenied ? 'close' : 'check'} />
        {firstLine === '' ? (
          <span dir="auto">{getHeading(item, words)}</span>
        ) : (
          <code className={styles['command']} dir="ltr">
            {firstLine}
          </code>
        )}
      </p>
      {approval?.note !== undefined && (
        <p className={styles['reason']} dir="auto">
          {approval.note}
        </p>
      )}
      <p className={styles['outcome']}>
        {state === 'open' || !item.closed ? (
          <button type="button" className={styles['link']} onClick={onShowCard}>
            {words.question.goToCard}
          </button>
        ) : (
          approvalRecord(item, words, times)
        )}
      </p>
      {state !== 'open' && callText !== undefined && callText !== '' && (
        <details className={styles['was']}>
          <summary>{words.approval.whatWasShown}</summary>
          <pre dir="ltr" tabIndex={0} role="region" aria-label={words.approval.whatWasShown}>
            {callText}
          </pre>
        </details>
      )}
    </article>
  )
}

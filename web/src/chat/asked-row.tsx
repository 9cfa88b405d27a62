import { lazy, type ReactNode, Suspense, useContext } from 'react'
import { describeAnswer, type QuestionItemView } from '../../../src/client/index.ts'
import { Icon } from '../look/icon.tsx'
import { LanguageContext, useTimes, useWords } from '../words/use-words.ts'
import { toAuthor } from './author.ts'
import { outcomeWords } from './outcome-words.ts'
import styles from './log-row.module.css'

const ApprovalRecord = lazy(async () => ({ default: (await import('./approval-record.tsx')).ApprovalRecord }))

/** The place in the log where something was asked, with what became of it. */
export function AskedRow({ item, onShowCard }: { item: QuestionItemView; onShowCard(): void }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const language = useContext(LanguageContext)
  if (item.isApproval)
    return (
      <Suspense>
        <ApprovalRecord item={item} onShowCard={onShowCard} />
      </Suspense>
    )
  const agent = toAuthor(item.by, words)
  const text = item.ask.text || item.ask.items[0]?.text || ''
  return (
    <article
      id={`row-${item.id}`}
      tabIndex={-1}
      className={styles['asked']}
      data-state={item.state}
      aria-label={`${words.question.asks(agent)}, ${times.clock(item.at)}`}
      data-part="asked"
    >
      <p className={styles['askedText']}>
        <Icon name={item.state === 'open' ? 'question' : 'check'} />
        <span dir="auto">{text}</span>
      </p>
      {item.closed?.answers && (
        <dl className={styles['answers']}>
          {item.ask.items.map((part) => {
            const answerText = describeAnswer(part, item.closed?.answers?.[part.id] ?? '', language)
            return (
              <div key={part.id}>
                {item.ask.items.length > 1 && <dt dir="auto">{part.text}</dt>}
                {item.ask.items.length === 1 && <dt className="hidden-visually">{part.text}</dt>}
                <dd dir="auto">{answerText}</dd>
              </div>
            )
          })}
        </dl>
      )}
      {item.closed?.reason && (
        <p className={styles['reason']} dir="auto">
          {item.closed.reason}
        </p>
      )}
      <p className={styles['outcome']}>
        {item.state === 'open' || !item.closed ? (
          <button type="button" className={styles['link']} onClick={onShowCard}>
            {words.question.goToCard}
          </button>
        ) : (
          outcomeWords(item.state, item.closed, words, times)
        )}
      </p>
    </article>
  )
}

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
  const outcome = item.state === 'open' || !item.closed ? null : outcomeWords(item.state, item.closed, words, times)
  const isOpen = outcome === null
  return (
    <article
      id={`row-${item.id}`}
      tabIndex={-1}
      className={styles['asked']}
      data-state={item.state}
      data-mine={item.closed?.answers ? true : undefined}
      aria-label={`${words.question.asks(agent)}, ${times.clock(item.at)}`}
      data-part="asked"
    >
      {item.closed?.answers ? (
        <dl className={`${styles['bubble']} ${styles['answers']}`}>
          {item.ask.items.map((part) => (
            <div key={part.id}>
              <dt dir="auto">{item.ask.items.length > 1 ? part.text : text}</dt>
              <dd dir="auto">{describeAnswer(part, item.closed?.answers?.[part.id] ?? '', language)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles['askedText']}>
          <Icon name="question" />
          {isOpen ? (
            // While it is open, its words are in the card and nowhere else.
            <button type="button" className={styles['link']} onClick={onShowCard}>
              {words.question.goToCard}
            </button>
          ) : (
            <span dir="auto">{text}</span>
          )}
        </p>
      )}
      {item.closed?.reason && (
        <p className={styles['reason']} dir="auto">
          {item.closed.reason}
        </p>
      )}
      {!isOpen && <p className={styles['outcome']}>{outcome}</p>}
    </article>
  )
}

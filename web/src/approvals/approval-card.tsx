import { type ReactNode, useEffect, useRef } from 'react'
import type { QuestionItemView } from '../../../src/client/index.ts'
import { handleName } from '../chat/author.ts'
import cardStyles from '../chat/question-card.module.css'
import { Icon } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { useWords } from '../words/use-words.ts'
import { ApprovalBatch } from './approval-batch.tsx'
import styles from './approval.module.css'
import { useApprovals } from './use-approvals.ts'

type CardProps = {
  dialog: string
  agent: string
  items: readonly QuestionItemView[]
  /** Among other cards of the dialog. */
  place: { at: number; all: number; next(): void } | null
  onNotNow(): void
  onSending(question: string, isMine: boolean): void
  onShowAsked(question: string): void
}

/** The approvals of one turn, between log and composer. It never takes the focus by itself: a letter typed a moment too late must not allow anything. */
export function ApprovalCard({ dialog, agent, items, place, onNotNow, onSending, onShowAsked }: CardProps): ReactNode {
  const words = useWords()
  const card = useRef<HTMLDivElement>(null)
  const { questions, isFetched } = useApprovals({ dialog, agent }, items)
  const [first] = items
  const isForOthers = items.every(({ approval }) => approval?.shown.text === '')
  useFocusInside(card, items.length)
  if (!first) return null
  return (
    <div ref={card} className={`${cardStyles['card']} ${styles['card']}`} data-shrinks>
      <header className={cardStyles['head']}>
        <Tile name={agent} size={22} isYourTurn={!isForOthers} />
        <p className={cardStyles['who']}>
          <bdi>{isForOthers ? words.status.approval : words.approval.asks(handleName(agent))}</bdi>
        </p>
        {first.seq > 0 && (
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-shape="icon"
            aria-label={words.question.goToAsked}
            title={words.question.goToAsked}
            onClick={() => onShowAsked(first.id)}
          >
            <Icon name="up" />
          </button>
        )}
        {place && (
          <button type="button" className="button" data-kind="quiet" onClick={place.next}>
            {words.question.several(place.at, place.all)}
          </button>
        )}
        <button type="button" className="button" data-kind="quiet" onClick={onNotNow}>
          {words.question.notNow}
        </button>
      </header>
      <ApprovalBatch id="question-card" questions={questions} isFetched={isFetched} onSending={onSending} />
    </div>
  )
}

/** A decided item leaves with the focus in it: the focus stays in the card, and goes to the message field with the last one. */
function useFocusInside(card: { readonly current: HTMLElement | null }, count: number): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    const element = card.current
    const note = (event: FocusEvent): void => {
      hadFocus.current = event.type === 'focusin'
    }
    element?.addEventListener('focusin', note)
    element?.addEventListener('focusout', note)
    return () => {
      element?.removeEventListener('focusin', note)
      element?.removeEventListener('focusout', note)
    }
  }, [card])
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      document.getElementById('question-card')?.focus({ preventScroll: true })
  }, [count])
  useEffect(
    () => () => {
      if (hadFocus.current)
        requestAnimationFrame(
          () => document.activeElement === document.body && document.getElementById('composer')?.focus({ preventScroll: true }),
        )
    },
    [],
  )
}

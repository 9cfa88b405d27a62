import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { DialogView, QuestionItemView } from '../../../src/client/index.ts'
import { drafts } from '../keep/drafts.ts'
import { Icon } from '../look/icon.tsx'
import { FoldedQuestion } from './folded-question.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import { groupQuestions } from '../approvals/group-questions.ts'
import { approvalEnd, getHeading, outcomeWords } from './outcome-words.ts'
import { QuestionCard } from './question-card.tsx'
import styles from './question-card.module.css'
import { UndoAnswers } from './undo-answer.tsx'

const undoSeconds = 6

const ApprovalCard = lazy(async () => ({ default: (await import('../approvals/index.tsx')).ApprovalCard }))

type AreaProps = { dialog: string; view: DialogView; isOpen: boolean; onOpen(isOpen: boolean): void; onShowAsked(question: string): void }

/** Between log and composer, so that it cannot scroll away. One card at a time; the others wait behind it. */
export function QuestionArea({ dialog, view, isOpen, onOpen, onShowAsked }: AreaProps): ReactNode {
  const words = useWords()
  const { questions } = view
  const [chosen, setChosen] = useState<string | null>(null)
  const cards = groupQuestions(questions)
  const card = cards.find(({ key }) => key === chosen) ?? cards[0]
  const current = card?.questions[0]
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const { closed, forget } = useClosedElsewhere(view, current, mine)
  useFocusOnNew(dialog, current, isOpen, onOpen)

  const undo = <UndoAnswers view={view} />
  if (!card || !current)
    return (
      <>
        {undo}
        {closed && <ClosedNote item={closed} onClose={forget} />}
      </>
    )
  const at = cards.indexOf(card)
  const place =
    cards.length > 1 ? { at: at + 1, all: cards.length, next: () => setChosen(cards[(at + 1) % cards.length]?.key ?? null) } : null
  const fold = (): void => {
    onOpen(false)
    document.getElementById('composer')?.focus()
  }
  const noteSending = (question: string, isMine: boolean): void =>
    setMine((before) => (isMine ? before.union(new Set([question])) : before.difference(new Set([question]))))
  if (!isOpen) {
    const folded = current.isApproval ? getHeading(current, words) : current.ask.text || current.ask.items[0]?.text
    return (
      <>
        {undo}
        <FoldedQuestion agent={current.by.name} text={folded ?? ''} count={questions.length} onOpen={() => onOpen(true)} />
      </>
    )
  }
  return (
    <>
      {undo}
      {closed && <ClosedNote item={closed} onClose={forget} />}
      {current.isApproval ? (
        <Suspense>
          <ApprovalCard
            key={card.key}
            dialog={dialog}
            agent={view.agent}
            items={card.questions}
            place={place}
            onNotNow={fold}
            onSending={noteSending}
            onShowAsked={onShowAsked}
          />
        </Suspense>
      ) : (
        <QuestionCard
          key={current.id}
          question={current}
          place={place}
          onNotNow={fold}
          onSending={(isMine) => noteSending(current.id, isMine)}
          onShowAsked={() => onShowAsked(current.id)}
          undoSeconds={undoSeconds}
        />
      )}
    </>
  )
}

/** A question that another person closed shows who and when instead of disappearing. */
function useClosedElsewhere(
  view: DialogView,
  current: QuestionItemView | undefined,
  mine: ReadonlySet<string>,
): { closed: QuestionItemView | null; forget(): void } {
  const [seen, setSeen] = useState<string | null>(null)
  const [forgotten, setForgotten] = useState<string | null>(null)
  const last = useRef<string | null>(null)
  useEffect(() => {
    const was = last.current
    last.current = current?.id ?? null
    if (was !== null && was !== current?.id) setSeen(was)
  }, [current?.id])
  const closed =
    view.items.find((item): item is QuestionItemView => item.kind === 'question' && item.id === seen && item.closed !== null) ?? null
  return { closed: closed && !mine.has(closed.id) && closed.id !== forgotten ? closed : null, forget: () => setForgotten(seen) }
}

function isFree(dialog: string): boolean {
  const active = document.activeElement
  const writesNothing = active === null || active === document.body || (active.id === 'composer' && drafts.get(dialog).trim() === '')
  return writesNothing && !document.querySelector('dialog[open]')
}

/** A new question takes the focus unless the person is writing; an approval never does, because its keys decide. */
function useFocusOnNew(dialog: string, current: QuestionItemView | undefined, isOpen: boolean, onOpen: (isOpen: boolean) => void): void {
  const before = useRef<string | undefined>(undefined)
  const question = current?.id
  const isApproval = current?.isApproval === true
  useEffect(() => {
    if (question === undefined || question === before.current) return
    before.current = question
    if (!isOpen) onOpen(true)
    if (isApproval) return
    // Looked at again in the frame: on a slow machine it comes late, and the person may have begun to write by then.
    if (isFree(dialog))
      requestAnimationFrame(() => isFree(dialog) && document.getElementById('question-card')?.focus({ preventScroll: true }))
  }, [dialog, question, isApproval, isOpen, onOpen])
}

function ClosedNote({ item, onClose }: { item: QuestionItemView; onClose(): void }): ReactNode {
  const words = useWords()
  const times = useTimes()
  if (item.state === 'open' || !item.closed) return null
  return (
    <div className={styles['closed']} role="status">
      <p>
        <strong className={styles['gone']} dir="auto">
          {item.isApproval ? getHeading(item, words) : item.ask.text || item.ask.items[0]?.text}
        </strong>
        <span>{(item.isApproval && approvalEnd(item, words)) || outcomeWords(item.state, item.closed, words, times)}</span>
      </p>
      <button type="button" className="button" data-kind="quiet" data-shape="icon" aria-label={words.app.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}

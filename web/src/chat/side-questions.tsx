import { type ReactNode, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { DialogSummary, QuestionView } from '../../../src/shapes/wire.ts'
import { ApprovalBatch } from '../approvals/approval-batch.tsx'
import { groupQuestions } from '../approvals/group-questions.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { useTrees } from '../tree/tree-store.ts'
import { FoldedQuestion } from './folded-question.tsx'
import { QuestionCard } from './question-card.tsx'
import styles from './question-card.module.css'

/** Questions of the side dialogs that this dialog waits for: they can be answered here. */
export function SideQuestions({ view }: { view: DialogView }): ReactNode {
  const { byDialog } = useTrees()
  const items = useRefreshing(inbox).value?.items ?? []
  const [isOpen, setOpen] = useState(true)
  const below = listBelow(view.pending, byDialog)
  const questions = items.flatMap((item): QuestionView[] =>
    item.kind === 'question' && below.has(item.question.dialog) ? [item.question] : [],
  )
  const cards = groupQuestions(questions)
  const [chosen, setChosen] = useState<string | null>(null)
  const card = cards.find(({ key }) => key === chosen) ?? cards[0]
  const first = card?.questions[0]
  if (!card || !first) return null
  if (!isOpen)
    return (
      <FoldedQuestion
        agent={first.agent}
        text={first.ask.text || (first.ask.items[0]?.text ?? '')}
        count={questions.length}
        onOpen={() => setOpen(true)}
      />
    )
  if (first.approval) {
    return (
      <div className={styles['card']} data-shrinks>
        <ApprovalBatch id="question-card" questions={card.questions} isFetched onSending={() => undefined} />
      </div>
    )
  }
  const at = cards.indexOf(card)
  const { id, ask, agent, expiresAt, audience } = first
  return (
    <QuestionCard
      key={id}
      question={{ id, ask, by: { kind: 'agent', name: agent }, expiresAt, seq: 0, ...(audience && { audience }) }}
      place={
        cards.length > 1 ? { at: at + 1, all: cards.length, next: () => setChosen(cards[(at + 1) % cards.length]?.key ?? null) } : null
      }
      onNotNow={() => setOpen(false)}
      onSending={() => undefined}
    />
  )
}

/** Side dialogs that are waited for, and those which they wait for. */
function listBelow(pending: DialogSummary['pending'], byDialog: ReadonlyMap<string, DialogSummary>): Set<string> {
  const below = new Set(pending.map(({ to }) => to))
  for (const dialog of below) for (const { to } of byDialog.get(dialog)?.pending ?? []) below.add(to)
  return below
}

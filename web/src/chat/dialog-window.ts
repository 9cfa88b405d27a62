import { type DialogView, emptyView, viewOfAll } from '../../../src/client/index.ts'
import type { DialogDetail, EventView, QuestionView } from '../../../src/client/wire.ts'

/** The last part of a dialog's log, and where it begins. A long dialog is never read from its start. */
export type DialogWindow = { detail: DialogDetail; start: number; events: readonly EventView[] }

/** Enough for fifty messages with what happens around them; a turn is never longer. */
export const windowEvents = 300

export const windowOf = (detail: DialogDetail): DialogWindow => ({ detail, start: Math.max(0, detail.head - windowEvents), events: [] })

/** What was asked or begun before the window is known from the detail: it counts, although its place is not shown. */
export function firstView({ detail, start }: DialogWindow): DialogView {
  if (start === 0) return emptyView
  const runs = detail.status === 'working' || detail.status === 'stopping'
  // The emergency stop is on no log of a dialog; the page knows it from elsewhere.
  const ownStop = detail.status === 'stopped' && detail.stop?.in ? detail.stop : undefined
  const questions = detail.questions.filter((question) => question.state === 'open').map(earlierQuestion)
  return {
    ...emptyView,
    seq: start,
    agent: detail.agent,
    language: detail.language,
    title: detail.title,
    questions,
    status: detail.status,
    stop: ownStop ?? null,
    origin: detail.origin,
    course: detail.course,
    pending: detail.pending,
    reminders: detail.reminders,
    health: detail.health,
    fold: {
      ...emptyView.fold,
      exists: true,
      turn: runs ? detail.turns : null,
      latch: ownStop?.in === detail.id,
      held: ownStop !== undefined && ownStop.in !== detail.id,
      questions: Object.fromEntries(questions.map(({ id }) => [id, 0])),
      pending: Object.fromEntries(detail.pending.map(({ tellask }) => [tellask, { call: null, seq: 0 }])),
    },
  }
}

const earlierQuestion = ({ id, agent, ask, askedAt, expiresAt, approval, audience }: QuestionView): DialogView['questions'][number] => ({
  kind: 'question',
  id,
  seq: 0,
  at: askedAt,
  by: { kind: 'agent', name: agent },
  ask,
  expiresAt,
  isApproval: approval !== undefined,
  ...(approval ? { approval } : {}),
  ...(audience ? { audience } : {}),
  state: 'open',
  closed: null,
})

/** Folds a window anew, after earlier events were put before it. */
export function viewOfWindow(window: DialogWindow): DialogView {
  const view = viewOfAll(firstView(window), window.events)
  // A question of the detail that was asked inside the window is there twice: the log's own counts.
  return view.questions.some(({ seq }) => seq === 0) ? { ...view, questions: withoutTwins(view.questions) } : view
}

export function withoutTwins(questions: DialogView['questions']): DialogView['questions'] {
  const placed = new Set(questions.filter(({ seq }) => seq > 0).map(({ id }) => id))
  return questions.filter(({ id, seq }) => seq > 0 || !placed.has(id))
}

import { type DialogState, initialDialog, type OpenQuestion } from '../dialogs/rules/dialog-state.ts'
import type { PendingTellask } from '../dialogs/rules/tellask.ts'
import type { DialogDetail, QuestionView } from '../shapes/wire.ts'
import { type DialogView, emptyView } from './dialog-view.ts'
import { stateFields } from './state-fields.ts'

/** The view before the first event of a page that does not begin at the start of the log. `seq` is the number of the event before it. */
export function earlierView(detail: DialogDetail, seq: number): DialogView {
  const fold = earlierState(detail, seq)
  const questions = detail.questions.filter(({ state }) => state === 'open').map(questionItem)
  return { ...emptyView, ...stateFields(detail.id, fold), seq, fold, questions, status: detail.status }
}

/**
 * The state before the first event of a page, as far as the server's summary of the dialog tells it. Questions and requests
 * from before the page count, so that their answers and replies later on are understood.
 */
function earlierState(detail: DialogDetail, seq: number): DialogState {
  const isRunning = detail.status === 'working' || detail.status === 'stopping'
  // The emergency stop is in no log of a dialog; the page reads it elsewhere.
  const stop = detail.status === 'stopped' && detail.stop?.in ? detail.stop : null
  const isOwn = stop?.in === detail.id
  const turn = { turn: detail.turns, startedAt: 0, generations: 0, seen: null, generatedSeq: 0, failures: 0, alone: null }
  return {
    ...initialDialog,
    seq,
    agent: detail.agent,
    language: detail.language,
    title: detail.title,
    titledBy: 'human',
    turns: detail.turns,
    origin: detail.origin,
    course: detail.course,
    turn: isRunning ? turn : null,
    latch: stop && isOwn ? { by: stop.by, via: null, at: stop.at } : null,
    held: stop && !isOwn ? { by: stop.by, dialog: stop.in, at: stop.at } : null,
    questions: Object.fromEntries(detail.questions.filter(({ state }) => state === 'open').map((view) => [view.id, openQuestion(view)])),
    undoable: Object.fromEntries(
      detail.questions.flatMap((view) => {
        if (view.closed?.undoUntil === undefined) return []
        const { undoUntil: until, ...closed } = view.closed
        const by = { kind: 'human' as const, name: closed.by ?? '' }
        return [[view.id, { asked: openQuestion(view), end: { outcome: 'answered' as const, ...closed }, by, until }]]
      }),
    ),
    pending: Object.fromEntries(detail.pending.map((request) => [request.tellask, earlierRequest(request, detail.course)])),
    reminders: detail.reminders.map(({ id, text }) => ({ reminder: id, text })),
    arePushesOff: detail.pushes?.isOn === false,
    taskdoc: detail.taskdoc ?? null,
    model: detail.model ?? null,
    health: detail.health,
  }
}

const openQuestion = ({ id, agent, ask, askedAt, expiresAt, audience }: QuestionView): OpenQuestion => ({
  question: id,
  turn: null,
  call: null,
  ask,
  by: { kind: 'agent', name: agent },
  askedAt,
  seq: 0,
  expiresAt,
  audience: { kind: 'owner' },
  audienceNames: audience?.names ?? [],
  cause: null,
  approval: null,
  keysGiven: [],
  refusedIds: [],
})

/** Its call is unknown, so a reply settles it at once. */
const earlierRequest = (request: DialogDetail['pending'][number], course: number): PendingTellask => ({
  ...request,
  call: `earlier ${request.tellask}`,
  mode: 'session',
  content: '',
  course,
  seq: 0,
})

const questionItem = ({ id, agent, ask, askedAt, expiresAt, approval, audience }: QuestionView): DialogView['questions'][number] => ({
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

import type { AnswerInput, ParleyClient } from '../client/index.ts'
import { ClientError } from '../client/index.ts'
import type { QuestionView } from '../client/wire.ts'
import { fill } from '../authority/authority-words.ts'
import { withVisibleCharacters } from '../authority/visible-text.ts'
import { type ApprovalQuestion, approvalLines, endLine, hasApproval, offeredIn } from './approval-words.ts'
import { askChoice, askText, type Option } from './ask.ts'
import { refusalOf } from './live-talk.ts'
import type { Terminal } from './terminal.ts'

/** Answers an approval. One that ended meanwhile is refused with the name of the person who decided, or the reason. */
export async function decide(
  client: ParleyClient,
  question: string,
  given: AnswerInput,
  terminal: Terminal,
  key?: string,
): Promise<QuestionView> {
  try {
    return await client.questions.answer(question, given, key === undefined ? {} : { key })
  } catch (error) {
    if (!(error instanceof ClientError) || (error.code !== 'already_answered' && error.code !== 'question_closed')) throw error
    const message = endLine(await client.questions.get(question), terminal.words)
    throw message === null ? error : refusalOf({ code: error.code, message, hint: error.hint })
  }
}

/** Open approvals, those of one turn together, oldest first. */
export function groupApprovals(questions: readonly QuestionView[]): ApprovalQuestion[][] {
  const groups = new Map<string, ApprovalQuestion[]>()
  for (const question of questions.filter(hasApproval).toSorted((a, b) => a.askedAt - b.askedAt)) {
    if (question.state !== 'open') continue
    const { turn } = question.approval
    const name = turn === null ? question.id : `${question.dialog} ${turn}`
    groups.set(name, [...(groups.get(name) ?? []), question])
  }
  return [...groups.values()]
}

export type Decided = { question: ApprovalQuestion; answer: AnswerInput }

/** Shows the approvals of one turn whole and asks for decisions. Null when the person put it off; nothing is sent then. */
export async function askDecisions(
  terminal: Terminal,
  group: readonly ApprovalQuestion[],
  signal?: AbortSignal,
): Promise<Decided[] | null> {
  const { words, errPaint } = terminal
  const [first] = group
  if (!first) return []
  if (group.length === 1) return one(first)
  terminal.warn(errPaint.bold(fill(words.approvals.shared.title.batch, { agent: first.agent, n: group.length })))
  for (const question of group) terminal.warn(...approvalLines(question, words, errPaint))
  const all = await askChoice(terminal, words.approvals.decideWith, batchOptions(), signal)
  if (all === null) return null
  if (all !== 'each') return group.map((question) => ({ question, answer: { decision: all === 'once' ? 'once' : 'deny' } }))
  const decided: Decided[] = []
  for (const question of group) {
    const next = await one(question)
    if (next === null) return decided.length > 0 ? decided : null
    decided.push(...next)
  }
  return decided

  async function one(question: ApprovalQuestion): Promise<Decided[] | null> {
    terminal.warn(...approvalLines(question, words, errPaint))
    const answer = await askDecision(terminal, question, signal)
    return answer === null ? null : [{ question, answer }]
  }

  function batchOptions(): Option[] {
    const canAllow = group.every(({ approval }) => !approval.shown.isCut)
    return [
      ...(canAllow ? [{ value: 'once', label: words.approvals.allOnce }] : []),
      { value: 'none', label: words.approvals.denyAll },
      { value: 'each', label: words.approvals.each },
    ]
  }
}

const withNote = 'deny-with-note'

async function askDecision(terminal: Terminal, question: ApprovalQuestion, signal?: AbortSignal): Promise<AnswerInput | null> {
  const { approvals } = terminal.words
  const { actions } = approvals.shared
  const offered = offeredIn(question.ask).filter((decision) => decision === 'deny' || !question.approval.shown.isCut)
  const options: Option[] = offered.map((decision) => ({ value: decision, label: actions[decision] }))
  const chosen = await askChoice(terminal, approvals.decideWith, [...options, { value: withNote, label: actions.denyWithNote }], signal)
  if (chosen === null) return null
  if (chosen === withNote) {
    const note = await askText(terminal, approvals.askNote, undefined, signal)
    return note === null ? null : { decision: 'deny', note }
  }
  const decision = offered.find((one) => one === chosen) ?? 'deny'
  if (decision !== 'always') return { decision }
  const scope = await askScope(terminal, question, signal)
  return scope === null ? null : { decision, ...scope }
}

export const whereText = (where: Readonly<Record<string, string>>): string =>
  Object.entries(where)
    .map(([field, value]) => `${field}=${value}`)
    .join(' ')

/** The proposed scopes, and one of the person's own. Parts of the call that it does not cover get the first one proposed. */
async function askScope(
  terminal: Terminal,
  { agent, approval: { proposals } }: ApprovalQuestion,
  signal?: AbortSignal,
): Promise<Pick<AnswerInput, 'scope' | 'where'> | null> {
  const { approvals } = terminal.words
  const [first = [], ...rest] = proposals
  const also = rest.flatMap(([best]) => (best ? [best.text] : []))
  if (also.length > 0) terminal.warn(`  ${approvals.alsoAllowed(also.join(approvals.list))}`)
  const options = first.map(({ text, where }, at) => ({
    value: String(at),
    label: withVisibleCharacters(text),
    ...(where ? { hint: withVisibleCharacters(whereText(where)) } : {}),
  }))
  const chosen = await askChoice(
    terminal,
    approvals.pickScope(agent),
    [...options, { value: 'other', label: approvals.otherScope }],
    signal,
  )
  if (chosen === null) return null
  if (chosen === 'other') {
    const scope = await askText(terminal, approvals.askScope, first[0]?.text, signal)
    return scope === null ? null : { scope }
  }
  const picked = first[Number(chosen)]
  return picked ? { scope: picked.text, ...(picked.where ? { where: picked.where } : {}) } : {}
}

import type { AnswerInput, ParleyClient } from '../client/index.ts'
import { ClientError } from '../client/index.ts'
import type { QuestionView } from '../shapes/wire.ts'
import { fill } from '../authority/authority-words.ts'
import { withVisibleCharacters } from '../authority/visible-text.ts'
import { type ApprovalQuestion, approvalLines, endLine, hasApproval, offeredIn, scopeText, whereText } from './approval-words.ts'
import { askChoiceOrNotNow, askText, type MenuContext, type Option } from './ask.ts'
import { toRefusal } from './live-talk.ts'
import type { Terminal } from './terminal.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

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
    throw message === null ? error : toRefusal({ code: error.code, message, hint: error.hint })
  }
}

/** Open approvals, those of one turn together, oldest first. Ids of one moment sort in the order of the calls. */
export function groupApprovals(questions: readonly QuestionView[]): ApprovalQuestion[][] {
  const groups = new Map<string, ApprovalQuestion[]>()
  for (const question of questions.filter(hasApproval).toSorted((a, b) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1))) {
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
  context?: MenuContext,
): Promise<Decided[] | null> {
  const { words, errPaint } = terminal
  const [first] = group
  if (!first) return []
  if (group.length === 1) return one(first)
  terminal.warn(errPaint.bold(fill(words.approvals.shared.title.batch, { agent: first.agent, n: group.length })))
  for (const question of group) terminal.warn(...approvalLines(question, words, errPaint))
  const all = await askChoiceOrNotNow(terminal, words.approvals.decideWith, batchOptions(), context)
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
    const answer = await askDecision(terminal, question, context)
    return answer === null ? null : [{ question, answer }]
  }

  function batchOptions(): Option[] {
    const canAllow = group.every(({ approval }) => !approval.shown.isCut)
    return [
      ...(canAllow ? [{ value: 'once', label: words.approvals.allOnce(group.length) }] : []),
      { value: 'none', label: words.approvals.denyAll },
      { value: 'each', label: words.approvals.decideEach },
    ]
  }
}

const withNote = 'deny-with-note'
const editFirst = 'edit-first'

async function askDecision(terminal: Terminal, question: ApprovalQuestion, context?: MenuContext): Promise<AnswerInput | null> {
  const { approvals } = terminal.words
  const { actions } = approvals.shared
  const offered = offeredIn(question.ask).filter((decision) => decision === 'deny' || !question.approval.shown.isCut)
  const covered = question.approval.proposals
    .flatMap(([best]) => (best ? [[scopeText(best), ...contentNote(best, approvals)].join(' · ')] : []))
    .join(approvals.list)
  const options: Option[] = offered.map((decision) => ({
    value: decision,
    label: actions[decision],
    ...(decision === 'chat' && covered !== '' ? { hint: covered } : {}),
  }))
  const chosen = await askChoiceOrNotNow(
    terminal,
    approvals.decideWith,
    [
      ...options,
      ...(canEdit(question) ? [{ value: editFirst, label: approvals.editFirst }] : []),
      { value: withNote, label: actions.denyWithNote },
    ],
    context,
  )
  if (chosen === null) return null
  if (chosen === editFirst) {
    const edits = await askEdits(terminal, question, context)
    return edits === null ? null : { decision: 'once', ...(Object.keys(edits).length > 0 ? { edits } : {}) }
  }
  if (chosen === withNote) {
    const note = await askText(terminal, approvals.askNote, undefined, context?.signal)
    return note === null ? null : { decision: 'deny', note }
  }
  const decision = offered.find((one) => one === chosen) ?? 'deny'
  if (decision !== 'always') return { decision }
  const scope = await askScope(terminal, question, context)
  return scope === null ? null : { decision, ...scope }
}

const canEdit = ({ ask, approval: { shown, keys } }: ApprovalQuestion): boolean =>
  (shown.texts ?? []).length > 0 && keys === 1 && !shown.isCut && offeredIn(ask).includes('once')

/** Asks for each text, with the agent's words to start from. Null when the person put it off; unchanged texts are left out. */
async function askEdits(
  terminal: Terminal,
  { approval: { shown } }: ApprovalQuestion,
  context?: MenuContext,
): Promise<Record<string, string> | null> {
  const edits: Record<string, string> = {}
  for (const { field, text } of shown.texts ?? []) {
    const typed = await askText(terminal, terminal.words.approvals.texts[field] ?? field, text, context?.signal)
    if (typed === null) return null
    if (typed !== text) edits[field] = typed
  }
  return edits
}

/** The proposed scopes, and one of the person's own. Parts of the call that it does not cover get the first one proposed. */
async function askScope(
  terminal: Terminal,
  { agent, approval: { proposals } }: ApprovalQuestion,
  context?: MenuContext,
): Promise<Pick<AnswerInput, 'scope' | 'where'> | null> {
  const { approvals } = terminal.words
  const [first = [], ...rest] = proposals
  const also = rest.flatMap(([best]) => (best ? [best.text] : []))
  if (also.length > 0) terminal.warn(`  ${approvals.alsoAllowed(also.join(approvals.list))}`)
  const options = first.map((proposal, at) => {
    const { text, where } = proposal
    const hint = [...(where ? [withVisibleCharacters(whereText(where))] : []), ...contentNote(proposal, approvals)].join(' · ')
    return { value: String(at), label: withVisibleCharacters(text), ...(hint === '' ? {} : { hint }) }
  })
  const chosen = await askChoiceOrNotNow(
    terminal,
    approvals.pickScope(agent),
    [...options, { value: 'other', label: approvals.otherScope }],
    context,
  )
  if (chosen === null) return null
  if (chosen === 'other') {
    const scope = await askText(terminal, approvals.askScope, first[0]?.text, context?.signal)
    return scope === null ? null : { scope }
  }
  const picked = first[Number(chosen)]
  return picked ? { scope: picked.text, ...(picked.where ? { where: picked.where } : {}) } : {}
}

const contentNote = ({ anyContent }: { anyContent?: true }, words: TerminalWords['approvals']): string[] =>
  anyContent ? [words.anyContent] : []

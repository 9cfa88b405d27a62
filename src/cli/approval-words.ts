import { withVisibleCharacters } from '../authority/visible-text.ts'
import { fill } from '../authority/authority-words.ts'
import type { ApprovalDecision } from '../authority/audience.ts'
import type { ApprovalView, QuestionView } from '../client/wire.ts'
import { coveredReason } from '../dialog/approval.ts'
import { labelled } from './labelled.ts'
import { oneLine, plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import type { Words } from './words/index.ts'

/** A question whose view has everything an approver sees. */
export type ApprovalQuestion = QuestionView & { approval: ApprovalView }

/** The parts of an approval that its lines are made of; an event of the log has the same ones as a view. */
export type ShownApproval = Pick<ApprovalView, 'shown' | 'because' | 'requesters' | 'keys' | 'keysGiven'> &
  Partial<Pick<ApprovalView, 'isChanged' | 'isInterrupted' | 'irreversible' | 'offersWorkspace'>>

/** In the inbox a longer call is cut, and then only reading it whole and denying it are offered. */
export const approvalLineLimits = { inboxLines: 20, inboxChars: 2_000 } as const

/** False for a caller who may not decide and therefore does not get to see the call. */
export const hasApproval = (question: QuestionView): question is ApprovalQuestion =>
  question.approval !== undefined && !question.approval.isHidden

export const isApproval = ({ approval }: Pick<QuestionView, 'approval'>): boolean => approval !== undefined

function titleOf(agent: string, { kind, target, server }: ApprovalView['shown'], words: Words): string {
  const names = { agent, path: target, target, tool: target, server }
  return withVisibleCharacters(fill(words.approvals.shared.title[kind], names)).replaceAll('\n', ' ')
}

/** Title, facts and all bytes of a call. Invisible characters are written out, so no line can hide or move another one. */
export function callLines(title: string, approval: ShownApproval, words: Words, paint: Paint, mostLines = Infinity): string[] {
  const { shown, keys, isChanged, isInterrupted, irreversible, offersWorkspace } = approval
  const { approvals } = words
  const text = withVisibleCharacters(shown.text).split('\n')
  const warnings = [
    ...(isChanged ? [fill(approvals.shared.status.changed, { tool: shown.target }), approvals.isChanged] : []),
    ...(isInterrupted ? [approvals.isInterrupted] : []),
    ...(irreversible ? [approvals.isIrreversible] : []),
    ...(shown.isCut ? [approvals.isCut] : []),
  ]
  return [
    `${paint.yellow('?')} ${paint.bold(title)}`,
    `  ${factsLine(approval, words)}`,
    ...shown.facts.map(({ label, value }) => `  ${paint.dim(`${line(label)}${words.colon}`)}${line(value)}`),
    ...text.slice(0, mostLines).map((one) => `  ${paint.dim('│')} ${one}`),
    ...(text.length > mostLines ? [`  ${paint.dim(approvals.moreLines(text.length - mostLines))}`] : []),
    ...warnings.map((warning) => `  ${paint.yellow(`! ${line(warning)}`)}`),
    ...(offersWorkspace ? [`  ${paint.dim(approvals.offersWorkspace)}`] : []),
    ...(keys > 1 ? [`  ${keysLine(approval, words)}`] : []),
  ]
}

const keysLine = ({ keys, keysGiven }: Pick<ApprovalView, 'keys' | 'keysGiven'>, { approvals }: Words): string =>
  fill(approvals.shared.status.keys, { k: keysGiven.length, n: keys, names: keysGiven.map(oneLine).join(approvals.list) || '–' })

export const approvalLines = (
  { agent, approval }: Pick<ApprovalQuestion, 'agent' | 'approval'>,
  words: Words,
  paint: Paint,
  mostLines?: number,
): string[] => callLines(titleOf(agent, approval.shown, words), approval, words, paint, mostLines)

const line = (text: string): string => withVisibleCharacters(text).replaceAll('\n', ' ')

/** "Requested by {name} ({role}, {surface}). Reason: {why}." for each person behind the call. */
function factsLine({ requesters, because }: ShownApproval, words: Words): string {
  const { shared, list } = words.approvals
  const [before = '', after = ''] = shared.facts.split(/\{name\} ?[(（]\{role\}[,，] ?\{surface\}[)）]/)
  const people = requesters.map(({ id, name, role }) => {
    const surface = surfaceOf(id)
    const facts = [shared.roles[role], ...(surface === '' ? [] : [surface])]
    return words.colon === '：' ? `${line(name)}（${facts.join('，')}）` : `${line(name)} (${facts.join(', ')})`
  })
  const why = line(because).replace(/[.。]$/, '')
  return `${before}${people.join(list) || '–'}${fill(after, { why })}`
}

/** Ids of people and tokens name no chat app. */
function surfaceOf(id: string): string {
  const [surface = ''] = id.split(':', 1)
  return surface === 'person' ? '' : line(surface)
}

/** The commands that decide, with the decisions that are offered. */
export function decisionLines(question: ApprovalQuestion, words: Words, paint: Paint): string[] {
  const allow = allowCommand(question)
  return [
    ...(allow === null ? [] : [`  ${labelled(words.approvals.decideWith, paint.cyan(allow))}`]),
    `  ${labelled(words.approvals.orDeny, paint.dim(denyCommand(question.id)))}`,
  ]
}

/** Null when the call can only be denied. */
export function allowCommand({ id, ask, approval }: QuestionView): string | null {
  if (approval?.shown.isCut) return null
  return `parley approve ${id} ${offeredIn(ask)
    .filter((decision) => decision !== 'deny')
    .map((decision) => `--${decision}`)
    .join('|')}`
}

export const denyCommand = (id: string): string => `parley deny ${id} --note '…'`

/** Decisions in the order of the card. */
export function offeredIn(ask: QuestionView['ask']): ApprovalDecision[] {
  const [item] = ask.items
  const known: readonly ApprovalDecision[] = ['once', 'chat', 'always', 'deny']
  return item?.kind === 'choice' ? item.options.flatMap(({ value }) => known.find((decision) => decision === value) ?? []) : [...known]
}

export const approvalWithCommands = (question: ApprovalQuestion, words: Words, paint: Paint): string[] => [
  ...approvalLines(question, words, paint),
  ...decisionLines(question, words, paint),
]

/** As the inbox shows it: a long call is cut there, so it has to be opened before it can be allowed. */
export function approvalInList(question: ApprovalQuestion, words: Words, paint: Paint): string[] {
  const { text } = question.approval.shown
  const isWhole = text.length <= approvalLineLimits.inboxChars && text.split('\n').length <= approvalLineLimits.inboxLines
  if (isWhole) return approvalWithCommands(question, words, paint)
  const shown = { ...question.approval.shown, text: `${text.slice(0, approvalLineLimits.inboxChars)}…` }
  return [
    ...approvalLines({ agent: question.agent, approval: { ...question.approval, shown } }, words, paint, approvalLineLimits.inboxLines),
    `  ${labelled(words.approvals.openWith, paint.cyan(`parley approve ${question.id}`))}`,
    `  ${labelled(words.approvals.orDeny, paint.dim(denyCommand(question.id)))}`,
  ]
}

/** "Waiting for {name} to approve.", for people who may not decide. */
export const waitingLine = (question: Pick<QuestionView, 'approval'>, words: Words): string =>
  fill(words.approvals.shared.status.requester, { name: approverNames(question, words) })

export const approverNames = ({ approval }: Pick<QuestionView, 'approval'>, words: Words): string =>
  approval?.names.map((name) => (name === 'owner' ? words.theOwner : oneLine(name))).join(words.approvals.list) || words.theOwner

/** Why a decision came too late; null while it is open. */
export function endLine({ state, approval, closed }: QuestionView, words: Words): string | null {
  const { shared, covered, withdrawn } = words.approvals
  if (state === 'open' || closed === null) return null
  const isOwner = closed.by === null || closed.by === 'owner'
  const name = isOwner ? words.theOwner : oneLine(closed.by ?? '')
  const first = isOwner ? name.charAt(0).toUpperCase() + name.slice(1) : name
  if (state === 'answered') return fill(shared.status.late, { name: first, decision: decisionName(approval?.decision ?? 'once', words) })
  if (state === 'declined') return fill(shared.status.late, { name: first, decision: decisionName('deny', words) })
  if (closed.reason === 'stopped') return shared.status.stopped
  return closed.reason === coveredReason ? covered : withdrawn(name)
}

export const decisionName = (decision: ApprovalDecision, words: Words): string => words.approvals.shared.actions[decision].replace(/…$/, '')

/** The outcome of a decision that was taken. */
export function decidedLine(question: QuestionView, words: Words): string {
  const { approval } = question
  if (question.state === 'open' && approval) return keysLine(approval, words)
  const note = approval?.note === undefined ? '' : ` ${plainText(approval.note)}`
  return `${words.approvals.decided[approval?.decision ?? 'deny']}${note}`
}

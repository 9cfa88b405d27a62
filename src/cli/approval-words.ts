import { withVisibleCharacters } from '../authority/visible-text.ts'
import { requestSentence } from '../authority/request-sentence.ts'
import { fill } from '../authority/authority-words.ts'
import { factInWords } from '../authority/shown-fact.ts'
import { grantLimits } from '../authority/grants.ts'
import type { ApprovalDecision } from '../authority/audience.ts'
import type { ApprovalView, QuestionView } from '../shapes/wire.ts'
import { listOptions } from '../dialogs/rules/question.ts'
import { type Language, languages } from '../shapes/language.ts'
import { commandName } from './command-name.ts'
import { labelled } from './labelled.ts'
import { oneLine, plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import { becauseWords } from '../words/page-parts.ts'
import type { TerminalWords } from '../words/en/terminal.ts'

/** A question whose view has everything an approver sees. */
export type ApprovalQuestion = QuestionView & { approval: ApprovalView }

/** The parts of an approval that its lines are made of; an event of the log has the same ones as a view. */
export type ShownApproval = Pick<ApprovalView, 'shown' | 'because' | 'reason' | 'requesters' | 'keys' | 'keysGiven'> &
  Partial<Pick<ApprovalView, 'isChanged' | 'isInterrupted' | 'irreversible' | 'offersWorkspace'>>

/** In the inbox a longer call is cut, and then only reading it whole and denying it are offered. */
export const approvalLineLimits = { inboxLines: 20, inboxChars: 2_000 } as const

/** False for a caller who may not decide and therefore does not get to see the call. */
export const hasApproval = (question: QuestionView): question is ApprovalQuestion =>
  question.approval !== undefined && !question.approval.isHidden

export const isApproval = ({ approval }: Pick<QuestionView, 'approval'>): boolean => approval !== undefined

function getTitle(agent: string, { kind, target, server }: ApprovalView['shown'], words: TerminalWords): string {
  const names = { agent, path: target, target, tool: target, server }
  return withVisibleCharacters(fill(words.approvals.shared.title[kind], names)).replaceAll('\n', ' ')
}

/** Title, facts and all bytes of a call. Invisible characters are written out, so no line can hide or move another one. */
export function callLines(title: string, approval: ShownApproval, words: TerminalWords, paint: Paint, mostLines = Infinity): string[] {
  const { shown, keys, isChanged, isInterrupted, irreversible, offersWorkspace } = approval
  const { approvals } = words
  const text = withVisibleCharacters(shown.text).split('\n')
  const warnings = [
    ...(isChanged ? [fill(approvals.shared.status.changed, { tool: shown.target })] : []),
    ...(isInterrupted ? [approvals.interrupted] : []),
    ...(irreversible ? [approvals.irreversible] : []),
    ...(shown.isCut ? [approvals.tooLarge] : []),
  ]
  return [
    `${paint.yellow('?')} ${paint.bold(title)}`,
    `  ${factsLine(approval, words)}`,
    ...shown.facts
      .map((fact) => factInWords(fact, approvals.shared.shown))
      .map(({ label, value }) => `  ${paint.dim(`${line(label)}${words.colon}`)}${line(value)}`),
    ...text.slice(0, mostLines).map((one) => `  ${paint.dim('│')} ${one}`),
    ...(text.length > mostLines ? [`  ${paint.dim(approvals.moreLines(text.length - mostLines))}`] : []),
    ...((shown.texts ?? []).length > 0 && keys === 1
      ? [`  ${paint.dim(approvals.editWith((shown.texts ?? []).map(({ field }) => field).join(approvals.list)))}`]
      : []),
    ...warnings.map((warning) => `  ${paint.yellow(`! ${line(warning)}`)}`),
    ...(offersWorkspace ? [`  ${paint.dim(approvals.offersWorkspace)}`] : []),
    ...(keys > 1 ? [`  ${keysLine(approval, words)}`] : []),
  ]
}

const keysLine = ({ keys, keysGiven }: Pick<ApprovalView, 'keys' | 'keysGiven'>, { approvals }: TerminalWords): string =>
  fill(approvals.shared.status.keys, { k: keysGiven.length, n: keys, names: keysGiven.map(oneLine).join(approvals.list) || '–' })

export const approvalLines = (
  { agent, approval }: Pick<ApprovalQuestion, 'agent' | 'approval'>,
  words: TerminalWords,
  paint: Paint,
  mostLines?: number,
): string[] => callLines(getTitle(agent, approval.shown, words), approval, words, paint, mostLines)

const line = (text: string): string => withVisibleCharacters(text).replaceAll('\n', ' ')

function factsLine(approval: ShownApproval, words: TerminalWords): string {
  const { language } = words
  return requestSentence(approval, { ...becauseWords[language], ...words.approvals }, language, { name: line, text: line })
}

/** The commands that decide, one on each line, as they can be run. */
export const decisionLines = (question: ApprovalQuestion, words: TerminalWords, paint: Paint): string[] => [
  `  ${words.approvals.decideWith}`,
  ...allowCommands(question).map((command) => `    ${paint.cyan(command)}`),
  `    ${paint.dim(denyCommand(question.id))}`,
]

/** None when the call can only be denied. */
const allowCommands = ({ id, ask, approval }: QuestionView): string[] =>
  approval?.shown.isCut
    ? []
    : offeredIn(ask)
        .filter((decision) => decision !== 'deny')
        .map((decision) => `${commandName} approve ${id} --${decision}`)

const denyCommand = (id: string): string => `${commandName} deny ${id}`

/** The least of the decisions that are offered, and the denial. */
export const decisionCommands = (question: QuestionView): { answerWith: string; denyWith: string } => {
  const denyWith = denyCommand(question.id)
  return { answerWith: allowCommands(question).toSorted(onceFirst)[0] ?? denyWith, denyWith }
}

const onceFirst = (a: string, b: string): number => Number(b.endsWith('--once')) - Number(a.endsWith('--once'))

/** Decisions in the order of the card. */
export function offeredIn(ask: QuestionView['ask']): ApprovalDecision[] {
  const [item] = ask.items
  const decisions: readonly ApprovalDecision[] = ['once', 'chat', 'always', 'deny']
  const options = listOptions(item)
  return options.length > 0 ? options.flatMap(({ value }) => decisions.find((decision) => decision === value) ?? []) : [...decisions]
}

export const approvalWithCommands = (question: ApprovalQuestion, words: TerminalWords, paint: Paint): string[] => [
  ...approvalLines(question, words, paint),
  ...decisionLines(question, words, paint),
]

/** As the inbox shows it: a long call is cut there, so it has to be opened before it can be allowed. */
export function approvalInList(question: ApprovalQuestion, words: TerminalWords, paint: Paint): string[] {
  const { text } = question.approval.shown
  const isWhole = text.length <= approvalLineLimits.inboxChars && text.split('\n').length <= approvalLineLimits.inboxLines
  if (isWhole) return approvalWithCommands(question, words, paint)
  const shortened = { ...question.approval.shown, text: `${text.slice(0, approvalLineLimits.inboxChars)}…` }
  return [
    ...approvalLines(
      { agent: question.agent, approval: { ...question.approval, shown: shortened } },
      words,
      paint,
      approvalLineLimits.inboxLines,
    ),
    `  ${labelled(words.approvals.openWith, paint.cyan(`${commandName} approve ${question.id}`))}`,
    `  ${labelled(words.approvals.orDeny, paint.dim(denyCommand(question.id)))}`,
  ]
}

/** "Waiting for {name} to approve.", for people who may not decide. */
export const waitingLine = (question: Pick<QuestionView, 'approval'>, words: TerminalWords): string =>
  fill(words.approvals.shared.status.requester, { name: approverNames(question, words) })

export const approverNames = ({ approval }: Pick<QuestionView, 'approval'>, words: TerminalWords): string =>
  approval?.names.map((name) => (name === 'owner' ? words.theOwner : oneLine(name))).join(words.approvals.list) || words.theOwner

/** Why a decision came too late; null while it is open. */
export function endLine({ state, approval, closed }: QuestionView, words: TerminalWords): string | null {
  const { shared, covered, withdrawn } = words.approvals
  if (state === 'open' || closed === null) return null
  const isOwner = closed.by === null || closed.by === 'owner'
  const name = isOwner ? words.theOwner : oneLine(closed.by ?? '')
  const first = isOwner ? name.charAt(0).toUpperCase() + name.slice(1) : name
  if (state === 'answered') return fill(shared.status.late, { name: first, decision: decisionName(approval?.decision ?? 'once', words) })
  if (state === 'declined') return fill(shared.status.late, { name: first, decision: decisionName('deny', words) })
  if (closed.why === 'stopped' || closed.why === 'dead') return shared.status.stopped
  return closed.why === 'covered' ? covered : withdrawn(name)
}

export const decisionName = (decision: ApprovalDecision, words: TerminalWords): string =>
  words.approvals.shared.actions[decision].replace(/…$/, '')

/** Fields and values of a scope, such as `order=17 euros=20`. */
export const whereText = (where: Readonly<Record<string, string>>): string =>
  Object.entries(where)
    .map(([field, value]) => `${field}=${value}`)
    .join(' ')

export const scopeText = ({ text, where }: { text: string; where?: Readonly<Record<string, string>> }): string =>
  line(where && Object.keys(where).length > 0 ? `${text} ${whereText(where)}` : text)

/** The grants a decision made, with the end that counts, and the calls elsewhere that they allowed. */
export function grantedLines({ approval }: QuestionView, { approvals }: TerminalWords, language: Language): string[] {
  const day = new Intl.DateTimeFormat(languages[language].locale, { dateStyle: 'medium', timeStyle: 'short' })
  const also = approval?.alsoAllowed ?? 0
  return [
    ...(approval?.grants ?? []).flatMap(({ scope, where, dialog, until, isShortened }) => [
      approvals.granted(
        scopeText({ text: scope, ...(where ? { where } : {}) }),
        dialog === null ? approvals.allDialogs : approvals.thisDialog,
        day.format(until),
      ),
      ...(isShortened ? [approvals.shortened(dialog === null ? grantLimits.alwaysDays : grantLimits.dialogDays)] : []),
    ]),
    ...(also > 0 ? [approvals.allowedElsewhere(also)] : []),
  ]
}

/** The outcome of a decision that was taken. */
export function decidedLine(question: QuestionView, words: TerminalWords): string {
  const { approval } = question
  if (question.state === 'open' && approval) return keysLine(approval, words)
  const note = approval?.note === undefined ? '' : words.approvals.withNote(plainText(approval.note))
  return `${words.approvals.decided[approval?.decision ?? 'deny']}${note}`
}

import { approvalTitle } from '../authority/approval-title.ts'
import type { ApprovalDecision } from '../authority/audience.ts'
import { fill, type Language, words } from '../authority/authority-words.ts'
import { becauseText } from '../authority/because-text.ts'
import type { Because } from '../authority/decision.ts'
import { grantEnd } from '../authority/grants.ts'
import type { ScopeProposal } from '../authority/proposals.ts'
import { isAtMost, type Role } from '../authority/roles.ts'
import type { ApprovalView, QuestionView } from '../client/wire.ts'
import { approvalItem } from '../dialog/approval.ts'
import type { MessagePresentationBlock, MessagePresentationButton } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { approvalWords, nameList, surfaceName } from './approval-words.ts'
import { escapeMarkdown, fenced, oneLine, shownLimits, shownName, shownPieces } from './shown-pieces.ts'

/** A question that asks for an approval. */
export type ApprovalQuestion = QuestionView & { approval: ApprovalView }

export const isApprovalQuestion = (view: QuestionView | undefined): view is ApprovalQuestion => view?.approval !== undefined

/**
 * What a card offers at the moment.
 *
 * | mode   | below the calls                                   |
 * |--------|---------------------------------------------------|
 * | decide | the decisions; for several calls all, none, each  |
 * | scopes | the proposed scopes of "Always allow…"            |
 * | note   | the decisions, and how to write the note          |
 * | each   | nothing: each call has a card of its own below    |
 */
export type CardMode = 'decide' | 'scopes' | 'note' | 'each'

export type ApprovalCard = {
  agent: string
  language: Language
  questions: readonly ApprovalQuestion[]
  mode: CardMode
  /** Title of the dialog, where the reader is not in it. */
  elsewhere: string | null
  /** The surface each requester wrote by, by their id. */
  surfaces: Readonly<Record<string, string>>
  /** The facts of the gate's reason, and the lowest role whose text the agent has read. */
  judged: (question: string) => { reason?: Because | undefined; role?: Role | undefined }
  /** What this reader may decide, in order. */
  offered: (question: string) => readonly ApprovalDecision[]
  /** A reply to the card can be a note: it stands in a private chat. */
  takesNote: boolean
  /** The page that shows the dialog; null where it has no address. */
  pageUrl: string | null
  pieceChars: number
  now: number
}

/** What a tap on a card means; `target` is a question, or the first one of several. */
export type CardTap = { verb: CardVerb; target: string; scope?: number }

const cardVerbs = ['once', 'chat', 'always', 'scope', 'back', 'deny', 'note', 'all', 'none', 'each'] as const
export type CardVerb = (typeof cardVerbs)[number]

const tapValue = (verb: CardVerb, target: string, scope?: number): string =>
  `approval:${verb}${scope === undefined ? '' : `-${scope}`}:${target}`

export function readCardTap(value: string): CardTap | null {
  const [, name, scope, target = ''] = /^approval:([a-z]+)(?:-(\d{1,3}))?:(.+)$/.exec(value) ?? []
  const verb = cardVerbs.find((one) => one === name)
  if (verb === undefined) return null
  return { verb, target, ...(scope === undefined ? {} : { scope: Number(scope) }) }
}

/** An approval, or all of one turn, as an approver gets it in a chat. */
export function approvalMessage(card: ApprovalCard): ReplyPayload {
  const { agent, language, questions, mode, elsewhere } = card
  const [first] = questions
  const isBatch = questions.length > 1
  const open = questions.filter(({ state }) => state === 'open')
  const title = isBatch
    ? fill(words[language].title.batch, { agent: shownName(agent), n: questions.length })
    : first
      ? titleOf(card, first)
      : ''
  const isShort = isBatch && mode === 'each'
  const calls = questions.flatMap((question, index) => [
    ...(isBatch ? [textBlock(`**${index + 1}. ${escapeMarkdown(titleOf(card, question))}**`)] : []),
    ...(question.state !== 'open' ? closedBlocks(card, question, isBatch) : isShort ? [] : callBlocks(card, question)),
  ])
  const [only] = open
  const controls = open.length > 1 ? batchControls(card, open) : only ? singleControls(card, only) : []
  return {
    presentation: {
      title,
      blocks: [
        ...calls,
        ...(elsewhere === null ? [] : [contextBlock(escapeMarkdown(approvalWords[language].inDialog(oneLine(elsewhere))))]),
        ...(isShort && open.length > 0 ? [contextBlock(approvalWords[language].eachBelow)] : controls),
      ],
    },
  }
}

/** The line that requesters and groups see: who decides, and afterwards who decided what. Never what the call is. */
export function waitingMessage(parts: {
  language: Language
  names: readonly string[]
  questions: readonly ApprovalQuestion[]
  agent: string
  elsewhere: string | null
}): ReplyPayload {
  const { language, names, questions, agent, elsewhere } = parts
  const open = questions.filter(({ state }) => state === 'open')
  const keys = Math.max(1, ...open.map(({ approval }) => approval.keys))
  const lines =
    open.length > 0
      ? [
          fill(words[language].status.requester, { name: nameList(names, keys, language) }),
          ...open.flatMap(({ approval }) => keysLine(approval, language)),
        ]
      : questions.map((question) => outcomeText(question, language))
  const text = [...new Set(lines)].map(escapeMarkdown).join('\n')
  const context =
    elsewhere === null
      ? []
      : [contextBlock(escapeMarkdown(`${shownName(agent)} · ${approvalWords[language].inDialog(oneLine(elsewhere))}`))]
  return { presentation: { blocks: [textBlock(text), ...context] } }
}

/** How an approval ended, in one sentence. */
export function outcomeText({ state, closed, approval }: ApprovalQuestion, language: Language): string {
  const own = approvalWords[language]
  const decision = decisionOf({ closed, approval })
  if (state === 'answered' && decision) return own.decided(shownName(closed?.by ?? ''), words[language].actions[decision].replace(/…$/, ''))
  if (closed?.reason === 'covered') return own.covered
  return isStopped(closed?.reason ?? null) ? words[language].status.stopped : own.withdrawn
}

/** What a person is told who taps when it is over; null while it is open. */
export function lateText(question: ApprovalQuestion, language: Language): string | null {
  const { state, closed } = question
  if (state === 'open') return null
  const decision = decisionOf(question)
  if (state !== 'answered' || !decision) return outcomeText(question, language)
  const label = words[language].actions[decision].replace(/…$/, '')
  return fill(words[language].status.late, { name: shownName(closed?.by ?? ''), decision: label })
}

const isStopped = (reason: string | null): boolean => reason === 'stopped' || reason === 'dialog declared dead'

function decisionOf({ closed, approval }: Pick<ApprovalQuestion, 'closed' | 'approval'>): ApprovalDecision | null {
  const decision = approval.decision ?? closed?.answers?.[approvalItem]
  return decision === 'once' || decision === 'chat' || decision === 'always' || decision === 'deny' ? decision : null
}

const textBlock = (text: string): MessagePresentationBlock => ({ type: 'text', text })
const contextBlock = (text: string): MessagePresentationBlock => ({ type: 'context', text })

function titleOf({ agent, language }: ApprovalCard, { approval: { shown } }: ApprovalQuestion): string {
  const { kind, target, server } = shown
  return approvalTitle(shownName(agent), { kind, target: oneLine(target), server: oneLine(server) }, language)
}

/** Whether everything the call does can be read in this chat. */
function isShownWhole({ pieceChars }: ApprovalCard, { approval: { shown } }: ApprovalQuestion): boolean {
  if (shown.isCut || pieceChars < shownLimits.shortestPiece) return false
  return shownPieces(shown.text, pieceChars).length <= shownLimits.pieces
}

function callBlocks(card: ApprovalCard, question: ApprovalQuestion): MessagePresentationBlock[] {
  const { language, pieceChars, agent } = card
  const { approval } = question
  const { shown } = approval
  const own = approvalWords[language]
  const pieces = isShownWhole(card, question) ? shownPieces(shown.text, pieceChars) : null
  const shownBlocks =
    pieces === null
      ? [textBlock(shown.isCut ? own.tooLarge : own.tooLong)]
      : pieces.flatMap(({ text, isSameLine }, index) =>
          text === ''
            ? []
            : [textBlock(`${pieces.length > 1 ? `${own.part(index + 1, pieces.length, isSameLine)}\n` : ''}${fenced(text)}`)],
        )
  const { status } = words[language]
  const { role } = card.judged(question.id)
  const scopes = approval.proposals.flatMap(([best]) => (best ? [scopeText(best, language)] : []))
  const isAlone = card.questions.filter(({ state }) => state === 'open').length === 1
  const offersChat = isAlone && card.mode !== 'scopes' && card.offered(question.id).includes('chat')
  const lines = [
    factsText(card, question),
    ...shown.facts.map(({ label, value }) => `${oneLine(label)}${own.list.colon}${oneLine(value)}`),
    ...(role !== undefined && approval.requesters.every((one) => !isAtMost(one.role, role))
      ? [own.lowestRole(words[language].roles[role])]
      : []),
    ...(approval.isChanged ? [fill(status.changed, { tool: oneLine(approval.tool) })] : []),
    ...(approval.irreversible ? [own.irreversible] : []),
    ...(approval.isInterrupted ? [own.interrupted] : []),
    ...keysLine(approval, language),
    ...(approval.offersWorkspace ? [own.offersWorkspace] : []),
    ...(offersChat && scopes.length > 0 ? [own.chatScope(scopes.join(own.list.separator))] : []),
    ...(card.mode === 'scopes' ? scopeLines(card, approval, shownName(agent)) : []),
    ...(card.mode === 'note' ? [own.writeNote] : []),
  ]
  return [...shownBlocks, textBlock(lines.map(escapeMarkdown).join('\n'))]
}

const closedTextChars = 2_000

function closedBlocks(card: ApprovalCard, question: ApprovalQuestion, isBatch: boolean): MessagePresentationBlock[] {
  const { language } = card
  const { approval, closed } = question
  const [piece] = shownPieces(approval.shown.text, Math.min(closedTextChars, card.pieceChars))
  const isWhole = piece?.text.length === shownPieces(approval.shown.text, Infinity)[0]?.text.length
  const shown = isBatch || !piece || piece.text === '' ? [] : [textBlock(fenced(isWhole ? piece.text : `${piece.text}…`))]
  const decision = decisionOf(question)
  const sign = question.state === 'answered' && decision !== 'deny' ? '✓ ' : ''
  const lines = [
    ...(isBatch ? [] : [factsText(card, question)]),
    `${sign}${outcomeText(question, language)}${closed ? `${language === 'zh' ? '' : ' '}${timeText(closed.at, language)}` : ''}`,
    ...(approval.note === undefined ? [] : [approvalWords[language].note(oneLine(approval.note))]),
  ]
  return [...shown, textBlock(lines.map(escapeMarkdown).join('\n'))]
}

function factsText(
  { language, surfaces, judged }: ApprovalCard,
  { id: question, approval: { requesters, because } }: ApprovalQuestion,
): string {
  const { reason } = judged(question)
  const { roles, facts } = words[language]
  const people = requesters.map(({ id, name, role }) => ({
    name: shownName(name),
    role: roles[role],
    surface: surfaceName(surfaces[id] ?? 'api', language),
  }))
  const last = people.at(-1) ?? { name: 'Parley', role: roles.guest, surface: surfaceName('library', language) }
  const before = people.slice(0, -1).map(({ name, role, surface }) => {
    const inside = language === 'zh' ? `（${role}，${surface}）` : ` (${role}, ${surface})`
    return `${name}${inside}${approvalWords[language].list.separator}`
  })
  return fill(facts, {
    ...last,
    name: `${before.join('')}${last.name}`,
    why: oneLine(reason ? becauseText(reason, language) : because).replace(/[.。]$/, ''),
  })
}

function keysLine({ keys, keysGiven }: ApprovalView, language: Language): string[] {
  if (keys <= 1) return []
  const { separator } = approvalWords[language].list
  const text = fill(words[language].status.keys, { k: keysGiven.length, n: keys, names: keysGiven.map(shownName).join(separator) })
  return [text.replace(/[:：]\s*$/, '')]
}

function scopeText({ text, where, script }: ScopeProposal, language: Language): string {
  const own = approvalWords[language]
  const fields = Object.entries(where ?? {}).map(([field, value]) => `${field}${own.list.colon}${value}`)
  const unchanged = script === undefined ? [] : [own.whileUnchanged(script)]
  const inside = [...fields, ...unchanged].join(own.list.separator)
  return oneLine(inside === '' ? text : language === 'zh' ? `${text}（${inside}）` : `${text} (${inside})`)
}

/** Choices for "Always allow…": the scopes of the one open part of the call, or the best of each where there are several. */
export function scopeChoices({ proposals }: ApprovalView): (readonly ScopeProposal[])[] {
  const [only] = proposals
  if (proposals.length === 1 && only) return only.map((scope) => [scope])
  const best = proposals.flatMap(([first]) => (first ? [first] : []))
  return best.length === 0 ? [] : [best]
}

function scopeLines({ language, now }: ApprovalCard, approval: ApprovalView, agent: string): string[] {
  const own = approvalWords[language]
  const lines = scopeChoices(approval).map(
    (scopes, index) => `${index + 1}. ${scopes.map((scope) => scopeText(scope, language)).join(own.list.separator)}`,
  )
  return [own.chooseScope(agent, dateText(grantEnd('always', now), language)), ...lines]
}

function button(label: string, verb: CardVerb, target: string, more: Partial<MessagePresentationButton> = {}): MessagePresentationButton {
  // The question decides which tap counts, so the control itself is never used up.
  return { label, action: { type: 'callback', value: tapValue(verb, target) }, reusable: true, ...more }
}

function singleControls(card: ApprovalCard, question: ApprovalQuestion): MessagePresentationBlock[] {
  const { language, mode, pageUrl } = card
  const { actions } = words[language]
  const own = approvalWords[language]
  const { id, approval } = question
  if (mode === 'scopes') {
    const scopes = scopeChoices(approval).map((choice, index): MessagePresentationButton => ({
      ...button(choice.map((scope) => scopeText(scope, language)).join(own.list.separator), 'scope', id, { style: 'success' }),
      action: { type: 'callback', value: tapValue('scope', id, index) },
    }))
    const edit = pageUrl === null ? [] : [{ label: own.editOnPage, url: pageUrl }]
    return [{ type: 'buttons', buttons: [...scopes, ...edit, button(own.back, 'back', id)] }]
  }
  const isWhole = isShownWhole(card, question)
  const decisions = card.offered(id).filter((decision) => isWhole || decision === 'deny')
  const buttons = decisions.flatMap((decision): MessagePresentationButton[] => {
    const style = decision === 'deny' ? 'danger' : decision === 'once' ? 'success' : undefined
    const decide = button(actions[decision], decision, id, style ? { style } : {})
    return decision === 'deny' && isWhole && card.takesNote ? [decide, button(actions.denyWithNote, 'note', id)] : [decide]
  })
  const open = isWhole || approval.shown.isCut || pageUrl === null ? [] : [{ label: own.open, url: pageUrl }]
  return [{ type: 'buttons', buttons: [...open, ...buttons] }]
}

function batchControls(card: ApprovalCard, open: readonly ApprovalQuestion[]): MessagePresentationBlock[] {
  const { language, pageUrl } = card
  const own = approvalWords[language]
  const [first] = card.questions
  const target = first?.id ?? ''
  const isWhole = open.every((question) => isShownWhole(card, question) && card.offered(question.id).includes('once'))
  const deny = button(own.denyAll, 'none', target, { style: 'danger' })
  const allow = isWhole ? [button(own.allowAll(open.length), 'all', target, { style: 'success' })] : []
  const link = isWhole || pageUrl === null ? [] : [{ label: own.open, url: pageUrl }]
  const isRisky = open.some(({ approval }) => approval.irreversible)
  const decide = isRisky ? [deny, ...allow] : [...allow, deny]
  return [{ type: 'buttons', buttons: [...link, ...decide, button(own.each, 'each', target)] }]
}

const locale = (language: Language): string => (language === 'zh' ? 'zh-CN' : 'en-GB')

const timeText = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locale(language), {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)

const dateText = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(locale(language), { day: 'numeric', month: 'short', year: 'numeric' }).format(at)

import { approvalTitle } from '../../authority/approval-title.ts'
import type { ApprovalDecision } from '../../authority/audience.ts'
import { languages, type Language } from '../../shapes/language.ts'
import { fill } from '../../authority/authority-words.ts'
import { authorityWords, chatApprovalWords } from '../../words/index.ts'
import { becauseWords } from '../../words/page-parts.ts'
import type { Because } from '../../authority/decision.ts'
import { grantEnd } from '../../authority/grants.ts'
import type { ScopeProposal } from '../../authority/proposals.ts'
import { isAtMost, type Role } from '../../authority/roles.ts'
import { requestSentence } from '../../authority/request-sentence.ts'
import { factInWords } from '../../authority/shown-fact.ts'
import type { ApprovalView, QuestionView } from '../../shapes/wire.ts'
import { approvalItem } from '../../dialogs/rules/approval.ts'
import type { MessagePresentationBlock, MessagePresentationButton } from '../message/presentation.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { escapeMarkdown, fenced, oneLine, shownLimits, shownName, shownPieces } from './shown-pieces.ts'

/** A question that asks for an approval. */
export type ApprovalQuestion = QuestionView & { approval: ApprovalView }

export const isApprovalQuestion = (view: QuestionView | undefined): view is ApprovalQuestion => view?.approval !== undefined

/**
 * The choices a card offers at the moment.
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
  /** Decisions this reader may make, in order. */
  offered: (question: string) => readonly ApprovalDecision[]
  /** A reply to the card can be a note: it stands in a private chat. */
  takesNote: boolean
  /** The page that shows the dialog; null where it has no address. */
  pageUrl: string | null
  pieceChars: number
  now: number
}

/** The meaning of a tap on a card; `target` is a question, or the first of several. */
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
    ? fill(authorityWords[language].title.batch, { agent: shownName(agent), n: questions.length })
    : first
      ? getTitle(card, first)
      : ''
  const isShort = isBatch && mode === 'each'
  const calls = questions.flatMap((question, index) => [
    ...(isBatch ? [textBlock(`**${index + 1}. ${escapeMarkdown(getTitle(card, question))}**`)] : []),
    ...(question.state !== 'open' ? closedBlocks(card, question, isBatch) : isShort ? [] : callBlocks(card, question)),
  ])
  const [only] = open
  const controls = open.length > 1 ? batchControls(card, open) : only ? singleControls(card, only) : []
  return {
    presentation: {
      title,
      blocks: [
        ...calls,
        ...(elsewhere === null ? [] : [contextBlock(escapeMarkdown(chatApprovalWords[language].inDialog(oneLine(elsewhere))))]),
        ...(isShort && open.length > 0 ? [contextBlock(chatApprovalWords[language].eachBelow)] : controls),
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
          fill(authorityWords[language].status.requester, { name: chatApprovalWords[language].names(names, keys) }),
          ...open.flatMap(({ approval }) => keysLine(approval, language)),
        ]
      : questions.map((question) => outcomeText(question, language))
  const text = [...new Set(lines)].map(escapeMarkdown).join('\n')
  const context =
    elsewhere === null
      ? []
      : [contextBlock(escapeMarkdown(`${shownName(agent)} · ${chatApprovalWords[language].inDialog(oneLine(elsewhere))}`))]
  return { presentation: { blocks: [textBlock(text), ...context] } }
}

/** The outcome of an approval, as one sentence. */
export function outcomeText({ state, closed, approval }: ApprovalQuestion, language: Language): string {
  const own = chatApprovalWords[language]
  const decision = getDecision({ closed, approval })
  if (state === 'answered' && decision)
    return own.decided(shownName(closed?.by ?? ''), authorityWords[language].actions[decision].replace(/…$/, ''))
  if (closed?.why === 'covered') return own.covered
  return closed?.why === 'stopped' || closed?.why === 'dead' ? authorityWords[language].status.stopped : own.withdrawn
}

/** Text for a tap on a closed approval; null while it is open. */
export function lateText(question: ApprovalQuestion, language: Language): string | null {
  const { state, closed } = question
  if (state === 'open') return null
  const decision = getDecision(question)
  if (state !== 'answered' || !decision) return outcomeText(question, language)
  const label = authorityWords[language].actions[decision].replace(/…$/, '')
  return fill(authorityWords[language].status.late, { name: shownName(closed?.by ?? ''), decision: label })
}

function getDecision({ closed, approval }: Pick<ApprovalQuestion, 'closed' | 'approval'>): ApprovalDecision | null {
  const decision = approval.decision ?? closed?.answers?.[approvalItem]
  return decision === 'once' || decision === 'chat' || decision === 'always' || decision === 'deny' ? decision : null
}

const textBlock = (text: string): MessagePresentationBlock => ({ type: 'text', text })
const contextBlock = (text: string): MessagePresentationBlock => ({ type: 'context', text })

function getTitle({ agent, language }: ApprovalCard, { approval: { shown } }: ApprovalQuestion): string {
  const { kind, target, server } = shown
  return approvalTitle(shownName(agent), { kind, target: oneLine(target), server: oneLine(server) }, language)
}

/** True if the whole call can be read in this chat. */
function isShownWhole({ pieceChars }: ApprovalCard, { approval: { shown } }: ApprovalQuestion): boolean {
  if (shown.isCut || pieceChars < shownLimits.shortestPiece) return false
  return shownPieces(shown.text, pieceChars).length <= shownLimits.pieces
}

/** A call that cannot be read here can only be denied here. */
const decisionsFor = (card: ApprovalCard, question: ApprovalQuestion): readonly ApprovalDecision[] =>
  card.offered(question.id).filter((decision) => decision === 'deny' || isShownWhole(card, question))

/** The decisions about the one open call of a card; none where several are open. */
export function listDecisions(card: ApprovalCard): readonly ApprovalDecision[] {
  const [only, ...others] = card.questions.filter(({ state }) => state === 'open')
  return only && others.length === 0 ? decisionsFor(card, only) : []
}

function callBlocks(card: ApprovalCard, question: ApprovalQuestion): MessagePresentationBlock[] {
  const { language, pieceChars, agent } = card
  const { approval } = question
  const { shown } = approval
  const own = chatApprovalWords[language]
  const pieces = isShownWhole(card, question) ? shownPieces(shown.text, pieceChars) : null
  const shownBlocks =
    pieces === null
      ? [textBlock(shown.isCut ? own.tooLarge : own.tooLong)]
      : pieces.flatMap(({ text, isSameLine }, index) =>
          text === ''
            ? []
            : [textBlock(`${pieces.length > 1 ? `${own.part(index + 1, pieces.length, isSameLine)}\n` : ''}${fenced(text)}`)],
        )
  const { status } = authorityWords[language]
  const { role } = card.judged(question.id)
  const scopes = approval.proposals.flatMap(([best]) => (best ? [scopeText(best, language)] : []))
  const isAlone = card.questions.filter(({ state }) => state === 'open').length === 1
  const offersChat = isAlone && card.mode !== 'scopes' && decisionsFor(card, question).includes('chat')
  const lines = [
    factsText(card, question),
    ...shown.facts
      .map((fact) => factInWords(fact, authorityWords[language].shown))
      .map(({ label, value }) => `${oneLine(label)}${own.list.colon}${oneLine(value)}`),
    ...(role !== undefined && approval.requesters.every((one) => !isAtMost(one.role, role))
      ? [own.lowestRole(authorityWords[language].roles[role])]
      : []),
    ...(approval.isChanged ? [fill(status.changed, { tool: oneLine(approval.tool) })] : []),
    ...(approval.irreversible ? [own.irreversible] : []),
    ...(approval.isInterrupted ? [own.interrupted] : []),
    ...keysLine(approval, language),
    ...(approval.offersWorkspace ? [own.offersWorkspace] : []),
    ...(offersChat && scopes.length > 0 ? [own.chatCovers(scopes.join(own.list.separator))] : []),
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
  const preview = isBatch || !piece || piece.text === '' ? [] : [textBlock(fenced(isWhole ? piece.text : `${piece.text}…`))]
  const decision = getDecision(question)
  const sign = question.state === 'answered' && decision !== 'deny' ? '✓ ' : ''
  const lines = [
    ...(isBatch ? [] : [factsText(card, question)]),
    `${sign}${outcomeText(question, language)}${closed ? `${chatApprovalWords[language].gap}${timeText(closed.at, language)}` : ''}`,
    ...(approval.note === undefined ? [] : [chatApprovalWords[language].note(oneLine(approval.note))]),
  ]
  return [...preview, textBlock(lines.map(escapeMarkdown).join('\n'))]
}

function factsText({ language, surfaces, judged }: ApprovalCard, { id, approval: { requesters, because } }: ApprovalQuestion): string {
  const { reason } = judged(id)
  const request = { requesters: requesters.map((one) => ({ ...one, via: surfaces[one.id] ?? 'api' })), because, ...(reason && { reason }) }
  const words = { ...becauseWords[language], ...chatApprovalWords[language] }
  return requestSentence(request, words, language, { name: shownName, text: oneLine })
}

function keysLine({ keys, keysGiven }: ApprovalView, language: Language): string[] {
  if (keys <= 1) return []
  const { separator } = chatApprovalWords[language].list
  const text = fill(authorityWords[language].status.keys, { k: keysGiven.length, n: keys, names: keysGiven.map(shownName).join(separator) })
  return [text.replace(/[:：]\s*$/, '')]
}

function scopeText({ text, where, script, modules = [], anyContent }: ScopeProposal, language: Language): string {
  const own = chatApprovalWords[language]
  const fields = Object.entries(where ?? {}).map(([field, value]) => `${field}${own.list.colon}${value}`)
  const unchanged = script === undefined ? [] : [own.whileUnchanged([script, ...modules].join(own.list.separator))]
  const inside = [...fields, ...unchanged, ...(anyContent ? [own.anyContent] : [])].join(own.list.separator)
  return oneLine(inside === '' ? text : `${text}${chatApprovalWords[language].aside([inside])}`)
}

/** Choices for "Always allow…": the scopes of the one open part of the call, or the best of each where there are several. */
export function scopeChoices({ proposals }: ApprovalView): (readonly ScopeProposal[])[] {
  const [only] = proposals
  if (proposals.length === 1 && only) return only.map((scope) => [scope])
  const best = proposals.flatMap(([first]) => (first ? [first] : []))
  return best.length === 0 ? [] : [best]
}

function scopeLines({ language, now }: ApprovalCard, approval: ApprovalView, agent: string): string[] {
  const own = chatApprovalWords[language]
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
  const { actions } = authorityWords[language]
  const own = chatApprovalWords[language]
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
  const buttons = decisionsFor(card, question).flatMap((decision): MessagePresentationButton[] => {
    const style = decision === 'deny' ? 'danger' : decision === 'once' ? 'success' : undefined
    const decide = button(actions[decision], decision, id, style ? { style } : {})
    return decision === 'deny' && isWhole && card.takesNote ? [decide, button(actions.denyWithNote, 'note', id)] : [decide]
  })
  const open = isWhole || approval.shown.isCut || pageUrl === null ? [] : [{ label: own.open, url: pageUrl }]
  return [{ type: 'buttons', buttons: [...open, ...buttons] }]
}

function batchControls(card: ApprovalCard, open: readonly ApprovalQuestion[]): MessagePresentationBlock[] {
  const { language, pageUrl } = card
  const own = chatApprovalWords[language]
  const [first] = card.questions
  const target = first?.id ?? ''
  const isWhole = open.every((question) => isShownWhole(card, question) && card.offered(question.id).includes('once'))
  const deny = button(own.denyAll, 'none', target, { style: 'danger' })
  const allow = isWhole ? [button(own.allOnce(open.length), 'all', target, { style: 'success' })] : []
  const link = isWhole || pageUrl === null ? [] : [{ label: own.open, url: pageUrl }]
  const isRisky = open.some(({ approval }) => approval.irreversible)
  const decide = isRisky ? [deny, ...allow] : [...allow, deny]
  return [{ type: 'buttons', buttons: [...link, ...decide, button(own.decideEach, 'each', target)] }]
}

const timeText = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(languages[language].locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)

const dateText = (at: number, language: Language): string =>
  new Intl.DateTimeFormat(languages[language].locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(at)

import type { Language } from '../../../shapes/language.ts'
import { dialogTexts, promptTexts } from '../../../words/index.ts'
import { markers } from '../tellask.ts'
import { mindTools } from '../tree-tools.ts'
import { statusMarkers } from './blocks.ts'
import type { ReplyStatus } from './prompt-items.ts'
import { promptTools } from './tool-declarations.ts'

export type OpenForReply = { handle: string; kind: 'request' | 'ask-back'; from: string }

/** The facts a reply is judged by. */
export type ReplyScene = {
  language: Language
  /** Active requests and ask-backs without a reply, oldest first. */
  open: readonly OpenForReply[]
  /** Names of all calls of the same output. */
  callsInStep: readonly string[]
  /** Handles of requests, questions and calls of this agent that have no end yet. */
  out: readonly string[]
  /** A reply without the result itself was refused before for this request. */
  wasRefusedForText: boolean
}

export type ReplyVerdict =
  | { delivers: OpenForReply; status: Exclude<ReplyStatus, 'unstated' | 'failed'>; text: string }
  /** `forText`: the text holds no result; the second try is accepted. */
  | { refused: string; forText?: true }

const claimed = ['done', 'partial', 'could_not'] as const
const besideReply = new Set<string>([...Object.values(mindTools), promptTools.reply])
const shortReply = 200
const refersElsewhere = /\b(?:see|as (?:described|stated|mentioned)) (?:above|earlier)|already (?:sent|provided|replied)|见上文|如上所述/i

/**
 * | reply | verdict |
 * |---|---|
 * | arguments that do not fit, nothing open, unknown `to` | refused |
 * | beside calls other than mind tools and further replies | refused |
 * | empty, or short and pointing to other messages | refused once |
 * | `done` to a request while something is out | refused |
 * | otherwise | delivered |
 */
export function judgeReply(input: unknown, scene: ReplyScene): ReplyVerdict {
  const texts = promptTexts[scene.language]
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Partial<Record<string, unknown>>
  const status = claimed.find((one) => one === fields['status'])
  if (typeof fields['text'] !== 'string') return badArguments(scene, 'text is missing')
  if (!status) return badArguments(scene, 'status must be done, partial or could_not')
  const delivers = findOpen(fields['to'], scene.open)
  if (scene.open.length === 0) return { refused: texts.nothingOpen }
  if (!delivers) return badArguments(scene, `to must be ${scene.open.map(({ handle }) => handle).join(' or ')}`)
  if (scene.callsInStep.some((name) => !besideReply.has(name))) return { refused: texts.replyBeside }
  const text = withoutMarkers(fields['text'])
  const isWithoutResult = text === '' || (text.length < shortReply && refersElsewhere.test(text))
  if (isWithoutResult && !scene.wasRefusedForText) return { refused: texts.replyWithoutText, forText: true }
  if (status === 'done' && delivers.kind === 'request' && scene.out.length > 0)
    return { refused: texts.replyWhileOut(scene.out.join(', ')) }
  return { delivers, status, text }
}

const badArguments = ({ language }: ReplyScene, fault: string): ReplyVerdict => ({ refused: dialogTexts[language].badArguments(fault) })

/** The newest ask-back comes before the request: the one who asks back waits inside a request of this agent. */
function findOpen(to: unknown, open: readonly OpenForReply[]): OpenForReply | undefined {
  if (typeof to === 'string' && to.trim() !== '') return open.find(({ handle }) => handle === to.trim())
  return open.findLast(({ kind }) => kind === 'ask-back') ?? open.find(({ kind }) => kind === 'request')
}

const allMarkers = [...Object.values(statusMarkers), ...Object.values(markers)]
const headers =
  /^(?:You are the responder \(tellaskee dialog\)|This is an FBR sideline dialog;|你是当前被诉请者对话|这是一次 FBR 支线对话)[^\n]*\n*/

/** Markers and header lines are the runtime's; those an agent wrote are removed from the beginning of its text. */
export function withoutMarkers(text: string): string {
  let rest = text.trim()
  for (;;) {
    const marker = allMarkers.find((one) => rest.startsWith(one))
    const next = (marker === undefined ? rest.replace(headers, '') : rest.slice(marker.length)).trim()
    if (next === rest) return rest
    rest = next
  }
}

/** Words since the request became active, in order. `isToPerson`: the first words after a message of a person. */
export type Words = { text: string; isToPerson: boolean }

/** The end of a turn of a side dialog without `reply`, with nothing called and nothing awaited. */
export type EndWithoutReply =
  | { is: 'nudge' }
  /** All work words in order; those after the nudge only when there were none before. */
  | { is: 'reply'; status: 'unstated'; text: string }
  | { is: 'failed' }

/** `beforeNudge` and `afterNudge` are split where the nudge was given; `afterNudge` is null before that. */
export function endWithoutReply({
  beforeNudge,
  afterNudge,
}: {
  beforeNudge: readonly Words[]
  afterNudge: readonly Words[] | null
}): EndWithoutReply {
  if (afterNudge === null) return { is: 'nudge' }
  const text = workWords(beforeNudge) || workWords(afterNudge)
  return text === '' ? { is: 'failed' } : { is: 'reply', status: 'unstated', text }
}

/** A marker alone is no work. */
const workWords = (words: readonly Words[]): string =>
  withoutMarkers(words.flatMap(({ text, isToPerson }) => (isToPerson || text.trim() === '' ? [] : [text.trim()])).join('\n\n'))

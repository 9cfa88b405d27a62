import type { BuildSummary } from '../client/builds.ts'
import { controlFor } from '../dialogs/rules/question.ts'
import type { Language } from '../shapes/language.ts'
import type { QuestionView } from '../shapes/wire.ts'
import { noticeWords } from '../words/index.ts'

export const noticeTextLimits = { titleChars: 100, bodyChars: 400, labelChars: 40, buttons: 2 } as const

/** A button of a notification acts without opening the page. A press that is not confirmed is reported on the device. */
export type NoticeButton = { action: string; title: string; says?: string; send?: { path: string; body: object } }

/** A notice as people read it. `path` is that of the page, relative to its start. */
export type NoticeText = { title: string; body: string; path: string; buttons: readonly NoticeButton[] }

/**
 * The words of a notice. A device shows them while it is locked, so with `nothing` no word of an agent or a person is in it.
 * Of a call that waits for approval no byte is shown: the whole does not fit, and a part of it could mislead. It has Open and
 * Deny alone.
 */
export function questionText(question: QuestionView, language: Language, shows: 'words' | 'nothing'): NoticeText {
  const words = noticeWords[language]
  const { id, agent, ask, approval, limit } = question
  const path = `q/${encodeURIComponent(id)}`
  if (approval) {
    const deny = {
      action: 'deny',
      title: words.deny,
      says: words.denied,
      send: { path: `v1/questions/${encodeURIComponent(id)}/deny`, body: {} },
    }
    const title = shows === 'nothing' ? words.hidden.approval : words.approval(name(agent))
    return { title, body: words.openApp, path, buttons: [{ action: 'open', title: words.open }, deny] }
  }
  if (shows === 'nothing') return { title: words.hidden.question, body: words.openApp, path, buttons: [] }
  const [only, ...others] = ask.items
  const text = [ask.text, others.length === 0 ? (only?.text ?? '') : ''].filter((part) => part.trim() !== '').join('\n')
  return {
    title: (limit ? words.limit : words.asks)(name(agent)),
    body: short(text, noticeTextLimits.bodyChars),
    path,
    buttons: limit ? [] : answerButtons(question, words.sent),
  }
}

/** Choices that fit on a notification, all of them or none: a missing one would look like a choice that does not exist. */
function answerButtons({ id, ask }: QuestionView, says: string): NoticeButton[] {
  const [only, ...others] = ask.items
  const control = only && others.length === 0 ? controlFor(only) : null
  if (control?.type !== 'options' || control.options.length > noticeTextLimits.buttons) return []
  if (control.options.some(({ label }) => label.length > noticeTextLimits.labelChars)) return []
  const path = `v1/questions/${encodeURIComponent(id)}/answer`
  return control.options.map(({ value, label }, index) => ({
    action: `answer-${index}`,
    title: label,
    says: `${says}: ${label}`,
    send: { path, body: { choice: value } },
  }))
}

export function buildText(
  build: Pick<BuildSummary, 'build_id' | 'agent' | 'prompt' | 'question'>,
  what: 'question' | 'done' | 'failed',
  language: Language,
  shows: 'words' | 'nothing',
): NoticeText {
  const words = noticeWords[language]
  const path = `b/${encodeURIComponent(build.build_id)}`
  const hidden = { question: words.hidden.question, done: words.hidden.buildDone, failed: words.hidden.buildFailed }[what]
  if (shows === 'nothing') return { title: hidden, body: words.openApp, path, buttons: [] }
  const title = { question: words.buildAsks(name(build.agent)), done: words.buildDone, failed: words.buildFailed }[what]
  const body = what === 'question' ? (build.question?.prompt ?? '') : build.prompt
  return { title, body: short(body, noticeTextLimits.bodyChars), path, buttons: [] }
}

export function testText(language: Language): NoticeText {
  return { title: noticeWords[language].test, body: noticeWords[language].testBody, path: 'settings', buttons: [] }
}

const name = (agent: string): string => short(agent, noticeTextLimits.titleChars / 2)

/** Control and direction characters could make a text look like another; the first words are enough to know what it is about. */
function short(text: string, chars: number): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (sign) => (sign === '\n' ? '\n' : ' '))
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim()
  const letters = Array.from(plain)
  return letters.length <= chars ? plain : `${letters.slice(0, chars - 1).join('')}…`
}

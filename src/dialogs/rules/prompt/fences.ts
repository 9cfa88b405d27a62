/** Blocks that the runtime writes around what an agent reads. Text of people, tools, agents and files cannot open or close one. */
export const blockNames = [
  'diligence',
  'message',
  'request',
  'ask-back',
  'reply',
  'answer',
  'outcome',
  'plugin',
  'runtime',
  'memories',
  'task-document',
  'reminders',
  'waiting',
  'trail',
] as const

export type BlockName = (typeof blockNames)[number]

/** The names are those of `blockNames`. One run of spaces, then at most one slash with its own: time stays linear in a text of spaces. */
export const lookAlike =
  /[<＜](?=[\s\p{Cf}]*(?:\/[\s\p{Cf}]*)?(?:diligence|message|request|ask-back|reply|answer|outcome|plugin|runtime|memories|task-document|reminders|waiting|trail)(?![\w-]))/giu

/** Control characters other than tab and line feed, and the invisible tag characters. */
const invisible = /(?![\n\t])\p{Cc}|[\u{E0000}-\u{E007F}]/gu

/** Everything that `toPlainText` may change has one of these. Most texts have none, and the search below costs ten times as much. */
// eslint-disable-next-line no-control-regex
const needsCare = /[<＜\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]/

/** Text that did not come from the runtime, so that no part of it reads as a block. Nothing is unescaped later. */
export const toPlainText = (text: string): string =>
  needsCare.test(text) ? text.toWellFormed().replace(invisible, '').replace(lookAlike, '&lt;') : text

/** The same for attributes. */
// eslint-disable-next-line no-control-regex
const needsCareInAttribute = /[<&"\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/

/** A value of an attribute: one line, without the characters that end it. */
const toAttribute = (value: string): string => (needsCareInAttribute.test(value) ? escapeAttribute(value) : value)

const escapeAttribute = (value: string): string =>
  value
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\n\t\u2028\u2029]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')

type Attributes = Readonly<Record<string, string | undefined>>

function openTag(name: BlockName, attributes: Attributes): string {
  let written = ''
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) written += ` ${key}="${toAttribute(value)}"`
  }
  return `<${name}${written}>`
}

/** A block on lines of its own. `body` is already plain. */
export const block = (name: BlockName, attributes: Attributes, body: string): string => `${openTag(name, attributes)}\n${body}\n</${name}>`

/** A block on one line when its body has one. */
export const shortBlock = (name: BlockName, attributes: Attributes, body: string): string =>
  body.includes('\n') ? block(name, attributes, body) : `${openTag(name, attributes)}${body}</${name}>`

/** Every line begins with `> `. */
export const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

const nameInNotes = /^[\p{L}\p{N} ._-]{1,40}$/u

/** The name of a person in a text of the runtime; a name that could be anything else is not written there. */
export const toNoteName = (name: string, other: string): string => (nameInNotes.test(name) ? name : other)

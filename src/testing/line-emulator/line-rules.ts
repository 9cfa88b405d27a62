import { createHash } from 'node:crypto'

/** A message as a bot sends it. */
export type LineContent = { type: string; text?: string; altText?: string; contents?: unknown; quickReply?: { items: unknown[] } }

const componentTypes = new Set(['box', 'button', 'image', 'video', 'icon', 'text', 'span', 'separator', 'filler'])

/** Rules of the Messaging API for what a bot sends, in the words of LINE; null when it is accepted. */
export function findProblem(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length < 1 || messages.length > 5) return 'Size must be between 1 and 5 (messages)'
  for (const [index, message] of (messages as LineContent[]).entries()) {
    const at = `messages[${index}]`
    if (message.quickReply && (message.quickReply.items.length < 1 || message.quickReply.items.length > 13))
      return `${at}.quickReply.items: Size must be between 1 and 13`
    for (const label of labels(message.quickReply))
      if (countGraphemes(label) > 20) return `${at}.quickReply: label: Length must be between 0 and 20`
    if (message.type === 'text') {
      if (!message.text?.trim()) return `${at}.text: May not be empty`
      if (message.text.length > 5_000) return `${at}.text: Length must be between 0 and 5000`
    } else if (message.type === 'flex') {
      const problem = findFlexProblem(message)
      if (problem !== null) return `${at}.${problem}`
    } else return `${at}.type: must be one of the following values`
  }
  return null
}

function findFlexProblem({ altText = '', contents }: LineContent): string | null {
  if (altText.trim() === '' || altText.length > 1_500) return 'altText: Length must be between 1 and 1500'
  if (Buffer.byteLength(JSON.stringify(contents)) > 30_000) return 'contents: too large'
  const { type, body } = (contents ?? {}) as { type?: string; body?: { contents?: { type: string; text?: string; url?: string }[] } }
  if (type !== 'bubble') return 'contents.type: must be bubble'
  for (const [index, one] of (body?.contents ?? []).entries()) {
    const at = `contents.body.contents[${index}]`
    if (!componentTypes.has(one.type)) return `${at}.type: invalid`
    if (one.type === 'text' && (!one.text?.trim() || one.text.length > 2_000)) return `${at}.text: Length must be between 1 and 2000`
    if (one.type === 'image' && !one.url?.startsWith('https://')) return `${at}.url: invalid uri scheme`
    for (const label of labels(one)) if (countGraphemes(label) > 40) return `${at}.action.label: Length must be between 0 and 40`
  }
  for (const { data, uri } of actions(contents)) {
    if (data !== undefined && data.length > 300) return 'action.data: Length must be between 0 and 300'
    if (uri !== undefined && (uri.length > 1_000 || !/^(https?|tel|line):/.test(uri))) return 'action.uri: invalid uri scheme'
  }
  return null
}

export type LineAction = { type: string; label?: string; data?: string; uri?: string }

/** The actions anywhere in a message. */
export function actions(within: unknown): LineAction[] {
  if (Array.isArray(within)) return (within as unknown[]).flatMap(actions)
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([key, value]) => (key === 'action' ? [value as LineAction] : actions(value)))
}

const segmenter = new Intl.Segmenter()
const countGraphemes = (text: string): number => Array.from(segmenter.segment(text)).length

const labels = (within: unknown): string[] => actions(within).flatMap(({ label }) => (label === undefined ? [] : [label]))

/** Everything that a person reads in a message. */
export function toWords({ text, contents }: LineContent): string {
  if (text !== undefined) return text
  const { body } = (contents ?? {}) as { body?: { contents?: { text?: string }[] } }
  return (body?.contents ?? []).flatMap(({ text: words }) => words ?? []).join('\n')
}

/** Ids as LINE writes them, from a name that is easy to read. */
export const toId = (kind: 'U' | 'C' | 'R', name: string): string => `${kind}${createHash('md5').update(name).digest('hex')}`

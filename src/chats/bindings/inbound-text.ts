import type { InboundMedia } from '../ports/channel.ts'
import type { InboundMessage } from './binding-events.ts'
import { inboundLimits } from './inbound-limits.ts'

/**
 * A message as an agent reads it: what was written, and a line for each thing that came with it. The line ends with the
 * account and the id by which `GET /v1/channels/{account}/files/{id}` gives the bytes.
 */
export function wordsOf(channel: string, { text, media }: InboundMessage): string {
  const lines = media.map((medium) => mediaLine(channel, medium))
  const space = inboundLimits.wordsChars - lines.reduce((sum, line) => sum + line.length + 1, 0)
  const words = text.slice(0, Math.max(0, space)).toWellFormed()
  return [...(words.trim() === '' ? [] : [words]), ...lines].join('\n').slice(0, inboundLimits.wordsChars).toWellFormed()
}

function mediaLine(channel: string, { kind, name, mimeType, sizeBytes, fileId }: InboundMedia): string {
  const about = [name, mimeType].flatMap((part) => (part === undefined ? [] : [tame(part)])).filter((part) => part !== '')
  const size = sizeBytes === undefined ? [] : [sizeWords(sizeBytes)]
  return `[${kind}: ${[...about, ...size, `${channel}/${encodeURIComponent(fileId)}`].join(', ')}]`
}

/** Names are chosen by whoever sent the file, values by an agent: none must end its line and speak for somebody else. */
const tame = (name: string): string =>
  name
    .replaceAll(/[\s\p{Cc}\p{Cf}[\]]+/gu, ' ')
    .trim()
    .slice(0, inboundLimits.fileNameChars)
    .toWellFormed()

/** A tap as an agent reads it: the words on the button, and what it stands for where that is not the same. */
export function wordsOfTap(label: string, value: string): string {
  const meant = tame(value)
  return meant === '' || meant === tame(label) ? label : `${label}\n[button: ${meant}]`
}

function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / (1024 * 1024), 'MB']
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`
}

type Spoken = 'en' | 'zh'

const spokenBy = (language: string | undefined): Spoken => (language?.toLowerCase().startsWith('zh') ? 'zh' : 'en')

const words = {
  en: {
    pairing: (code: string) =>
      `Hello! I do not know you yet. Please give this code to the person who runs this account: ${code}. It is good for one hour.`,
    accepted: () => 'You are in. What you wrote is being answered now.',
    got: (label: string) => `✓ ${label}`,
    forged: () => 'This button is not one of mine. Nothing was changed.',
    stale: () => 'This button is too old. Please write a message instead.',
    used: (name: string) => (name === '' ? 'These buttons were already used.' : `These buttons were already used by ${name}.`),
    foreign: () => 'These buttons are meant for somebody else. Nothing was changed.',
  },
  zh: {
    pairing: (code: string) => `你好！我还不认识你。请把这个配对码告诉此账号的主人：${code}。一小时内有效。`,
    accepted: () => '已通过。正在回复你刚才的消息。',
    got: (label: string) => `✓ ${label}`,
    forged: () => '这个按钮不是我发出的。没有任何更改。',
    stale: () => '这个按钮已经过期，请直接发送消息。',
    used: (name: string) => (name === '' ? '这些按钮已经用过了。' : `这些按钮已被 ${name} 使用。`),
    foreign: () => '这些按钮是给别人的。没有任何更改。',
  },
} as const satisfies Record<Spoken, Record<string, (value: string) => string>>

export type InboundWord = keyof (typeof words)['en']

export const say = (word: InboundWord, language: string | undefined, value = ''): string => words[spokenBy(language)][word](value)

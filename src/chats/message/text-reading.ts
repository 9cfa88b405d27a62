import {
  type MessagePresentation,
  type MessagePresentationBlock,
  type MessagePresentationButton,
  type MessagePresentationChart,
  type MessagePresentationTable,
  actionOf,
} from './presentation.ts'
import { mediumReading } from './media.ts'
import type { ReplyPayload } from './reply-payload.ts'

/** Between two parts only: a divider at the start, at the end or after another one separates nothing. */
const rule = '---'

/**
 * The plain reading every message has, on any channel and for people who hear it. Values that only a program understands
 * never appear; addresses and commands do, because a person can use them.
 */
export function textReading({ media = [], poll, ...message }: ReplyPayload): string {
  if (poll) return [poll.question, ...poll.options.map((option) => `- ${option}`)].join('\n')
  return [wordsReading(message), ...media.map(mediumReading)].filter((part) => part !== '').join('\n\n')
}

function wordsReading({ text = '', presentation, presentationTextMode }: ReplyPayload): string {
  if (!presentation || (presentationTextMode === 'fallback' && text !== '')) return text
  const presentationText = presentationReading(presentation)
  // The author may have said it all in the text already.
  if (text === '' || text === presentationText || (presentationText !== '' && text.endsWith(presentationText)))
    return text || presentationText
  if (text.trim() === presentation.title) return presentationText
  return presentationText === '' ? text : `${text}\n\n${presentationText}`
}

export function presentationReading({ title, blocks }: MessagePresentation): string {
  const parts: string[] = title === undefined ? [] : [title]
  let divided = false
  for (const block of blocks) {
    if (block.type === 'divider') {
      divided = parts.length > 0
      continue
    }
    if (divided) parts.push(rule)
    divided = false
    parts.push(blockReading(block))
  }
  return parts.join('\n\n')
}

export function blockReading(block: Exclude<MessagePresentationBlock, { type: 'divider' }>): string {
  switch (block.type) {
    case 'text':
    case 'context':
      return block.text
    case 'buttons':
      return block.buttons.map(buttonReading).join('\n')
    case 'select':
      return [headingReading(block.placeholder ?? 'Options'), ...block.options.map(({ label }) => `- ${label}`)].join('\n')
    case 'image':
      return imageReading(block)
    case 'table':
      return tableReading(block)
    case 'chart':
      return chartReading(block)
  }
}

export const headingReading = (heading: string): string => (heading.endsWith(':') ? heading : `${heading}:`)

export function buttonReading(button: MessagePresentationButton): string {
  const action = actionOf(button)
  if (button.disabled) return `- ${button.label}`
  switch (action.type) {
    case 'url':
      return `- ${button.label}: ${action.url}`
    case 'command':
      return `- ${button.label}:${codeReading(action.command)}`
    case 'copy-text':
      return `- ${button.label}:${codeReading(action.text)}`
    case 'callback':
    case 'question':
    case 'approval':
    case 'plugin':
      return `- ${button.label}`
  }
}

/** The text after the colon, fenced by more backticks than it contains in a row. */
function codeReading(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  if (text.includes('\n')) {
    const fence = '`'.repeat(Math.max(3, longest + 1))
    return `\n${fence}\n${text}\n${fence}`
  }
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? ` \`${text}\`` : ` ${fence} ${text} ${fence}`
}

export const imageReading = ({ url, alt }: { url: string; alt: string }): string =>
  alt === '' ? `Image: ${url}` : `${alt} (image): ${url}`

function tableReading({ caption, headers, rows }: MessagePresentationTable): string {
  const line = (row: readonly (string | number)[]): string =>
    `- ${headers.map((header, index) => `${header}: ${row[index] ?? ''}`).join('; ')}`
  return [caption === undefined ? 'Table' : `${caption} (table)`, ...rows.map(line)].join('\n')
}

function chartReading({ chartType, title, xLabel, yLabel, categories, series }: MessagePresentationChart): string {
  const kind = `${chartType} chart`
  return [
    title === undefined ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` : `${title} (${kind})`,
    ...(xLabel === undefined ? [] : [`X axis: ${xLabel}`]),
    ...(yLabel === undefined ? [] : [`Y axis: ${yLabel}`]),
    ...series.map(({ name, values }) => {
      const points = categories.map((category, index) => `${category}: ${values[index] ?? ''}`).join('; ')
      return name === '' ? `- ${points}` : `- ${name}: ${points}`
    }),
  ].join('\n')
}

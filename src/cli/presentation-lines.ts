import stringWidth from 'string-width'
import type { MessagePresentation, MessagePresentationTone } from '../chats/message/presentation.ts'
import { blockReading } from '../chats/message/text-reading.ts'
import { listTappable } from '../chats/message/tappable.ts'
import type { TerminalWords } from '../words/en/terminal.ts'
import { columns } from './columns.ts'
import { oneLine, plainText } from './plain-text.ts'
import type { Paint } from './terminal.ts'
import { indented } from './word-wrap.ts'

const signs: Record<MessagePresentationTone, string> = { neutral: '', info: 'i ', success: '✓ ', warning: '! ', danger: '✗ ' }
const colours = { neutral: 'bold', info: 'cyan', success: 'green', warning: 'yellow', danger: 'red' } as const

/** A presentation at a terminal. Controls have the number that `/tap` takes. */
export function presentationLines(
  { tone = 'neutral', title, blocks }: MessagePresentation,
  { words, paint, width }: { words: TerminalWords; paint: Paint; width: number },
): string[] {
  let number = 0
  /** Controls without a tap, such as links, are read with their address. */
  const controlLines = (single: Extract<MessagePresentation['blocks'][number], { type: 'buttons' | 'select' }>): string[] => {
    const [control] = listTappable({ blocks: [single] })
    if (!control) return indented(plainText(blockReading(single)), width)
    number += 1
    return [`  ${paint.cyan(`[${number}]`)} ${oneLine(control.label)}`]
  }
  const lines = blocks.flatMap((block): string[] => {
    switch (block.type) {
      case 'divider':
        return [paint.dim(`  ${'─'.repeat(Math.min(20, width - 4))}`)]
      case 'context':
        return indented(plainText(block.text), width).map((line) => paint.dim(line))
      case 'table': {
        const rows = [block.headers, ...block.rows].map((row) => row.map((cell) => oneLine(String(cell))))
        const widths = block.headers.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))))
        if (widths.reduce((sum, one) => sum + one + 2, 2) > width) return indented(plainText(blockReading(block)), width)
        const caption = block.caption === undefined ? [] : [`  ${paint.bold(oneLine(block.caption))}`]
        return [...caption, ...columns(rows, width - 2).map((line) => `  ${line}`)]
      }
      case 'buttons':
        return block.buttons.flatMap((button) => controlLines({ type: 'buttons', buttons: [button] }))
      case 'select':
        return [
          ...(block.placeholder === undefined ? [] : [`  ${oneLine(block.placeholder)}`]),
          ...block.options.flatMap((option) => controlLines({ type: 'select', options: [option] })),
        ]
      case 'text':
      case 'image':
      case 'chart':
        return indented(plainText(blockReading(block)), width)
    }
  })
  const head = title === undefined ? [] : [`  ${paint[colours[tone]](paint.bold(`${signs[tone]}${oneLine(title)}`))}`]
  return [...head, ...lines, ...(number > 0 ? [paint.dim(`  ${words.tapHint}`)] : [])]
}

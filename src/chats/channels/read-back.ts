import type { MessagePresentationBlock, MessagePresentationButton, MessagePresentationButtonStyle } from '../message/presentation.ts'
import { isRecord } from '../../shapes/record.ts'

/** A part of a request, with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>

export const list = (value: unknown): Fields[] => (Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [])
export const fields = (value: unknown): Fields => (isRecord(value) ? value : {})
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text that a platform shows to the letter, as Markdown. */
export const fromLetters = (letters: string): string =>
  letters
    .replaceAll(/[\\*_~`[\]<>#|&]|^[ \t]*[+-](?=\s)/gm, (sign) => sign.replace(/\S$/, '\\$&'))
    .replaceAll(/^([ \t]*\d{1,9})([.)])/gm, '$1\\$2')

/** Markdown as the words that are left when its marks are taken away: small print is drawn without any. */
export const toLetters = (markdown: string): string =>
  markdown
    .replaceAll(/(?<!\\)(?:\*{1,3}|~~|`+)/g, '')
    .replaceAll(/(?<![\\\w])_(?=\S)|(?<=\S)(?<!\\)_(?!\w)/g, '')
    .replaceAll(/\[([^[\]]*)\]\(<?([^)>[]*)>?\)/g, '$1 ($2)')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\\([^\w\s])/g, '$1')

/** A button as a platform has it. A tap does nothing in a preview. */
export function readButton(
  label: string,
  press: { url?: unknown; copy?: unknown; isOff?: boolean; style?: MessagePresentationButtonStyle | undefined; confirm?: unknown },
): MessagePresentationButton {
  const { url, copy, isOff = false, style, confirm } = press
  return {
    label,
    ...(style && { style }),
    ...(typeof confirm === 'string' && { confirm }),
    ...(isOff && { disabled: true }),
    action:
      typeof url === 'string'
        ? { type: 'url', url }
        : typeof copy === 'string'
          ? { type: 'copy-text', text: copy }
          : { type: 'callback', value: '' },
  }
}

export const readSelect = (placeholder: string, labels: readonly string[]): MessagePresentationBlock => ({
  type: 'select',
  ...(placeholder !== '' && { placeholder }),
  options: labels.map((label, at) => ({ label, value: String(at) })),
})

import { createElement as h, type ReactNode, useState } from 'react'
import { highlight } from './highlight.ts'

/** Labels of code blocks. */
export type CodeWords = { code: string; table: string; copyCode: string; copied: string; showAll(lines: number): string; showLess: string }

const foldedLines = 40

export function CodeBlock({ text, language, words }: { text: string; language: string; words: CodeWords }): ReactNode {
  const [open, setOpen] = useState(false)
  const [copied, setCopied] = useState(false)
  const lines = text.split('\n')
  const folds = lines.length > foldedLines
  const name = language.split(/\s/, 1)[0] ?? ''
  const visibleText = folds && !open ? lines.slice(0, foldedLines).join('\n') : text
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return h(
    'div',
    { className: 'md-code' },
    h(
      'div',
      { className: 'md-code-bar' },
      h('span', { dir: 'ltr' }, name),
      h(
        'button',
        { type: 'button', className: 'md-quiet', onClick: copy, onBlur: () => setCopied(false) },
        copied ? words.copied : words.copyCode,
      ),
    ),
    h(
      'pre',
      { dir: 'ltr', role: 'region', tabIndex: 0, 'aria-label': name === '' ? words.code : `${words.code}: ${name}` },
      h(
        'code',
        null,
        highlight(visibleText, name).map(({ kind, text: part }, at) =>
          kind === null ? part : h('span', { key: at, className: `md-${kind}` }, part),
        ),
      ),
    ),
    folds
      ? h(
          'button',
          { type: 'button', className: 'md-quiet md-fold', 'aria-expanded': open, onClick: () => setOpen(!open) },
          open ? words.showLess : words.showAll(lines.length),
        )
      : null,
  )
}

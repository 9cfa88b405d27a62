import { createHash } from 'node:crypto'
import type { Presented } from '../../src/chats/presentation/present.ts'

/** Lines of a list or a text that a page shows at its start and at its end. */
const [firstLines, lastLines] = [5, 3]

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** A person can read the start and the end; a digest keeps all lines exact. */
function briefLines(lines: readonly string[]): string[] {
  const skipped = lines.length - firstLines - lastLines
  if (skipped < 12) return [...lines]
  return [...lines.slice(0, firstLines), `⟨… ${skipped} lines more, sha256 ${digest(lines.join('\n'))} …⟩`, ...lines.slice(-lastLines)]
}

/** A long run of one thing is written as its count, so that a person can read the file; a digest keeps it exact. */
function brief(text: string): string {
  return briefLines(briefRuns(text).split('\n')).join('\n')
}

function briefRuns(text: string): string {
  const runs = text.replaceAll(
    /((?:\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*)|[^\n])\1{39,}/gu,
    (run, unit: string) => `⟨${unit} × ${run.length / unit.length}⟩`,
  )
  if (runs.length <= 3000) return runs
  const [start, end] = [Array.from(runs).slice(0, 900).join(''), Array.from(runs).slice(-500).join('')]
  return `${start}\n⟨… ${text.length} units in all, sha256 ${digest(text)} …⟩\n${end}`
}

function value(some: unknown, indent: string): string {
  if (typeof some === 'string') {
    const text = brief(some)
    return text.includes('\n')
      ? `|\n${text
          .split('\n')
          .map((line) => `${indent}  ${line}`.trimEnd())
          .join('\n')}`
      : text
  }
  if (Array.isArray(some) && isKeyboard(some))
    return briefLines(some.map((row) => row.map((key) => `[${keyWords(key)}]`).join(' ')))
      .map((row) => `\n${indent}  ${row}`)
      .join('')
  if (Array.isArray(some))
    return some.length === 0 ? '(none)' : some.map((one) => `\n${indent}- ${value(one, `${indent}  `).trimStart()}`).join('')
  if (typeof some === 'object' && some !== null)
    return Object.entries(some)
      .map(([key, one]) => `\n${indent}${key}: ${value(one, `${indent}  `)}`)
      .join('')
  return String(some)
}

const isKeyboard = (some: readonly unknown[]): some is Record<string, unknown>[][] =>
  some.length > 0 && some.every((row) => Array.isArray(row) && row.every((key) => typeof key === 'object' && key !== null))

function keyWords(key: Record<string, unknown>): string {
  const { text, label, ...more } = key
  return [
    String(text ?? label),
    ...Object.entries(more).map(([name, one]) => `${name}=${typeof one === 'string' ? brief(one) : JSON.stringify(one)}`),
  ]
    .map(brief)
    .join(' | ')
}

/** One message on one channel, as a person would want to look it through. */
export function goldenPage({ requests, text, losses }: Presented): string {
  const lines = [
    ...(requests.length === 0
      ? ['(nothing to send)']
      : requests.map(({ operation, body }, at) => `── ${at + 1}. ${operation}${value(body, '')}`)),
    `── as text\n${brief(text)}`,
    `── losses${
      losses.length === 0
        ? '\n(none)'
        : brief(
            losses
              .slice(0, 12)
              .map(({ what, from, to, why }) => `\n${what}: ${from} → ${to} (${why})`)
              .join(''),
          )
    }`,
    ...(losses.length > 12 ? [`… and ${losses.length - 12} more`] : []),
  ]
  return `${lines.join('\n\n').replaceAll(/[ \t]+$/gm, '')}\n`
}

import type { PromptItem } from './prompt-items.ts'

export const trailLimits = { calls: 20, outputs: 5, outputChars: 300, chars: 6_000 } as const

/** The last steps of a course that was cut: its calls with their ends, and the beginnings of its last words. */
export function trailText(items: readonly PromptItem[]): string {
  const calls = items
    .flatMap((item) => (item.kind === 'result' ? [`- ${item.tool} (${item.handle}): ${howItEnded(item)}`] : []))
    .slice(-trailLimits.calls)
  const words = items
    .flatMap((item) => {
      const text =
        item.kind === 'output'
          ? item.parts
              .flatMap((part) => (part.type === 'words' ? [part.text] : []))
              .join('\n')
              .trim()
          : ''
      return text === '' ? [] : [`> ${text.slice(0, trailLimits.outputChars).toWellFormed().replaceAll('\n', '\n> ')}`]
    })
    .slice(-trailLimits.outputs)
  return [...calls, ...words].join('\n').slice(0, trailLimits.chars).toWellFormed()
}

function howItEnded({ result }: Extract<PromptItem, { kind: 'result' }>): string {
  switch (result.is) {
    case 'outcome':
    case 'shortened':
      return result.ok ? 'ok' : 'failed'
    case 'waiting':
      return 'waiting'
    case 'stopped':
      return 'stopped'
    case 'interrupted':
      return 'unknown'
  }
}

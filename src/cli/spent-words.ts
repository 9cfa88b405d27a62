import type { DialogSummary } from '../shapes/wire.ts'
import type { Terminal } from './terminal.ts'

/** Total cost of dialogs in words; empty without cost. */
export function spentWords(
  dialogs: readonly Pick<DialogSummary, 'spent'>[],
  { words, language }: Pick<Terminal, 'words' | 'language'>,
): string {
  const tokens = dialogs.reduce((sum, { spent }) => sum + spent.tokens, 0)
  const money = dialogs.reduce((sum, { spent }) => sum + spent.money, 0)
  if (tokens === 0) return ''
  const amount = money === 0 ? '' : money.toLocaleString(language, { maximumFractionDigits: 4 })
  return words.spent(tokens.toLocaleString(language), amount)
}

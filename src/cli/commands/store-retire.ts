import type { CommandFunction } from '../command-row.ts'
import { UsageError } from '../fault.ts'
import { withProgress } from '../progress.ts'
import { findRetireSettings } from '../retire-settings.ts'
import { findStorePlace } from '../store-place.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const place = await findStorePlace(terminal, given.text('store'))
  const { folder, afterDays } = await findRetireSettings(terminal, given.text('folder'))
  const days = given.number('days') ?? afterDays
  if (days === undefined) throw new UsageError('--days is missing.', 'Say how long a dialog has to rest: parley store retire --days 90')
  const { retireAt } = await import('../../app/store-place.ts')
  const report = await withProgress(terminal, words.retiring, () => retireAt(place, folder, days * 24 * 60 * 60_000))
  terminal.result({ folder, ...report }, () => words.dialogsRetired(folder, report.dialogs, report.events))
}

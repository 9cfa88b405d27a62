import type { CommandFunction } from '../command-row.ts'
import { findRetireSettings } from '../retire-settings.ts'
import { findStorePlace } from '../store-place.ts'

export const run: CommandFunction = async (terminal, given) => {
  const dialog = given.arg(0)
  const place = await findStorePlace(terminal, given.text('store'))
  const { folder } = await findRetireSettings(terminal, given.text('folder'))
  const { readRetiredAt, restoreAt } = await import('../../app/store-place.ts')
  if (given.on('print')) {
    const { events } = await readRetiredAt(place, folder, dialog)
    terminal.result(events, () => events.map((event) => JSON.stringify(event)))
    return
  }
  const report = await restoreAt(place, folder, dialog)
  terminal.result({ dialog, ...report }, () => terminal.words.dialogRestored(dialog, report.dialogs, report.events))
}

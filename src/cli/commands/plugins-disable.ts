import type { CommandFunction } from '../command-row.ts'
import { pluginPlaces } from '../plugin-places.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { plugins: words } = terminal.words
  const name = given.arg(0)
  const files = await pluginPlaces(terminal)
  const { disablePlugin } = await import('../../plugins/lifecycle/disable.ts')
  const withSettings = given.on('all')
  disablePlugin(name, files, { withSettings })
  terminal.result({ name, removed: withSettings ? 'all' : 'disable', file: files.configFile }, () =>
    withSettings ? words.removed(name) : words.disabled(name),
  )
}

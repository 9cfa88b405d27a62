import type { Given } from '../given.ts'
import { pluginPlaces } from '../plugin-places.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
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

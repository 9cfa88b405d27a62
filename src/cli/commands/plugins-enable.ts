import type { CommandFunction } from '../command-row.ts'
import { UsageError } from '../fault.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { shortPath } from '../places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { plugins: words } = terminal.words
  const from = given.arg(0)
  if (from.startsWith('-')) throw new UsageError(`"${from}" is neither a path nor a package.`, 'See: parley plugins enable --help')
  const files = await pluginPlaces(terminal)
  const { enablePlugin } = await import('../../plugins/lifecycle/enable.ts')
  const enabled = await withProgress(terminal, words.checking(from), () => enablePlugin(from, files))
  const { name, version, module, offers, configFault } = enabled
  terminal.result({ name, version, module: module ?? null, file: files.configFile, offers, problem: configFault }, () =>
    words.enabled(name, version, shortPath(files.configFile, terminal.cwd)),
  )
  if (terminal.json) return
  if (configFault !== null) terminal.warn(`${terminal.errPaint.yellow('!')} ${plainText(words.needsConfig(configFault, name))}`)
  terminal.say(words.enabledNext)
}

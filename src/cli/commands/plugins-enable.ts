import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { shortPath } from '../places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { plugins: words } = terminal.words
  const from = given.arg(0)
  if (from.startsWith('-')) throw new UsageError(`"${from}" is neither a path nor a package.`, 'See: parley plugins install --help')
  const where = await pluginPlaces(terminal)
  const { installPlugin } = await import('../../plugins/life/install.ts')
  const { record, entry, checked } = await withProgress(terminal, words.installing(from), () =>
    installPlugin(from, where, new Date().toISOString()),
  )
  const { name, version } = record
  terminal.result({ ...record, entry, file: where.configFile, offers: checked.offers, problem: checked.configFault }, () =>
    words.installed(name, version, shortPath(where.configFile, terminal.cwd)),
  )
  if (terminal.json) return
  if (checked.configFault !== null)
    terminal.warn(`${terminal.errPaint.yellow('!')} ${plainText(words.needsConfig(checked.configFault, name))}`)
  terminal.say(words.installedNext)
}

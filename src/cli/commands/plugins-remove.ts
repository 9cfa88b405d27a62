import { ParleyError } from '../../errors.ts'
import type { Removal } from '../../plugins/life/remove.ts'
import { askChoice } from '../ask.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { pluginPlaces } from '../plugin-places.ts'
import type { Terminal } from '../terminal.ts'

const removals = ['disable', 'keep-config', 'all'] as const satisfies readonly Removal[]

export async function run(terminal: Terminal, given: Given): Promise<number> {
  const { plugins: words } = terminal.words
  const name = given.arg(0)
  const where = await pluginPlaces(terminal)
  const [{ removePlugin }, { entryOf }, { installRecords }] = await Promise.all([
    import('../../plugins/life/remove.ts'),
    import('../../plugins/life/install.ts'),
    import('../../plugins/life/install-records.ts'),
  ])
  const isThere = entryOf(where.configFile, name) !== undefined || installRecords(where.dataDir).some((record) => record.name === name)
  if (!isThere) throw new ParleyError('plugin_not_found', { plugin: name })
  const how = await whichOf(terminal, given, name)
  if (how === null) return exitCode.interrupted
  removePlugin(name, how, where)
  terminal.result({ name, removed: how, file: where.configFile }, () => words.removed[how](name))
  return exitCode.ok
}

async function whichOf(terminal: Terminal, given: Given, name: string): Promise<Removal | null> {
  const { plugins: words } = terminal.words
  const [first, second] = removals.filter((one) => given.on(one))
  if (first && second) throw new UsageError(`--${first} and --${second} are two different wishes.`, 'Give one of them.')
  if (first) return first
  if (!terminal.interactive) throw new ParleyError('needs_terminal', { flag: removals.map((one) => `--${one}`).join(', ') })
  const options = removals.map((value) => ({ value, label: words.removals[value], hint: words.removalHints[value] }))
  const chosen = await askChoice(terminal, words.askRemoval(name), options)
  return removals.find((one) => one === chosen) ?? null
}

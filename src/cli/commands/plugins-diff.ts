import type { CommandFunction } from '../command-row.ts'
import type { Difference } from '../../plugins/lifecycle/config-difference.ts'
import { columns } from '../columns.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { shortPath } from '../places.ts'
import { withProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { plugins: words } = terminal.words
  const name = given.arg(0)
  const files = await pluginPlaces(terminal)
  const { upgradeDifference } = await import('../../plugins/lifecycle/upgrade-difference.ts')
  const isDryRun = given.on('dry-run')
  const upgrade = await withProgress(terminal, words.checking(name), () => upgradeDifference(name, files, { isDryRun }))
  const { before, after, difference } = upgrade
  const rows = difference.map((one) => toRow(terminal, one))
  terminal.result({ ...upgrade, file: files.configFile }, () => [
    before === null || before === after ? words.sameVersion(name, after) : words.newVersion(name, before, after),
    ...(rows.length === 0 ? [words.noDifferences] : [words.differences, ...columns(rows, terminal.width)]),
  ])
  if (!terminal.json) terminal.say(words.untouched(shortPath(files.configFile, terminal.cwd)))
}

function toRow({ words, paint }: Terminal, difference: Difference) {
  const { setting } = difference
  const json = (value: unknown): string => JSON.stringify(value) ?? ''
  switch (difference.kind) {
    case 'default':
      return [
        { text: difference.isNew ? '  +' : '  ·', paint: difference.isNew ? paint.green : paint.dim },
        setting,
        json(difference.value),
      ]
    case 'yours':
      return [{ text: '  ~', paint: paint.yellow }, setting, words.plugins.different(json(difference.value), json(difference.unasked))]
    case 'unknown':
      return [{ text: '  ?', paint: paint.red }, setting, json(difference.value)]
  }
}

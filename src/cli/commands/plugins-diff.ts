import type { Difference } from '../../plugins/life/config-difference.ts'
import { columns } from '../columns.ts'
import type { Given } from '../given.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { shortPath } from '../places.ts'
import { withProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const { plugins: words } = terminal.words
  const name = given.arg(0)
  const where = await pluginPlaces(terminal)
  const { updatePlugin } = await import('../../plugins/life/update.ts')
  const updated = await withProgress(terminal, words.installing(name), () =>
    updatePlugin(name, where, { from: given.optionalArg(1), dryRun: given.on('dry-run'), at: new Date().toISOString() }),
  )
  const { before, after, isSame, isDone, difference } = updated
  const [was, is] = [before.version, after.version]
  const rows = difference.map((one) => rowOf(terminal, one))
  terminal.result({ name, ...updated, file: where.configFile }, () => [
    isSame ? words.same(name, is) : isDone ? words.updated(name, was, is) : words.wouldUpdate(name, was, is),
    ...(rows.length === 0 ? [words.noDifferences] : [words.differences, ...columns(rows, terminal.width)]),
  ])
  if (terminal.json) return
  terminal.say(words.untouched(shortPath(where.configFile, terminal.cwd)), ...(isDone && !isSame ? [words.updateNext] : []))
}

function rowOf({ words, paint }: Terminal, difference: Difference) {
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

import { loadConfig } from '../../config/load.ts'
import { columns } from '../columns.ts'
import type { Given } from '../given.ts'
import { pluginPlaces } from '../plugin-places.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { configFile, dataDir } = await pluginPlaces(terminal)
  const [{ builtIn }, { installRecords }] = await Promise.all([
    import('../../plugins/find-module.ts'),
    import('../../plugins/life/install-records.ts'),
  ])
  const { plugins } = loadConfig(configFile, { optional: true, env: terminal.env }).config
  const records = installRecords(dataDir)
  const there = Object.entries(plugins).map(([name, { enabled, module, config }]) => {
    const record = records.find((one) => one.name === name) ?? null
    return { name, state: enabled ? ('on' as const) : ('off' as const), from: module ?? 'Parley', config, record }
  })
  const others = Object.keys(builtIn)
    .filter((name) => !Object.hasOwn(plugins, name))
    .map((name) => ({ name, state: 'available' as const, from: 'Parley', config: {}, record: null }))
  const all = [...there, ...others]
  const { words, paint } = terminal
  const head = [words.columns.name, words.columns.status, words.plugins.columns.version, words.plugins.columns.from]
  terminal.result(all, () =>
    columns(
      [
        head.map((text) => ({ text, paint: paint.dim })),
        ...all.map(({ name, state, from, record }) => [
          { text: name, paint: paint.bold },
          { text: words.plugins.states[state], paint: state === 'on' ? paint.green : paint.dim },
          record?.version ?? '–',
          from,
        ]),
      ],
      terminal.width,
    ),
  )
  if (there.length === 0 && !terminal.json) terminal.say(words.plugins.none)
}

import { loadConfig } from '../../app/config/load.ts'
import type { PluginConfig } from '../../app/config/plugins-schema.ts'
import type { PluginRecord } from '../../plugins/lifecycle/plugin-records.ts'
import { columns } from '../columns.ts'
import type { Given } from '../given.ts'
import { leftOutPlugins } from '../skipped-plugins.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

type Row = {
  name: string
  state: 'on' | 'off' | 'left-out' | 'available'
  from: string
  config: Record<string, unknown>
  version: string | null
  record: PluginRecord | null
  problem: string | null
}

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { configFile, dataDir } = await pluginPlaces(terminal)
  const [{ builtIn }, { readRecords }, { checkPlugin }] = await Promise.all([
    import('../../plugins/host/find-module.ts'),
    import('../../plugins/lifecycle/plugin-records.ts'),
    import('../../plugins/lifecycle/check-plugin.ts'),
  ])
  const { words, paint } = terminal
  const loaded = loadConfig(configFile, { optional: true, env: withSecrets(terminal.env, dataDir) })
  const records = readRecords(dataDir)
  const findRecord = (name: string): PluginRecord | null => records.find((one) => one.name === name) ?? null
  /** Loads it as the server does, in a process of its own. */
  const tried = async ([name, { enabled, module, config }]: [string, PluginConfig]): Promise<Row> => {
    const record = findRecord(name)
    const row = { name, from: module ?? 'Parley', config, record }
    if (!enabled) return { ...row, state: 'off', version: record?.version ?? null, problem: null }
    const checked = await checkPlugin({ name, module, config, configFile, dataDir })
    const problem = checked.ok ? checked.configFault : checked.fault
    const version = checked.ok ? checked.version : (record?.version ?? null)
    return { ...row, state: problem === null ? 'on' : 'left-out', version, problem }
  }
  const usable = await withProgress(terminal, words.plugins.checking('parley.yaml'), () =>
    Promise.all(Object.entries(loaded.config.plugins).map(tried)),
  )
  const unusable = leftOutPlugins(configFile, loaded).map(({ name, why }): Row => ({
    name,
    state: 'left-out',
    from: 'parley.yaml',
    config: {},
    version: null,
    record: findRecord(name),
    problem: why,
  }))
  const there = [...usable, ...unusable]
  const others = Object.keys(builtIn)
    .filter((name) => !there.some((one) => one.name === name))
    .map((name): Row => ({ name, state: 'available', from: 'Parley', config: {}, version: null, record: null, problem: null }))
  const all = [...there, ...others]
  const head = [words.columns.name, words.columns.status, words.plugins.columns.version, words.plugins.columns.from]
  const paints = { on: paint.green, off: paint.dim, 'left-out': paint.red, available: paint.dim }
  terminal.result(all, () => [
    ...columns(
      [
        head.map((text) => ({ text, paint: paint.dim })),
        ...all.map(({ name, state, from, version }) => [
          { text: name, paint: paint.bold },
          { text: words.plugins.states[state], paint: paints[state] },
          version ?? '–',
          from,
        ]),
      ],
      terminal.width,
    ),
    ...there.flatMap(({ name, problem }) =>
      problem === null ? [] : [`${paint.red('✗')} ${plainText(words.plugins.isSkipped(name, problem))}`],
    ),
  ])
  if (there.length === 0 && !terminal.json) terminal.say(words.plugins.none)
}

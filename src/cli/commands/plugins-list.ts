import { loadConfig } from '../../config/load.ts'
import type { PluginConfig } from '../../config/plugins-schema.ts'
import type { InstallRecord } from '../../plugins/life/install-records.ts'
import { columns } from '../columns.ts'
import type { Given } from '../given.ts'
import { leftOutPlugins } from '../left-out-plugins.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../secrets-file.ts'
import type { Terminal } from '../terminal.ts'

type Row = {
  name: string
  state: 'on' | 'off' | 'left-out' | 'available'
  from: string
  config: Record<string, unknown>
  record: InstallRecord | null
  problem: string | null
}

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { configFile, dataDir } = await pluginPlaces(terminal)
  const [{ builtIn }, { installRecords }, { checkPlugin }] = await Promise.all([
    import('../../plugins/find-module.ts'),
    import('../../plugins/life/install-records.ts'),
    import('../../plugins/life/check-plugin.ts'),
  ])
  const { words, paint } = terminal
  const loaded = loadConfig(configFile, { optional: true, env: withSecrets(terminal.env, dataDir) })
  const records = installRecords(dataDir)
  const recordOf = (name: string): InstallRecord | null => records.find((one) => one.name === name) ?? null
  /** That parley.yaml wants it says little: tried as the server does, apart from this process. */
  const tried = async ([name, { enabled, module, config }]: [string, PluginConfig]): Promise<Row> => {
    const row = { name, from: module ?? 'Parley', config, record: recordOf(name) }
    if (!enabled) return { ...row, state: 'off', problem: null }
    const checked = await checkPlugin({ name, module, config, configFile, dataDir })
    const problem = checked.ok ? checked.configFault : checked.fault
    return { ...row, state: problem === null ? 'on' : 'left-out', problem }
  }
  const usable = await withProgress(terminal, words.plugins.checking('parley.yaml'), () =>
    Promise.all(Object.entries(loaded.config.plugins).map(tried)),
  )
  const unusable = leftOutPlugins(configFile, loaded).map(({ name, why }): Row => ({
    name,
    state: 'left-out',
    from: 'parley.yaml',
    config: {},
    record: recordOf(name),
    problem: why,
  }))
  const there = [...usable, ...unusable]
  const others = Object.keys(builtIn)
    .filter((name) => !there.some((one) => one.name === name))
    .map((name): Row => ({ name, state: 'available', from: 'Parley', config: {}, record: null, problem: null }))
  const all = [...there, ...others]
  const head = [words.columns.name, words.columns.status, words.plugins.columns.version, words.plugins.columns.from]
  const paints = { on: paint.green, off: paint.dim, 'left-out': paint.red, available: paint.dim }
  terminal.result(all, () => [
    ...columns(
      [
        head.map((text) => ({ text, paint: paint.dim })),
        ...all.map(({ name, state, from, record }) => [
          { text: name, paint: paint.bold },
          { text: words.plugins.states[state], paint: paints[state] },
          record?.version ?? '–',
          from,
        ]),
      ],
      terminal.width,
    ),
    ...there.flatMap(({ name, problem }) =>
      problem === null ? [] : [`${paint.red('✗')} ${plainText(words.plugins.leftOut(name, problem))}`],
    ),
  ])
  if (there.length === 0 && !terminal.json) terminal.say(words.plugins.none)
}

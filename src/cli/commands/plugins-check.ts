import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { loadConfig } from '../../app/config/load.ts'
import { ParleyError } from '../../errors.ts'
import type { Checked } from '../../plugins/lifecycle/check-plugin.ts'
import type { ProjectFiles } from '../../plugins/lifecycle/plugin-entry.ts'
import { columns } from '../columns.ts'
import { exitCode } from '../exit-code.ts'
import { pluginPlaces } from '../plugin-places.ts'
import { plainText } from '../plain-text.ts'
import { withProgress } from '../progress.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

type Looked = { plugin: string } & Checked

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const { configFile, dataDir } = await pluginPlaces(terminal)
  const { checkPlugin } = await import('../../plugins/lifecycle/check-plugin.ts')
  const looked: Looked[] = []
  for (const { plugin, name, module, config } of await asked(terminal, { configFile, dataDir }, given.optionalArg(0))) {
    const checked = await withProgress(terminal, words.plugins.checking(plugin), () =>
      checkPlugin({ name, module, config, configFile, dataDir }),
    )
    looked.push({ plugin, ...checked })
  }
  terminal.result(given.optionalArg(0) === undefined ? looked : looked[0], () => looked.flatMap((one) => toLines(terminal, one)))
  if (looked.length === 0 && !terminal.json) terminal.say(words.plugins.none)
  return looked.every((one) => one.ok && one.configFault === null) ? exitCode.ok : exitCode.failed
}

type Asked = { plugin: string; name: string; module: string | undefined; config: Record<string, unknown> }

/** A name of parley.yaml counts first, then one that comes with Parley, then a place on the disk. */
async function asked(
  terminal: Terminal,
  { configFile, dataDir }: Pick<ProjectFiles, 'configFile' | 'dataDir'>,
  typed: string | undefined,
): Promise<Asked[]> {
  const { plugins } = loadConfig(configFile, { optional: true, env: withSecrets(terminal.env, dataDir) }).config
  const entries = Object.entries(plugins).map(([name, { module, config }]) => ({ plugin: name, name, module, config }))
  if (typed === undefined) return entries
  const match = entries.find(({ name }) => name === typed)
  if (match) return [match]
  const { builtIn } = await import('../../plugins/host/find-module.ts')
  if (Object.hasOwn(builtIn, typed)) return [{ plugin: typed, name: typed, module: undefined, config: {} }]
  const target = resolve(terminal.cwd, typed)
  if (!existsSync(target)) throw new ParleyError('plugin_not_found', { plugin: typed })
  return [{ plugin: typed, name: 'plugin', module: target, config: {} }]
}

function toLines(terminal: Terminal, looked: Looked): string[] {
  const { words, paint, width } = terminal
  const { plugins } = words
  if (!looked.ok) return [`${paint.red('✗')} ${plainText(plugins.wrong(looked.plugin, looked.fault))}`]
  const { name, version, about, offers, config, configFault } = looked
  const head =
    configFault === null
      ? `${paint.green('✓')} ${plainText(plugins.fine(name, version))} ${plainText(about)}`
      : `${paint.yellow('!')} ${plainText(plugins.wrong(`${name} ${version}`, plugins.needsConfig(configFault, name)))}`
  const settings = Object.entries(config).map(([setting, value]) => `${setting}: ${JSON.stringify(value)}`)
  return [
    head,
    ...columns(
      [
        [`  ${plugins.offers}`, offers.join(', ') || plugins.offersNothing],
        [`  ${plugins.settings}`, settings.join(', ') || plugins.noSettings],
      ],
      width,
    ),
  ]
}

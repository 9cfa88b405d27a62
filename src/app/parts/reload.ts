import type { LiveTeam } from '../../agents/live-team.ts'
import type { OpenMessaging } from '../../chats/open-messaging.ts'
import type { Plugins } from '../../plugins/host/load-plugins.ts'
import type { Log } from '../../ports/log.ts'
import type { Loaded } from '../config/load.ts'
import { watchConfig } from '../config/watch.ts'
import { watchModules } from '../config/watch-modules.ts'
import type { LivePolicy } from './live-policy.ts'
import type { Part } from './part-stack.ts'
import { choosePlugins } from './plugins.ts'
import type { Settings } from './settings.ts'

export type ReloadParts = {
  settings: Settings
  policy: LivePolicy
  plugins: Plugins
  team: LiveTeam
  messaging: OpenMessaging
  isDemo: boolean
  problems(): string[]
  log: Log
}

/** Applies changes of parley.yaml, and of the modules it names, while the server runs. */
export const reloadPart = ({ settings, policy, plugins, team, messaging, isDemo, problems, log }: ReloadParts): Part<() => void> => {
  let last: Promise<void> = Promise.resolve()
  /** One after the other: a change over HTTP is applied at once, and the watch sees it as well. */
  const apply = (): Promise<void> => (last = last.catch(() => {}).then(applyNow))
  /** Plugins first: they bring tools, agents and kinds of channels. */
  async function applyNow(): Promise<void> {
    await plugins.replace(choosePlugins(settings.current(), isDemo))
    await team.replace(settings.current())
    await messaging.replace(settings.current().channels)
  }
  const reload = (what: string): Promise<void> =>
    apply().then(
      () => log(problems().length > 0 ? 'warn' : 'info', `${what} was read again`, { problems: problems() }),
      (error: unknown) => log('error', 'the team could not be made anew; the last one stays', { error }),
    )
  async function adopt(changed: Loaded): Promise<void> {
    settings.replace(changed)
    await policy.read(changed)
    await reload('the configuration')
  }
  return {
    name: 'reload',
    start() {
      const { file, initial, env } = settings
      settings.onReread(adopt)
      const stopWatchingFile = watchConfig(file, (changed) => void adopt(changed), { initial, env })
      const stopWatchingModules = watchModules(settings.current, file, () => void reload('a module'))
      return () => {
        stopWatchingFile()
        stopWatchingModules()
      }
    },
    stop: (stopWatching) => stopWatching(),
  }
}

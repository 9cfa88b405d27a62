import type { LiveTeam } from '../../agents/live-team.ts'
import type { OpenMessaging } from '../../chats/open-messaging.ts'
import type { Plugins } from '../../plugins/host/load-plugins.ts'
import type { Log } from '../../ports/log.ts'
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
  /** Plugins first: they bring tools, agents and kinds of channels. */
  async function apply(): Promise<void> {
    await plugins.replace(choosePlugins(settings.current(), isDemo))
    await team.replace(settings.current())
    await messaging.replace(settings.current().channels)
  }
  const reload = (what: string): void => {
    apply().then(
      () => log(problems().length > 0 ? 'warn' : 'info', `${what} was read again`, { problems: problems() }),
      (error: unknown) => log('error', 'the team could not be made anew; the last one stays', { error }),
    )
  }
  return {
    name: 'reload',
    start() {
      const { file, initial, env } = settings
      const stopWatchingFile = watchConfig(
        file,
        (changed) => {
          settings.replace(changed)
          void policy.read(changed).then(() => reload('the configuration'))
        },
        { initial, env },
      )
      const stopWatchingModules = watchModules(settings.current, file, () => reload('a module'))
      return () => {
        stopWatchingFile()
        stopWatchingModules()
      }
    },
    stop: (stopWatching) => stopWatching(),
  }
}

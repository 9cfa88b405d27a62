import { loadPlugins, type Plugins, type PluginsParts } from '../../plugins/host/load-plugins.ts'
import type { Config } from '../config/schema.ts'
import type { ChatLink } from './chat-link.ts'
import type { Part } from './part-stack.ts'

export const pluginsPart = (parts: Omit<PluginsParts, 'chats'> & { chats: ChatLink }): Part<Plugins> => ({
  name: 'plugins',
  start: () => loadPlugins(parts),
  async stop(plugins) {
    parts.chats.release()
    await plugins.close()
  },
})

/** The demo shows reply-end controls on its page. In chat apps, and with a team in parley.yaml, only that file adds plugins. */
export function choosePlugins({ plugins, team: { members } }: Config, isDemo: boolean): Pick<Config, 'plugins'> {
  if (!isDemo || Object.keys(members).length > 0) return { plugins }
  return { plugins: { 'reply-end-controls': { enabled: true, config: { channels: ['web'] } }, ...plugins } }
}

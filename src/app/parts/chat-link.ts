import type { Chats } from '../../agents/equipment.ts'
import type { OpenMessaging } from '../../chats/open-messaging.ts'
import type { PluginMessages } from '../../ports/hooks.ts'
import { ParleyError } from '../../errors.ts'

/**
 * The chat apps, for parts that start before them: plugins and the team. Chat apps need dialogs, dialogs need the team, and the
 * team needs plugins, so the chat apps register themselves here when they are open.
 */
export type ChatLink = Chats & {
  /** Waits until the accounts are connected: what a crash left to do is begun while plugins load. */
  stripControls: OpenMessaging['stripControls']
  readonly ofPlugins: PluginMessages
  register(messaging: OpenMessaging): void
  /** The accounts of the configuration were tried. */
  connected(): void
  /** Calls that wait for the accounts fail: they will not be connected any more. */
  release(): void
}

export function chatLink(): ChatLink {
  let messaging: OpenMessaging | null = null
  const accounts = Promise.withResolvers<OpenMessaging>()
  accounts.promise.catch(() => {})
  return {
    messaging: () => messaging,
    sheets: () => messaging?.sheets() ?? [],
    stripControls: async (at, isOwn) => (await accounts.promise).stripControls(at, isOwn),
    ofPlugins: {
      send: async (plugin, message) => (await accounts.promise).ofPlugins.send(plugin, message),
      edit: async (plugin, delivery, message) => (await accounts.promise).ofPlugins.edit(plugin, delivery, message),
      say: async (plugin, said) => (await accounts.promise).ofPlugins.say(plugin, said),
    },
    register(opened) {
      messaging = opened
    },
    connected() {
      if (messaging) accounts.resolve(messaging)
    },
    release: () => accounts.reject(new ParleyError('shutting_down')),
  }
}

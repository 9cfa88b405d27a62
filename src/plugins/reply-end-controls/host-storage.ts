import type { PluginStorage } from '../host/plugin.ts'
import type { ConversationControls } from '../../../packages/reply-end/src/control-record.ts'
import { live } from '../../../packages/reply-end/src/decide.ts'
import type { EndStorage } from '../../../packages/reply-end/src/storage.ts'

const prefix = 'controls/'

export type HostStorage = EndStorage & {
  /** Finds what an earlier process left; until then only what this one touched is known. */
  findAll(): Promise<void>
  /** Only of one account. */
  of(account: string): EndStorage
}

/**
 * The controls in the documents of the plugin, one document for each place. A sweep looks only at places where something
 * is offered or left undone: most have neither, and there may be very many of them.
 */
export function hostStorage(storage: PluginStorage): HostStorage {
  const open = new Set<string>()
  const watch = (conversation: string, controls: ConversationControls): void => {
    if (live(controls) || controls.effects.length > 0) open.add(conversation)
    else open.delete(conversation)
  }
  const endStorage: EndStorage = {
    async get(conversation) {
      const match = await storage.get(prefix + conversation)
      if (!match || match.value === null) return null
      const controls = match.value as ConversationControls
      watch(conversation, controls)
      return { controls, rev: match.rev }
    },
    async put(controls, expected) {
      const isWritten = await storage.put(prefix + controls.conversation, controls, expected)
      if (isWritten) watch(controls.conversation, controls)
      return isWritten
    },
    conversations: async () => [...open],
  }
  return {
    ...endStorage,
    of: (account) => ({ ...endStorage, conversations: async () => [...open].filter((one) => one.startsWith(`${account}/`)) }),
    async findAll() {
      for (const key of await storage.keys()) if (key.startsWith(prefix)) open.add(key.slice(prefix.length))
    },
  }
}

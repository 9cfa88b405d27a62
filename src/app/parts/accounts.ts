import type { OpenMessaging } from '../../chats/open-messaging.ts'
import type { ChatLink } from './chat-link.ts'
import type { Part } from './part-stack.ts'
import type { Settings } from './settings.ts'

/** Connects the accounts of parley.yaml. The chats part closes them. */
export const accountsPart = (parts: { messaging: OpenMessaging; chats: ChatLink; settings: Settings }): Part<void> => ({
  name: 'accounts',
  async start() {
    await parts.messaging.replace(parts.settings.current().channels)
    parts.chats.connected()
  },
})

import { toAuthor } from '../authority/people.ts'
import { ParleyError } from '../errors.ts'
import { type PluginMessages, pluginVia } from '../ports/hooks.ts'
import type { Parley } from '../shapes/parley.ts'
import { accountNamed, type Connections } from './connections.ts'
import { aboutPlugin } from './outbox/message-purpose.ts'
import type { Outbox } from './outbox/outbox.ts'

export function pluginMessages({
  connections,
  outbox,
  parley,
}: {
  connections: Connections
  outbox: Outbox
  parley: { dialogs: Pick<Parley['dialogs'], 'say'> }
}): PluginMessages {
  return {
    async send(plugin, { channel, target, message, once }) {
      const account = accountNamed(connections, channel)
      const address = account.channel?.address.parse(target) ?? target
      const name = onceName(plugin, once)
      const about = aboutPlugin(plugin)
      const { delivery } = await outbox.plan({ channel: account.name, address, message, about, once: name })
      return { delivery }
    },
    async edit(plugin, delivery, message) {
      const { about, address } = await outbox.get(delivery)
      if (about !== aboutPlugin(plugin)) throw new ParleyError('message_not_ours', { message: delivery, target: address })
      await outbox.edit(delivery, message)
    },
    async say(plugin, { dialog, text, once }) {
      const key = onceName(plugin, once)
      const by = { kind: 'human' as const, ...toAuthor({ surface: 'plugin', name: plugin }, []) }
      await parley.dialogs.say(dialog, text, { by, via: pluginVia, once: { key, request: key } })
    },
  }
}

/** Without a name a repeat after a crash would be sent twice; plugins in JavaScript may forget it. */
function onceName(plugin: string, once: string): string {
  if (!once) throw new ParleyError('bad_request', { field: 'once', why: 'it is empty' })
  return `${aboutPlugin(plugin)}:${once}`
}

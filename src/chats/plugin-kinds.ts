import type { ChannelConfig } from '../app/config/channels-schema.ts'
import type { Channel } from '../ports/channel.ts'
import type { Connect, Connection } from './connections.ts'
import { errorMessage } from '../errors.ts'

type Factory = (account: { name: string; config: Record<string, unknown> }) => Channel | Promise<Channel>

/** Kinds of channels that plugins bring. What such a platform tells us comes by its webhook. */
export function getKinds(factories: Readonly<Record<string, Factory>>): Readonly<Record<string, Connect>> {
  return Object.fromEntries(Object.entries(factories).map(([kind, make]) => [kind, connectBy(kind, make)]))
}

function connectBy(kind: string, make: Factory): Connect {
  return ({ name, config }, { log }): Connection => {
    const loaded = Promise.withResolvers<void>()
    const connection: Connection = {
      name,
      kind,
      config: { ...config, webhook: config.webhook ?? ownWebhook },
      channel: null,
      state: 'connecting',
      account: null,
      problem: null,
      ready: loaded.promise,
      check: async () => (connection.problem === null ? { account: name } : { problem: connection.problem }),
      async close() {
        connection.state = 'off'
        connection.channel = null
      },
    }
    const begin = async (): Promise<void> => {
      const channel = await make({ name, config: config.options })
      if (connection.state === 'off') return
      connection.channel = { ...channel, name }
      connection.state = 'connected'
    }
    begin()
      .catch((error: unknown) => {
        connection.state = 'waiting'
        connection.problem = `the plugin could not connect it: ${errorMessage(error)}`
        log('error', `${name} could not be connected`, { error })
      })
      .finally(loaded.resolve)
    return connection
  }
}

/** Its own check of what is genuine counts. */
const ownWebhook: NonNullable<ChannelConfig['webhook']> = { url: '', secret: '' }

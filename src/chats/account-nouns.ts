import { messagingWords } from '../words/index.ts'
import { ParleyError } from '../errors.ts'
import type { Messaging, Target } from '../shapes/messaging.ts'
import type { Parley } from '../shapes/parley.ts'
import type { PairingRequests } from './announce/pairing-requests.ts'
import type { Bindings } from './bindings/bindings.ts'
import type { ChatAddress } from './bindings/chat-address.ts'
import { accountNamed, type Connection, type Connections } from './connections.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { NameRequest } from './request-names.ts'

/** An account whose agent does not exist is answered by no one. Null without a problem. */
export function findAgentProblem({ config: { agent } }: Connection, agents: readonly string[]): string | null {
  if (agent === undefined || agents.length === 0 || agents.includes(agent)) return null
  return `there is no agent called ${agent}; there are ${agents.join(', ')}`
}

export function channelNouns(parts: {
  connections: Connections
  outbox: Pick<Outbox, 'plan' | 'get'>
  agents: () => readonly string[]
  nameRequest: NameRequest
}): Messaging['channels'] {
  const { connections, outbox, agents, nameRequest } = parts
  return {
    list: () =>
      connections.list().map((connection) => {
        const { name, kind, state, account, receives, problem } = connection
        return { name, kind, state, account, receives, problem: problem ?? findAgentProblem(connection, agents()) }
      }),
    async test(channel, caller, target) {
      const { name, config, check } = accountNamed(connections, channel)
      const checked = await check()
      if ('problem' in checked) throw new ParleyError('channel_off', { channel: name, why: checked.problem.replace(/\.$/, '') })
      if (target === undefined) return { account: checked.account, delivery: null }
      const message = { text: messagingWords[config.language ?? 'en'].test }
      const plan = { channel: name, address: target, message, about: 'test', ...(await nameRequest('test', caller)) }
      const { delivery } = await outbox.plan(plan)
      return { account: checked.account, delivery: await outbox.get(delivery) }
    },
  }
}

export function pairingNouns(parts: {
  connections: Connections
  bindings: Bindings
  requests: PairingRequests
  dialogs: Pick<Parley['dialogs'], 'get'>
  nameRequest: NameRequest
}): Pick<Messaging, 'pairings' | 'unclaimed' | 'dismissUnclaimed'> {
  const { connections, bindings, requests, dialogs, nameRequest } = parts
  const addressIn = ({ channel, target }: Target): ChatAddress => ({ channel: accountNamed(connections, channel).name, address: target })
  return {
    pairings: {
      list: async (state) => (await bindings.list(state)).map(({ stream: _stream, ...view }) => view),
      accept: async (code, caller, dialog) => requests.accept(code, caller.by.name, { dialog, ...(await nameRequest('accept', caller)) }),
      decline: async (code, caller) => requests.decline(code, caller.by.name, (await nameRequest('decline', caller)).once),
      block: (target, { by }) => requests.block(addressIn(target), by.name),
      unblock: (target, { by }) => bindings.unblock(addressIn(target), by.name),
      async bind(target, dialog, { by }) {
        await dialogs.get(dialog)
        return bindings.bind(addressIn(target), dialog, by.name)
      },
      unbind: (target, { by }) => bindings.unbind(addressIn(target), by.name),
    },
    unclaimed: () => bindings.unclaimed(),
    dismissUnclaimed: (which, { by, once }) => bindings.dismissUnclaimed(which, by.name, once && `${by.name}:${once.key}`),
  }
}

import type { ReadFile } from './channels/telegram/client.ts'
import type { ChannelConfig } from '../app/config/channels-schema.ts'
import { ParleyError } from '../errors.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ChannelView } from '../shapes/messaging.ts'
import type { Reading } from './chat-duty.ts'
import { connectTelegram } from './connect-telegram.ts'

/** An account that is connecting, connected, or waiting for a person to fix a problem. */
export type Connection = {
  readonly name: string
  readonly kind: string
  readonly config: ChannelConfig
  /** Null until the platform's library is loaded. */
  channel: Channel | null
  state: ChannelView['state']
  account: string | null
  problem: string | null
  /** Resolves when it can be written to, or is known not to. */
  readonly ready: Promise<void>
  /** Asks the platform for the name of the account. */
  check(): Promise<{ account: string } | { problem: string }>
  close(): Promise<void>
}

/** Stores updates of a platform. They are durable when it resolves. */
export type Take = (channel: Channel, bodies: readonly unknown[]) => Promise<void>

/** A way to connect accounts of one kind; plugins bring their own. */
export type Connect = (account: { name: string; config: ChannelConfig }, parts: ConnectParts) => Connection

/** A connection that fetches updates does so only while `reading` is on: another process does otherwise. */
export type ConnectParts = { take: Take; readFile: ReadFile; reading: Reading; clock: Clock; log: Log }

/** The built-in kinds. Listing them loads no platform library. */
export const builtInKinds: Readonly<Record<string, Connect>> = { telegram: connectTelegram }

export const getKind = (name: string, { kind }: Pick<ChannelConfig, 'kind'>): string => kind ?? name

export type Connections = {
  get(name: string): Channel | undefined
  connection(name: string): Connection | undefined
  /** The kind of an account; its name where the account is unknown. */
  getKind(name: string): string
  list(): Connection[]
  /** Opens new accounts, closes removed and changed ones, and keeps the others. `take` gets the updates they read. */
  replace(config: Readonly<Record<string, ChannelConfig>>, take: Take): Promise<void>
  problems(): string[]
  close(): Promise<void>
}

/** The account that is meant: by its name, as the only one of its kind, or as the only one there is. */
export function accountNamed(accounts: Pick<Connections, 'list'>, channel: string | undefined): Connection {
  const all = accounts.list()
  if (all.length === 0) throw new ParleyError('no_channels')
  const matches = channel === undefined ? all : all.filter(({ name, kind }) => name === channel || kind === channel)
  const match = matches.find(({ name }) => name === channel) ?? (matches.length === 1 ? matches[0] : undefined)
  if (match) return match
  const names = all.map(({ name }) => name).join(', ')
  throw matches.length === 0
    ? new ParleyError('channel_not_found', { channel: channel ?? '', known: names })
    : new ParleyError('channel_unclear', { known: names })
}

export function connections(parts: Omit<ConnectParts, 'take'> & { kinds?: () => Readonly<Record<string, Connect>> }): Connections {
  const { kinds = () => ({}) } = parts
  const open = new Map<string, { made: string; connection: Connection }>()
  let unusable: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  async function apply(config: Readonly<Record<string, ChannelConfig>>, take: Take): Promise<void> {
    unusable = []
    const kindsByName: Readonly<Record<string, Connect>> = { ...kinds(), ...builtInKinds }
    const enabled = new Map(Object.entries(config).filter(([, each]) => each.enabled))
    for (const [name, { made, connection }] of open) {
      const next = enabled.get(name)
      if (next && JSON.stringify(next) === made) continue
      open.delete(name)
      await connection.close()
    }
    for (const [name, each] of enabled) {
      if (open.has(name)) continue
      const kind = getKind(name, each)
      const connect = Object.hasOwn(kindsByName, kind) ? kindsByName[kind] : undefined
      if (connect) open.set(name, { made: JSON.stringify(each), connection: connect({ name, config: each }, { ...parts, take }) })
      else unusable.push(`channels.${name}: there is no kind of channel called ${kind}. Known: ${Object.keys(kindsByName).join(', ')}.`)
    }
    await Promise.all([...open.values()].map(({ connection }) => connection.ready))
  }

  return {
    get: (name) => open.get(name)?.connection.channel ?? undefined,
    connection: (name) => open.get(name)?.connection,
    getKind: (name) => open.get(name)?.connection.kind ?? name,
    list: () => [...open.values()].map(({ connection }) => connection),
    replace(config, take) {
      const applied = last.then(() => apply(config, take))
      last = applied.catch(() => {})
      return applied
    },
    problems: () => [
      ...unusable,
      ...[...open.values()].flatMap(({ connection: { name, problem } }) => (problem === null ? [] : [`channels.${name}: ${problem}`])),
    ],
    async close() {
      await last
      await Promise.all([...open.values()].map(({ connection }) => connection.close()))
      open.clear()
    },
  }
}

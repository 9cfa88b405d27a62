import type { ChannelConfig } from '../app/config/channels-schema.ts'
import { ParleyError } from '../errors.ts'
import type { ChannelKind, Cursor, OpenAccount, OpenParts, TapVerdict } from '../ports/channel-kind.ts'
import type { Channel, Inbound } from '../ports/channel.ts'
import type { ChannelView } from '../shapes/messaging.ts'
import { builtInKinds, getKind } from './channels/registry.ts'
import { connectAccount } from './connect-account.ts'

/** A configured account. */
export type Connection = Pick<OpenAccount, 'channel' | 'webhook' | 'ready' | 'check' | 'close'> & {
  readonly name: string
  readonly kind: string
  readonly config: ChannelConfig
  readonly receives: OpenAccount['receives'] | null
  readonly state: ChannelView['state']
  readonly account: string | null
  readonly problem: string | null
}

/** Stores what an account received. It is durable when this resolves; with `forVerdict`, with the outcome of a tap. */
export type Take = (account: string, inbounds: readonly Inbound[], by: { forVerdict: boolean }) => Promise<TapVerdict | undefined>

export type ConnectParts = Pick<OpenParts, 'readFile' | 'reading' | 'clock' | 'log'> & {
  take: Take
  openCursor(account: string): Cursor
  /** Address of the webhook of an account; null where the address of the server is not known. */
  webhookUrl(account: string): string | null
}

/** Kinds that plugins bring. */
export type PluginKinds = Readonly<Record<string, ChannelKind>>

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

export function connections(parts: Omit<ConnectParts, 'take'> & { kinds?: () => PluginKinds }): Connections {
  const { kinds = () => ({}) } = parts
  const open = new Map<string, { made: string; connection: Connection }>()
  let unusable: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  async function apply(config: Readonly<Record<string, ChannelConfig>>, take: Take): Promise<void> {
    unusable = []
    const loaders: Record<string, () => Promise<ChannelKind>> = {}
    for (const [kind, one] of Object.entries<ChannelKind>(kinds())) loaders[kind] = () => Promise.resolve(one)
    for (const [kind, { load }] of Object.entries(builtInKinds)) loaders[kind] = load
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
      const load = Object.hasOwn(loaders, kind) ? loaders[kind] : undefined
      if (load)
        open.set(name, { made: JSON.stringify(each), connection: connectAccount({ name, kind, config: each, load }, { ...parts, take }) })
      else unusable.push(`channels.${name}: there is no kind of channel called ${kind}. Known: ${Object.keys(loaders).join(', ')}.`)
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

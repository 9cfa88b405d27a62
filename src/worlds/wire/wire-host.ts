import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type {
  AccountView,
  HostInput,
  HostOperation,
  HostOutput,
  HostResult,
  RequestView,
  TurnLink,
  WorldsHost,
} from '../../ports/worlds.ts'
import type { Language } from '../../shapes/language.ts'
import { signStatement } from '../keys/statements.ts'
import type { Identity } from '../keys/identity-file.ts'
import { httpCalls } from './http-calls.ts'
import type { Identities } from './identities.ts'
import { type ConnectionState, type MemberConnection, memberConnection } from './member-connection.ts'
import type { MemberRecords, Own } from './member-records.ts'
import type { Socket } from './socket.ts'
import { type WireLimits, wireLimits } from './wire-limits.ts'

type Parts = {
  /** Origin of the host, such as `https://worlds.example.org`. */
  host: string
  identities: Identities
  records: MemberRecords
  dial: () => Promise<Socket>
  clock: Clock
  random: () => number
  log: Log
  limits?: WireLimits
  fetchImpl?: typeof fetch
}

export type WireHost = WorldsHost & {
  state(account: string): ConnectionState
  /** Makes a new key, tells the host and uses it from then on. Repeated after a crash, it goes on with the same key. */
  rotateKey(account: string): Promise<HostResult<AccountView>>
  /** For good. Works without a connection. */
  closeAccount(account: string): Promise<HostResult<AccountView>>
}

type SignedText = { request: string; text: string; link: TurnLink }

/** A host that is reached over the wire: the same interface as one in this process. Turns are signed on the way out. */
export function wireHost(parts: Parts): WireHost {
  const { host, identities, records, clock, log, limits = wireLimits } = parts
  const http = httpCalls({ host, clock, limits, ...(parts.fetchImpl && { fetchImpl: parts.fetchImpl }) })
  const connections = new Map<string, { connection: MemberConnection; own: Own }>()

  function getConnection(account: string): { connection: MemberConnection; own: Own } {
    const entry = connections.get(account)
    if (!entry) throw new ParleyError('world_host_unreachable', { host, why: 'the account has not been opened yet' }, { retryable: true })
    return entry
  }

  /** The last answers of the host serve while it is away: deliveries and results wait until it is back. */
  async function view(member: string, identity: Identity, language: Language): Promise<HostResult<AccountView>> {
    try {
      const opened = (await http(identity, 'account.open', { member: identity.name, language })) as HostResult<AccountView>
      if (opened.ok)
        identities.noteAccount(member, { agent: opened.value.agent, code: opened.value.identity.agentCode, view: opened.value })
      return opened
    } catch (error) {
      if (!identity.account) throw error
      log('warn', 'the world host cannot be reached; its last answer is used', { host, error })
      return { ok: true, value: { ...(identity.account.view as AccountView), isOnline: false } }
    }
  }

  async function open(member: string, language: Language): Promise<HostResult<AccountView>> {
    const identity = identities.open(member)
    const opened = await view(member, identity, language)
    if (!opened.ok) return opened
    const { agent } = opened.value
    const own: Own = {
      account: agent,
      code: opened.value.identity.agentCode,
      keys: () => {
        const { key, past } = identities.open(member)
        return [key.publicKey, ...past]
      },
    }
    if (!connections.has(agent)) {
      const current = (): Identity => identities.open(member)
      const connection = memberConnection({
        host,
        identity: current,
        own,
        language,
        dial: parts.dial,
        overHttp: (name, input) => http(current(), name, input),
        records,
        clock,
        random: parts.random,
        log,
        limits,
      })
      connections.set(agent, { connection, own })
    }
    if (identity.next) await rotateKey(agent)
    return opened
  }

  /** By account and request, because two accounts of one owner may talk with each other. The reader of a turn is in the signed bytes. */
  const peers = new Map<string, string>()
  async function findPeer(connection: MemberConnection, account: string, request: string): Promise<string | null> {
    const key = `${account} ${request}`
    const code = peers.get(key)
    if (code !== undefined) return code
    const result = (await connection.call('requests.get', { request })) as HostResult<RequestView>
    if (!result.ok) return null
    peers.set(key, result.value.counterparty.agentCode)
    if (peers.size > wireHostLimits.rememberedPeers) peers.delete(peers.keys().next().value ?? '')
    return result.value.counterparty.agentCode
  }

  async function sendSigned(account: string, name: HostOperation, input: SignedText): Promise<HostResult<unknown>> {
    const { connection, own } = getConnection(account)
    const to = await findPeer(connection, account, input.request)
    if (to === null) return connection.call(name, input)
    const { turn, previous, hash } = input.link
    const value = { from: own.code, to, intent: input.request, turn, previous, text: input.text }
    const { key } = getIdentity(account)
    const signature = await signStatement({ kind: 'turn', value }, key)
    const result = await connection.call(name, { ...input, link: { ...input.link, signature } })
    if (result.ok) await records.keepOwn(own, { ...value, hash, key: key.publicKey, signature })
    return result
  }

  /** A turn that the host took before it or this process died is known only from the transcript: the sender cannot tell it was taken. */
  async function readTurns(account: string, input: HostInput<'conversations.turns'>): Promise<HostResult<unknown>> {
    const { connection, own } = getConnection(account)
    const read = (await connection.call('conversations.turns', input)) as HostResult<HostOutput<'conversations.turns'>>
    if (!read.ok || read.value.turns.length <= (await records.head(account, input.request)).turns) return read
    const got = (await connection.call('requests.get', input)) as HostResult<RequestView>
    const refusal = got.ok ? await records.catchUp(own, got.value, read.value.turns) : got.refusal
    if (refusal) log('warn', 'turns of a conversation were not kept', { request: input.request, code: refusal.code })
    return read
  }

  function getIdentity(account: string): Identity {
    const identity = identities.ofAgent(account)
    if (!identity) throw new ParleyError('key_file_broken', { path: account })
    return identity
  }

  async function rotateKey(account: string): Promise<HostResult<AccountView>> {
    const identity = identities.beginRotation(account)
    if (!identity.next) throw new ParleyError('key_file_broken', { path: account })
    const previous = identity.key.publicKey
    const set = (await http(identity, 'account.set-key', { key: identity.next.publicKey, previous })) as HostResult<AccountView>
    // A crash after the host took the key: it no longer knows the old one, and the new one proves itself.
    const isKnown = set.ok || (await http({ ...identity, key: identity.next }, 'account.view', {})).ok
    if (isKnown) identities.endRotation(account)
    return set
  }

  return {
    rotateKey,
    closeAccount: (account) => http(getIdentity(account), 'account.close', {}) as Promise<HostResult<AccountView>>,
    async call<Name extends HostOperation>(account: string, name: Name, input: HostInput<Name>) {
      const result = await dispatch(account, name, input)
      return result as HostResult<HostOutput<Name>>
    },
    connect: (account, member) => getConnection(account).connection.open(member),
    state: (account) => connections.get(account)?.connection.state() ?? 'stopped',
  }

  function dispatch(account: string, name: HostOperation, input: object): Promise<HostResult<unknown>> {
    if (name === 'account.open') {
      const { member, language } = input as HostInput<'account.open'>
      return open(member, language)
    }
    if (name === 'deliveries.reply' || name === 'conversations.write') return sendSigned(account, name, input as SignedText)
    if (name === 'conversations.turns') return readTurns(account, input as HostInput<'conversations.turns'>)
    return getConnection(account).connection.call(name, input)
  }
}

export const wireHostLimits = { rememberedPeers: 1_000 } as const

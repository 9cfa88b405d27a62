import { randomBytes } from 'node:crypto'
import { type Refusal, refuse } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AccountView, HostOperation, HostResult, RequestView, TurnLink, WorldsHost } from '../../ports/worlds.ts'
import type { Language } from '../../shapes/language.ts'
import { sha256, verifyStatement } from '../keys/statements.ts'
import { turnHash } from '../rules/turn-chain.ts'
import { readInput, toOperation } from './calls.ts'
import type { ResultFrame, SignedHead } from './frames.ts'
import type { Heads } from './heads.ts'
import { type HostSession, hostSession } from './host-session.ts'
import { checkProof, isFirstKey, type SignedProof } from './proofs.ts'
import { buckets } from './rate.ts'
import type { Socket } from './socket.ts'
import { closeCodes, type WireLimits } from './wire-limits.ts'

export type HostEndpointParts = {
  host: WorldsHost
  heads: Heads
  clock: Clock
  log: Log
  limits: WireLimits
  /** Origins under which members know this host. A proof names the one it was made for. */
  origins: () => readonly string[]
}

/** The account that a proof belongs to. */
export type Proven = { account: string; code: string }

export type HostEndpoint = {
  /** Takes over a new connection. `address` is where it comes from. */
  accept(socket: Socket, address: string): void
  prove(proof: SignedProof, nonce: string, address: string, language: Language): Promise<Proven | { refused: Refusal }>
  call(proven: Proven, name: HostOperation, input: unknown): Promise<HostResult<unknown>>
  settle(proven: Proven, frame: ResultFrame): Promise<HostResult<unknown>>
  connections(): number
  close(): void
}

type SignedText = { request: string; text: string; link: TurnLink }

export function hostEndpoint(parts: HostEndpointParts): HostEndpoint {
  const { host, heads, clock, log, limits, origins } = parts
  const sessions = new Set<HostSession>()
  const byAccount = new Map<string, HostSession>()
  const byCode = new Map<string, HostSession>()
  const mayProve = buckets(clock, limits.proofsPerSecond, limits.proofsAtOnce)

  async function prove(proof: SignedProof, nonce: string, address: string, language: Language): Promise<Proven | { refused: Refusal }> {
    if (!mayProve(address)) return refuse('too_many_requests', { seconds: Math.ceil(1 / limits.proofsPerSecond) })
    const refusal = await checkProof(proof, { hosts: origins(), nonce, now: clock.now(), limits })
    if (refusal) return refusal
    const opened = await host.call('', 'account.open', { member: proof.name, language })
    if (!opened.ok) return { refused: opened.refusal }
    const keyed = opened.value.key === null && isFirstKey(proof) ? await setFirstKey(opened.value, proof.key) : opened
    if (!keyed.ok) return { refused: keyed.refusal }
    if (keyed.value.key !== proof.key) return refuse('account_not_proven', { why: 'the account uses another key' })
    return { account: keyed.value.agent, code: keyed.value.identity.agentCode }
  }

  const setFirstKey = (view: AccountView, key: string): Promise<HostResult<AccountView>> =>
    host.call(view.agent, 'account.set-key', { key, previous: null })

  /** A turn is stored only with a signature of its writer, by the key that the account has now. */
  async function checkTurn(proven: Proven, { request, text, link }: SignedText): Promise<Refusal | null> {
    const [account, view] = await Promise.all([
      host.call(proven.account, 'account.view', {}),
      host.call(proven.account, 'requests.get', { request }),
    ])
    if (!view.ok) return view.refusal
    if (!account.ok) return account.refusal
    const { turn, previous, hash, signature } = link
    const value = { from: proven.code, to: view.value.counterparty.agentCode, intent: request, turn, previous, text }
    const isSigned =
      turnHash(value, sha256) === hash &&
      signature !== null &&
      (await verifyStatement({ kind: 'turn', value }, signature, account.value.key ?? ''))
    return isSigned ? null : refuse('turn_signature_invalid', { turn, request, code: proven.code }).refused
  }

  async function call(proven: Proven, name: HostOperation, input: unknown): Promise<HostResult<unknown>> {
    if (name === 'account.open')
      return { ok: false, refusal: refuse('bad_request', { field: 'operation', why: 'is not a command' }).refused }
    const read = readInput(name, input)
    if ('refused' in read) return { ok: false, refusal: read.refused }
    if (name === 'deliveries.reply' || name === 'conversations.write') {
      const refusal = await checkTurn(proven, read.value as SignedText)
      if (refusal) return { ok: false, refusal }
    }
    return host.call(proven.account, name, read.value)
  }

  async function settle(proven: Proven, frame: ResultFrame): Promise<HostResult<unknown>> {
    const { name, input } = toOperation(frame)
    const result = await call(proven, name, input)
    if (!result.ok) return result
    byAccount.get(proven.account)?.confirm(frame.deliveryId)
    if (frame.type === 'accepted' && frame.head) await passHead(proven, result.value as RequestView, frame.head)
    return result
  }

  async function passHead(proven: Proven, view: RequestView, head: { turn: number; hash: string; signature: string }): Promise<void> {
    const account = await host.call(proven.account, 'account.view', {})
    if (!account.ok || account.value.key === null) return
    const value = { by: proven.code, intent: view.request, turn: head.turn, hash: head.hash }
    if (!(await verifyStatement({ kind: 'head', value }, head.signature, account.value.key))) return
    const signedHead: SignedHead = { ...head, by: proven.code, key: account.value.key }
    if (await heads.keep(view.request, signedHead))
      byCode.get(view.counterparty.agentCode)?.send({ type: 'head', chatRequestId: view.request, peerHead: signedHead })
  }

  return {
    prove,
    call,
    settle,
    connections: () => sessions.size,
    accept(socket, address) {
      const unproven = Array.from(sessions).filter(({ isProven }) => !isProven()).length
      const session = hostSession({
        ...parts,
        socket,
        nonce: randomBytes(24).toString('base64url'),
        prove: (proof, nonce, language) => prove(proof, nonce, address, language),
        call,
        settle,
        proven(found) {
          byAccount.get(found.account)?.end(closeCodes.duplicate, 'duplicate connection')
          byAccount.set(found.account, session)
          byCode.set(found.code, session)
          return host.connect(found.account, { receive: session.receive })
        },
        closed(found) {
          sessions.delete(session)
          if (found && byAccount.get(found.account) === session) byAccount.delete(found.account)
          if (found && byCode.get(found.code) === session) byCode.delete(found.code)
        },
      })
      sessions.add(session)
      if (sessions.size > limits.connections || unproven >= limits.unprovenConnections) {
        log('warn', 'a connection to the world host was refused: there are too many', { connections: sessions.size })
        session.end(closeCodes.tooMuch, 'too many connections')
      }
    },
    close() {
      for (const session of sessions) session.end(closeCodes.stopping, 'the host is stopping')
    },
  }
}

import { ParleyError, type Refusal } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { HostInput, HostOperation, HostPush, HostResult, RequestView, WorldsMember } from '../../ports/worlds.ts'
import { backOffMs } from '../../shapes/back-off.ts'
import type { Language } from '../../shapes/language.ts'
import type { Identity } from '../keys/identity-file.ts'
import { signStatement } from '../keys/statements.ts'
import { type FrameError, type HostFrame, type MemberFrame, parseJson, protocolId, type SignedHead } from './frames.ts'
import type { MemberRecords, Own } from './member-records.ts'
import { makeProof } from './proofs.ts'
import { checkScope } from './scope.ts'
import type { Socket } from './socket.ts'
import { closeCodes, type WireLimits } from './wire-limits.ts'

export type ConnectionState = 'connecting' | 'online' | 'waiting' | 'stopped'

type Parts = {
  /** The origin of the host, as the proof names it. */
  host: string
  identity: () => Identity
  own: Own
  language: Language
  dial: () => Promise<Socket>
  /** The same call over HTTP, for when the connection does not answer. */
  overHttp: (name: HostOperation, input: unknown) => Promise<HostResult<unknown>>
  records: MemberRecords
  clock: Clock
  random: () => number
  log: Log
  limits: WireLimits
}

export type MemberConnection = {
  /** Keeps a connection open until the returned function is called. */
  open(member: WorldsMember): () => void
  call(name: HostOperation, input: object): Promise<HostResult<unknown>>
  state(): ConnectionState
}

type Waiting = { resolve(result: HostResult<unknown>): void; reject(error: Error): void; cancel(): void }

/** The connection of one account to its host: kept open, opened again with growing waits, and never the only way. */
export function memberConnection(parts: Parts): MemberConnection {
  const { clock, limits, log, records } = parts
  let socket: Socket | null = null
  let state: ConnectionState = 'stopped'
  let failures = 0
  let frames = 0
  const waiting = new Map<string, Waiting>()

  function wait(failed: boolean, code: number): number {
    // Another process has this account, or the host refuses the key: both need a person, so there is no hurry.
    const isLong = code === closeCodes.duplicate || code === closeCodes.authFailed
    const base = isLong ? limits.longestRetryMs : backOffMs(limits, failed ? failures : 0)
    return Math.round(base * (1 + limits.retryJitter * (2 * parts.random() - 1)))
  }

  function sendFrame(frame: MemberFrame): void {
    socket?.send(JSON.stringify(frame))
  }

  function ask(frame: Extract<MemberFrame, { id: string }>, timeoutMs: number): Promise<HostResult<unknown>> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => {
        waiting.delete(frame.id)
        reject(new Error('the host did not confirm in time'))
      })
      waiting.set(frame.id, { resolve, reject, cancel })
      sendFrame(frame)
    })
  }

  function settle(id: string, end: (waiting: Waiting) => void): void {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    one.cancel()
    end(one)
  }

  /** Ends everything that waits for this connection; each is asked again over HTTP. */
  function dropWaiting(): void {
    for (const id of Array.from(waiting.keys())) settle(id, ({ reject }) => reject(new Error('the connection was closed')))
  }

  async function call(name: HostOperation, input: object): Promise<HostResult<unknown>> {
    if (state === 'online') {
      try {
        frames += 1
        const frame = toFrame(`m${frames}`, name, input)
        return await ask(frame, frame.type === 'command' ? limits.commandMs : limits.ackMs)
      } catch (error) {
        log('debug', 'a message to the world host is sent again over HTTP', { name, error })
      }
    }
    return parts.overHttp(name, input)
  }

  /** Stored by the member, then confirmed. Anything else is not confirmed, so the host sends it again. */
  async function take(member: WorldsMember, account: Own, frame: Extract<HostFrame, { type: 'delivery' }>): Promise<void> {
    const { delivery, peerHead } = frame
    const { request } = delivery
    const refusal = checkScope(frame, { deliveryId: delivery.delivery, chatRequestId: request.request })?.refused ?? null
    if (refusal) return refuseDelivery(request, refusal)
    const invalid = await records.checkDelivery(account, delivery, async () => {
      const all = await call('conversations.turns', { request: request.request })
      return all.ok ? (all.value as { turns: never[] }).turns : []
    })
    if (invalid) return refuseDelivery(request, invalid)
    if (peerHead) await keepHead(account, request, peerHead)
    await member.receive({ type: 'delivery', delivery })
    const { turns, head: hash } = await records.head(account.account, request.request)
    frames += 1
    const ids = { id: `m${frames}`, deliveryId: delivery.delivery, chatRequestId: request.request }
    if (turns === 0 || hash === null) return void (await confirm({ type: 'accepted', ...ids }))
    const value = { by: account.code, intent: request.request, turn: turns, hash }
    const signature = await signStatement({ kind: 'head', value }, parts.identity().key)
    await confirm({ type: 'accepted', ...ids, head: { turn: turns, hash, signature } })
  }

  const confirm = (frame: Extract<MemberFrame, { type: 'accepted' }>): Promise<HostResult<unknown>> =>
    ask(frame, limits.ackMs).catch(() => parts.overHttp('deliveries.accept', { request: frame.chatRequestId, delivery: frame.deliveryId }))

  function refuseDelivery({ request, counterparty }: RequestView, { code, details }: Refusal): void {
    log('warn', 'a delivery was not taken', { request, peer: counterparty.agentCode, code, ...details })
  }

  async function keepHead(account: Own, request: RequestView, head: SignedHead): Promise<void> {
    const refusal = await records.checkHead(account, request, head)
    if (refusal) log('warn', 'a signed head of a peer was not kept', { request: request.request, code: refusal.code })
  }

  async function receive(member: WorldsMember, account: Own, id: string, push: HostPush): Promise<void> {
    await member.receive(push)
    sendFrame({ type: 'received', id })
  }

  async function handle(member: WorldsMember, frame: HostFrame): Promise<void> {
    switch (frame.type) {
      case 'challenge':
      case 'heartbeat':
        return
      case 'auth.ok':
        state = 'online'
        failures = 0
        return
      case 'error':
        if (frame.id !== null) settle(frame.id, (one) => settleError(one, frame.error))
        else log('warn', 'the world host refused a frame', { code: frame.error.code, why: frame.error.message })
        return
      case 'command.accepted':
      case 'delivery.accepted':
      case 'reply.accepted':
      case 'kept_silent.accepted':
        return settle(frame.id, ({ resolve }) => resolve({ ok: true, value: frame.result }))
      case 'delivery':
      case 'request.updated':
      case 'pushed':
      case 'head':
        if (state === 'online') await handlePush(member, parts.own, frame)
    }
  }

  async function handlePush(
    member: WorldsMember,
    account: Own,
    frame: Extract<HostFrame, { type: 'delivery' | 'request.updated' | 'pushed' | 'head' }>,
  ): Promise<void> {
    switch (frame.type) {
      case 'delivery':
        return take(member, account, frame)
      case 'request.updated':
        if (frame.peerHead) await keepHead(account, frame.request, frame.peerHead)
        return receive(member, account, frame.id, { type: 'request.updated', request: frame.request })
      case 'pushed':
        return receive(member, account, frame.id, frame.push)
      case 'head': {
        const result = await call('requests.get', { request: frame.chatRequestId })
        if (result.ok) await keepHead(account, result.value as RequestView, frame.peerHead)
      }
    }
  }

  async function authenticate(nonce: string): Promise<void> {
    const { host, name, key, at, signature } = await makeProof(parts.identity(), parts.host, nonce, clock.now())
    sendFrame({ type: 'auth', protocol: protocolId, host, name, key, at, signature, language: parts.language })
  }

  return {
    call,
    state: () => state,
    open(member) {
      let isStopped = false
      let stopTimer = (): void => {}
      let stopBeat = (): void => {}

      const retry = (failed: boolean, code: number): void => {
        if (isStopped) return
        state = 'waiting'
        const delay = wait(failed, code)
        failures += 1
        stopTimer = clock.after(delay, connect)
      }
      function beat(): void {
        sendFrame({ type: 'heartbeat' })
        stopBeat = clock.after(limits.heartbeatMs, beat)
      }
      function connect(): void {
        state = 'connecting'
        parts.dial().then(serve, (error: unknown) => {
          log('debug', 'the world host cannot be reached', { error })
          retry(true, 0)
        })
      }
      function serve(opened: Socket): void {
        if (isStopped) return opened.close(closeCodes.stopping, 'the member is stopping')
        socket = opened
        let heardAt = clock.now()
        const stale = (): void => {
          const quiet = clock.now() - heardAt
          if (quiet >= limits.staleMs) return opened.close(closeCodes.stale, 'the host is silent')
          stopTimer = clock.after(limits.staleMs - quiet, stale)
        }
        stopTimer = clock.after(limits.staleMs, stale)
        opened.attach({
          text(text) {
            heardAt = clock.now()
            const frame = parseJson(text) as HostFrame | null
            if (frame?.type === 'challenge') {
              void authenticate(frame.nonce).catch((error: unknown) => log('error', 'the proof of the account failed', { error }))
              stopBeat = clock.after(limits.heartbeatMs, beat)
              return
            }
            if (frame) handle(member, frame).catch((error: unknown) => log('warn', 'a push of the world host was not stored', { error }))
          },
          closed(code, reason) {
            if (socket !== opened) return
            socket = null
            stopTimer()
            stopBeat()
            dropWaiting()
            if (code !== closeCodes.stopping) log('info', 'the connection to the world host was closed', { code, reason })
            retry(true, code)
          },
        })
      }
      connect()
      return () => {
        isStopped = true
        state = 'stopped'
        stopTimer()
        stopBeat()
        dropWaiting()
        const last = socket
        socket = null
        last?.close(closeCodes.stopping, 'the member is stopping')
      }
    },
  }
}

/** Codes after which nothing is known, or the same message may succeed later. */
const transientCodes = ['internal', 'too_many_requests']

const settleError = ({ resolve, reject }: Waiting, { code, details, message }: FrameError): void =>
  transientCodes.includes(code) ? reject(new Error(message)) : resolve({ ok: false, refusal: { code: code as Refusal['code'], details } })

/** Results of deliveries have frames of their own; everything else is a command. */
function toFrame(id: string, operation: HostOperation, input: object): Exclude<MemberFrame, { type: 'auth' | 'heartbeat' | 'received' }> {
  if (operation === 'deliveries.accept') {
    const { request, delivery } = input as HostInput<typeof operation>
    return { type: 'accepted', id, deliveryId: delivery, chatRequestId: request }
  }
  if (operation === 'deliveries.keep-silent') {
    const { request, delivery, ...result } = input as HostInput<typeof operation>
    return { type: 'kept_silent', id, deliveryId: delivery, chatRequestId: request, ...result }
  }
  if (operation === 'deliveries.reply') {
    const { request, delivery, text, ...result } = input as HostInput<typeof operation>
    return { type: 'reply', id, deliveryId: delivery, chatRequestId: request, payload: { text }, ...result }
  }
  return { type: 'command', id, operation, input }
}

/** Nothing is known about the outcome: the caller asks again. */
export const unreachable = (host: string, why: string): ParleyError =>
  new ParleyError('world_host_unreachable', { host, why }, { retryable: true })

import { type Refusal, refuse } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { HostDelivery, HostOperation, HostPush, HostResult } from '../../ports/worlds.ts'
import type { Language } from '../../shapes/language.ts'
import { localSessionKey } from '../rules/streams.ts'
import { frameError } from './calls.ts'
import { acceptedBy, type HostFrame, type MemberFrame, memberFrame, parseJson, protocolId, type ResultFrame } from './frames.ts'
import type { Heads } from './heads.ts'
import type { Proven } from './host-endpoint.ts'
import type { SignedProof } from './proofs.ts'
import { bucket } from './rate.ts'
import { checkScope } from './scope.ts'
import type { Socket } from './socket.ts'
import { closeCodes, type WireLimits } from './wire-limits.ts'

export type HostSession = {
  isProven(): boolean
  receive(push: HostPush): Promise<void>
  /** A delivery was confirmed, here or over HTTP. */
  confirm(delivery: string): void
  send(frame: HostFrame): void
  end(code: number, reason: string): void
}

type Parts = {
  socket: Socket
  nonce: string
  clock: Clock
  log: Log
  heads: Heads
  limits: WireLimits
  prove(proof: SignedProof, nonce: string, language: Language): Promise<Proven | { refused: Refusal }>
  /** The account is online from here on; the returned function ends that. */
  proven(found: Proven): () => void
  closed(found: Proven | null): void
  call(proven: Proven, name: HostOperation, input: unknown): Promise<HostResult<unknown>>
  settle(proven: Proven, frame: ResultFrame): Promise<HostResult<unknown>>
}

type Unconfirmed = { delivery: string | null; done: () => void }

/** One connection of one member, from the challenge to the end. */
export function hostSession(parts: Parts): HostSession {
  const { socket, nonce, clock, log, heads, limits } = parts
  let member: Proven | null = null
  let isAuthenticating = false
  let disconnect: (() => void) | null = null
  let isOver = false
  let pushes = 0
  let openCalls = 0
  const unconfirmed = new Map<string, Unconfirmed>()
  const mayFrame = bucket(clock, limits.framesPerSecond, limits.framesAtOnce)
  const mayBytes = bucket(clock, limits.bytesPerSecond, limits.bytesAtOnce)
  let stopTimer = clock.after(limits.authMs, () => end(closeCodes.authFailed, 'no proof of an account came in time'))

  const send = (frame: HostFrame): void => {
    if (isOver) return
    if (socket.bufferedBytes() > limits.bufferedBytes) return end(closeCodes.tooMuch, 'the member does not read')
    socket.send(JSON.stringify(frame))
  }
  const sendError = (id: string | null, refusal: Refusal): void => send({ type: 'error', id, error: frameError(refusal) })

  function end(code: number, reason: string): void {
    if (isOver) return
    socket.close(code, reason)
    over()
  }

  function over(): void {
    if (isOver) return
    isOver = true
    stopTimer()
    disconnect?.()
    parts.closed(member)
  }

  /** The member is stale when nothing came for a while; every frame puts it off. */
  function heard(): void {
    stopTimer()
    stopTimer = clock.after(limits.staleMs, () => end(closeCodes.stale, 'no heartbeat'))
  }

  async function authenticate(frame: Extract<MemberFrame, { type: 'auth' }>): Promise<void> {
    if (member || isAuthenticating) return sendError(null, refuse('bad_request', { field: 'auth', why: 'was sent before' }).refused)
    isAuthenticating = true
    const { host, name, key, at, signature, language } = frame
    const outcome = await parts.prove({ host, name, key, nonce, at, signature }, nonce, language)
    if (isOver) return
    if ('refused' in outcome) {
      sendError(null, outcome.refused)
      return end(closeCodes.authFailed, outcome.refused.code)
    }
    member = outcome
    heard()
    send({ type: 'auth.ok', accountId: member.account, agentCode: member.code, heartbeatMs: limits.heartbeatMs, protocol: protocolId })
    disconnect = parts.proven(member)
  }

  async function answer(id: string, work: () => Promise<HostResult<unknown>>, ok: (result: unknown) => HostFrame): Promise<void> {
    if (openCalls >= limits.openCalls) return sendError(id, refuse('too_many_requests', { seconds: 1 }).refused)
    openCalls += 1
    try {
      const result = await work()
      if (result.ok) send(ok(result.value))
      else sendError(id, result.refusal)
    } catch (error) {
      // Nothing is known about the outcome: the member asks again.
      log('error', 'a call of a member failed', { error })
      sendError(id, refuse('internal', {}).refused)
    } finally {
      openCalls -= 1
    }
  }

  function handle(frame: MemberFrame, account: Proven): void {
    switch (frame.type) {
      case 'auth':
        return
      case 'heartbeat':
        return send({ type: 'heartbeat' })
      case 'received':
        return settlePush(frame.id)
      case 'command':
        return void answer(
          frame.id,
          () => parts.call(account, frame.operation, frame.input),
          (result) => ({ type: 'command.accepted', id: frame.id, result }),
        ).then(() => frame.operation === 'account.set-key' && end(closeCodes.keyChanged, 'prove the key in use'))
      case 'accepted':
      case 'reply':
      case 'kept_silent': {
        const refusal = checkScope(frame, { accountId: account.account })
        if (refusal) return sendError(frame.id, refusal.refused)
        const type = acceptedBy[frame.type]
        return void answer(
          frame.id,
          () => parts.settle(account, frame),
          (result) => ({ type, id: frame.id, deliveryId: frame.deliveryId, result }),
        )
      }
    }
  }

  function settlePush(id: string): void {
    unconfirmed.get(id)?.done()
  }

  async function toFrame(push: HostPush, id: string): Promise<HostFrame> {
    switch (push.type) {
      case 'delivery': {
        const { request } = push.delivery
        return {
          type: 'delivery',
          id,
          ...describeDelivery(push.delivery),
          peerHead: await heads.find(request.request, request.counterparty.agentCode),
        }
      }
      case 'request.updated': {
        const { request } = push
        const peerHead = await heads.find(request.request, request.counterparty.agentCode)
        return { type: 'request.updated', id, chatRequestId: request.request, request, peerHead }
      }
      case 'account.changed':
      case 'world.changed':
        return { type: 'pushed', id, push }
    }
  }

  socket.attach({
    text(text) {
      if (isOver) return
      if (!mayFrame(1) || !mayBytes(text.length)) return end(closeCodes.policy, 'sender_too_fast')
      const parsed = memberFrame.safeParse(parseJson(text))
      if (!parsed.success) return sendError(null, refuse('bad_request', { field: 'frame', why: 'is not one of the protocol' }).refused)
      if (parsed.data.type === 'auth')
        return void authenticate(parsed.data).catch((error: unknown) => {
          log('error', 'a member could not be authenticated', { error })
          end(closeCodes.tooMuch, 'internal error')
        })
      if (!member) return end(closeCodes.authFailed, 'auth comes first')
      heard()
      handle(parsed.data, member)
    },
    closed: over,
  })
  send({ type: 'challenge', nonce, protocol: protocolId })

  return {
    isProven: () => member !== null,
    send,
    end,
    confirm(delivery) {
      for (const waiting of unconfirmed.values()) if (waiting.delivery === delivery) waiting.done()
    },
    async receive(push) {
      if (isOver || unconfirmed.size >= limits.unconfirmedPushes) throw new Error('the member takes no more pushes now')
      pushes += 1
      const id = `p${pushes}`
      const frame = await toFrame(push, id)
      await new Promise<void>((resolve, reject) => {
        const cancel = clock.after(limits.ackMs, () => {
          unconfirmed.delete(id)
          reject(new Error('the member did not confirm in time'))
        })
        unconfirmed.set(id, {
          delivery: push.type === 'delivery' ? push.delivery.delivery : null,
          done() {
            cancel()
            unconfirmed.delete(id)
            resolve()
          },
        })
        send(frame)
      })
    },
  }
}

function describeDelivery(delivery: HostDelivery): Omit<Extract<HostFrame, { type: 'delivery' }>, 'type' | 'id' | 'peerHead'> {
  const current = delivery.turns.at(-1)
  const ids = { deliveryId: delivery.delivery, chatRequestId: delivery.request.request }
  return {
    ...ids,
    turnId: current?.turnId ?? null,
    sessionKey: localSessionKey(delivery.request.key),
    payload: { text: current?.text ?? '', untrustedContext: delivery.turns.slice(0, -1).map(({ text }) => text) },
    metadata: { ...delivery.metadata, ...ids },
    delivery,
  }
}

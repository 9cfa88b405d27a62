import { randomBytes } from 'node:crypto'
import { ParleyError } from '../../errors.ts'
import type { RequestView } from '../../ports/worlds.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { NewRequest, SentRequest, Worlds } from '../../shapes/worlds.ts'
import { parseIdentity } from '../rules/identity/public-identity.ts'
import { seatStream } from '../rules/streams.ts'
import { recordConsent } from './consents.ts'
import { limitsCommand } from './conversation-nouns.ts'
import { onceId, orRefuse, type OwnAccount } from './member-parts.ts'
import { applyView } from './receive-push.ts'
import { homeName } from './report-work.ts'
import type { NounParts } from './worlds-nouns.ts'

export function requestNouns(nouns: NounParts): Worlds['requests'] {
  const { parts, find, call } = nouns
  /** Known here at once: the inbox shows a decision, and the owner can take over, before the host's news arrive. */
  const apply = async (account: OwnAccount, view: RequestView): Promise<RequestView> => {
    await applyView(parts, account, view, null)
    return view
  }
  return {
    list: (name, filter) => call(find(name), 'requests.list', filter),
    get: (name, request) => call(find(name), 'requests.get', { request }),
    send: (name, draft, caller, home) => send(nouns, find(name), draft, caller, home),
    async accept(name, request, brief, caller, limits) {
      const account = find(name)
      const change = limits && limitsCommand(limits, caller)
      // The seat exists before the request is accepted, so that the first run has the brief and the limits.
      if (brief !== undefined || change) await applyView(parts, account, await call(account, 'requests.get', { request }), null)
      if (change) orRefuse(await parts.seats.handle(seatStream(request, account.agent), [{ ...change, at: parts.clock.now() }]))
      if (brief !== undefined) {
        const consent = await recordConsent(parts, account.agent, { kind: 'brief', text: brief, about: request }, caller)
        const command = { type: 'write-brief' as const, at: parts.clock.now(), text: brief, consent }
        orRefuse(await parts.seats.handle(seatStream(request, account.agent), [command]))
      }
      return apply(account, await call(account, 'requests.accept', { request }))
    },
    async reject(name, request) {
      const account = find(name)
      return apply(account, await call(account, 'requests.reject', { request }))
    },
    withdraw: (name, request) => call(find(name), 'requests.withdraw', { request }),
    async block(name, request) {
      const account = find(name)
      const { counterparty } = await call(account, 'requests.get', { request })
      await call(account, 'account.block', { agentCode: counterparty.agentCode })
      return apply(account, await call(account, 'requests.get', { request }))
    },
    async report(name, request, { reason, excerpt = '' }, caller) {
      const account = find(name)
      const { counterparty, world } = await call(account, 'requests.get', { request })
      const report = { report: onceId(parts, 'rpt', account.agent, caller), agentCode: counterparty.agentCode, request, reason, excerpt }
      return world ? call(account, 'worlds.report-member', { world: world.world, ...report }) : call(account, 'account.report', report)
    },
  }
}

/**
 * The brief is stored before the request leaves: where the other side accepts by policy, the opener is due at once. A repeated call
 * with the same key finds the same request.
 */
async function send(
  { parts, call }: NounParts,
  account: OwnAccount,
  { to, brief, purpose, world, after }: NewRequest,
  caller: Caller,
  home: string | undefined,
): Promise<SentRequest> {
  const parsed = parseIdentity(to)
  if ('refused' in parsed) throw new ParleyError(parsed.refused.code, parsed.refused.details)
  if (brief.trim() === '') throw new ParleyError('empty_text', { field: 'brief' })
  const request = onceId(parts, 'crq', account.agent, caller)
  const trace = after === undefined ? null : (await call(account, 'requests.get', { request: after })).trace
  const peer = await call(account, 'account.find', { agentCode: parsed.agentCode })
  const consent = await recordConsent(parts, account.agent, { kind: 'brief', text: brief, about: request }, caller)
  if (purpose !== undefined) await recordConsent(parts, account.agent, { kind: 'purpose', text: purpose, about: request }, caller)
  const at = parts.clock.now()
  const { agent, language, limits, reporting } = account
  const facts = { displayName: peer.displayName, agentCode: peer.agentCode }
  const canary = randomBytes(15).toString('hex')
  orRefuse(
    await parts.seats.handle(seatStream(request, agent), [
      {
        type: 'open-seat',
        at,
        request,
        agent,
        side: 'sender',
        key: '',
        world: world ?? null,
        language,
        peer: facts,
        limits,
        reporting,
        canary,
      },
      { type: 'write-brief', at, text: brief, consent },
    ]),
  )
  if (home !== undefined) await parts.committer.commit({ once: [{ key: homeName(request, agent), value: home }] })
  const submission = await parts.host.call(agent, 'requests.submit', {
    request,
    agentCode: parsed.agentCode,
    displayName: parsed.displayName,
    world: world ?? null,
    purpose: purpose ?? null,
    hasBrief: true,
    trace,
  })
  if (!submission.ok) {
    await parts.seats.handle(seatStream(request, agent), [{ type: 'settle-request', at, status: 'withdrawn' }])
    throw new ParleyError(submission.refusal.code, submission.refusal.details)
  }
  await keepBrief(parts, account, submission.value.request, request, { text: brief, consent })
  return submission.value
}

/** A request that met one of the other side became part of that one: the brief goes with it. */
async function keepBrief(
  parts: NounParts['parts'],
  account: OwnAccount,
  view: RequestView,
  own: string,
  brief: { text: string; consent: string },
): Promise<void> {
  await applyView(parts, account, view, null)
  if (view.request === own) return
  const at = parts.clock.now()
  await parts.seats.handle(seatStream(view.request, account.agent), (state) =>
    state.briefs.length > 0 || state.context ? [] : [{ type: 'write-brief', at, ...brief }],
  )
  await parts.seats.handle(seatStream(own, account.agent), [{ type: 'settle-request', at, status: 'withdrawn' }])
}

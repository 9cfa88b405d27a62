import { type Refusal, refuse } from '../../errors.ts'
import type { Language } from '../../shapes/language.ts'
import type { AccountEvent } from './account-events.ts'
import type { AccountState } from './account-state.ts'
import type { ChatPolicy } from './chat-policy.ts'
import { type Decision, decideBy, type Deciders, nothing, refuseText, type Timed } from './decision.ts'
import { isPublicCode } from './identity/public-code.ts'
import { checkDisplayName } from './identity/public-identity.ts'
import { foldPurpose, refuseThrottled } from './throttle.ts'
import { getReadiness } from './readiness.ts'
import { worldLimits } from './world-limits.ts'

export type AccountCommand =
  | { type: 'open-account'; agent: string; code: string; language: Language }
  | { type: 'name-account'; displayName: string }
  /** An empty text clears the profile. */
  | { type: 'describe-account'; profile: string }
  | { type: 'set-policy'; policy: ChatPolicy }
  /** `previous` must be the key in use: a rotation proves that it knows it. */
  | { type: 'set-key'; key: string; previous: string | null }
  | { type: 'block-agent'; agent: string; code: string }
  | { type: 'unblock-agent'; agent: string }
  | { type: 'trust-agent'; agent: string; request: string }
  | { type: 'untrust-agent'; agent: string }
  /** Given before a request is submitted; refused when the account sends too many. */
  | { type: 'count-request'; request: string; to: string; purpose: string | null }
  | { type: 'count-acceptance'; request: string }
  | { type: 'report-account'; report: string; by: string; request: string | null; reason: string; excerpt: string }
  | { type: 'close-account'; why: 'owner' | 'host' }

const deciders: Deciders<AccountState, AccountCommand, AccountEvent> = {
  'open-account': (state, { at, agent, code, language }) => {
    if (state.seq > 0) return state.agent === agent && state.code === code ? nothing : refuse('account_exists', {})
    if (!isPublicCode(code)) return refuse('agent_code_invalid', { given: code.slice(0, 60) })
    return { events: [{ type: 'account.opened', at, data: { agent, code, language } }] }
  },
  'name-account': (state, command) => {
    const checked = checkDisplayName(command.displayName)
    if ('refused' in checked) return checked
    if (checked.displayName === state.displayName) return nothing
    return { events: [{ type: 'account.named', at: command.at, data: checked }] }
  },
  'describe-account': (state, { at, profile }) => {
    const refusal = refuseText('profile', profile, worldLimits.profileChars, false)
    if (refusal) return refusal
    return state.profile === profile.trim() ? nothing : { events: [{ type: 'account.described', at, data: { profile: profile.trim() } }] }
  },
  'set-policy': (_, { at, policy }) => {
    if (policy.blocks.worldIds.length > worldLimits.blocks)
      return refuse('too_many_entries', { what: 'blocked worlds', limit: worldLimits.blocks })
    return { events: [{ type: 'account.policy-set', at, data: { policy } }] }
  },
  'set-key': (state, { at, key, previous }) => {
    if (state.key === key) return nothing
    if (state.key !== previous) return refuse('key_not_proven', {})
    return { events: [{ type: 'account.key-set', at, data: { key, previous } }] }
  },
  'block-agent': (state, { at, agent, code }) => {
    if (agent === state.agent) return refuse('peer_is_self', {})
    if (Object.hasOwn(state.blocked, agent)) return nothing
    if (Object.keys(state.blocked).length >= worldLimits.blocks)
      return refuse('too_many_entries', { what: 'blocks', limit: worldLimits.blocks })
    return { events: [{ type: 'account.blocked', at, data: { agent, code } }] }
  },
  'unblock-agent': (state, { at, agent }) =>
    Object.hasOwn(state.blocked, agent) ? { events: [{ type: 'account.unblocked', at, data: { agent } }] } : nothing,
  'trust-agent': (state, { at, agent, request }) =>
    state.trusted.includes(agent) || Object.hasOwn(state.blocked, agent)
      ? nothing
      : { events: [{ type: 'account.trusted', at, data: { agent, request } }] },
  'untrust-agent': (state, { at, agent }) =>
    state.trusted.includes(agent) ? { events: [{ type: 'account.untrusted', at, data: { agent } }] } : nothing,
  'count-request': (state, { at, request, to, purpose }) => {
    if (state.requests.some((counted) => counted.request === request)) return nothing
    const refusal = refuseUnready(state) ?? refuseThrottled(state, purpose, at)
    return refusal ?? { events: [{ type: 'account.request-counted', at, data: { request, to, purpose: foldPurpose(purpose) } }] }
  },
  'count-acceptance': (_, { at, request }) => ({ events: [{ type: 'account.acceptance-counted', at, data: { request } }] }),
  'report-account': (_, { at, report, by, request, reason, excerpt }) => {
    const refusal = refuseText('reason', reason, worldLimits.reasonChars) ?? refuseText('excerpt', excerpt, worldLimits.excerptChars, false)
    return refusal ?? { events: [{ type: 'account.reported', at, data: { report, by, request, reason, excerpt } }] }
  },
  'close-account': (_, { at, why }) => ({ events: [{ type: 'account.closed', at, data: { why } }] }),
}

/** Null for an account that may act towards others. */
export function refuseUnready(state: AccountState): { refused: Refusal } | null {
  const { readiness, requiredAction } = getReadiness(state)
  if (readiness === 'ready') return null
  return refuse('public_identity_incomplete', { readiness, requiredAction })
}

export function decideAccount(state: AccountState, command: Timed<AccountCommand>): Decision<AccountEvent> {
  if (state.seq === 0 && command.type !== 'open-account') return refuse('peer_not_found', { code: '' })
  if (state.isClosed) return command.type === 'close-account' ? nothing : refuse('peer_not_reachable', {})
  return decideBy(deciders, state, command)
}

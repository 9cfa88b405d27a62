import type { Language } from '../../shapes/language.ts'
import type { AccountEvent } from './account-events.ts'
import { type ChatPolicy, defaultChatPolicy } from './chat-policy.ts'
import { without } from './decision.ts'
import { worldLimits } from './world-limits.ts'

export type CountedRequest = { request: string; at: number; to: string; purpose: string }

export type AccountState = {
  seq: number
  agent: string
  /** Never changes. */
  code: string
  displayName: string | null
  confirmedAt: number | null
  updatedAt: number
  profile: string | null
  language: Language
  policy: ChatPolicy
  key: string | null
  /** By agent; the value is the code under which it was blocked. */
  blocked: Readonly<Record<string, string>>
  trusted: readonly string[]
  /** Requests of the last 24 hours. */
  requests: readonly CountedRequest[]
  acceptances: number
  reports: number
  isClosed: boolean
}

export const initialAccount: AccountState = {
  seq: 0,
  agent: '',
  code: '',
  displayName: null,
  confirmedAt: null,
  updatedAt: 0,
  profile: null,
  language: 'en',
  policy: defaultChatPolicy,
  key: null,
  blocked: {},
  trusted: [],
  requests: [],
  acceptances: 0,
  reports: 0,
  isClosed: false,
}

export const accountSample: AccountState = {
  ...initialAccount,
  displayName: '',
  confirmedAt: 0,
  profile: '',
  policy: { mode: 'open', blocks: { originTypes: ['chat_request'], worldIds: [''] } },
  key: '',
  blocked: { a: '' },
  trusted: [''],
  requests: [{ request: '', at: 0, to: '', purpose: '' }],
}

export function evolveAccount(before: AccountState, event: AccountEvent): AccountState {
  const state: AccountState = { ...before, seq: before.seq + 1, updatedAt: event.at }
  switch (event.type) {
    case 'account.opened':
      return { ...state, ...event.data }
    case 'account.named':
      return { ...state, displayName: event.data.displayName, confirmedAt: event.at }
    case 'account.described':
      return { ...state, profile: event.data.profile }
    case 'account.policy-set':
      return { ...state, policy: event.data.policy }
    case 'account.key-set':
      return { ...state, key: event.data.key }
    case 'account.blocked':
      return {
        ...state,
        blocked: { ...state.blocked, [event.data.agent]: event.data.code },
        trusted: state.trusted.filter((agent) => agent !== event.data.agent),
      }
    case 'account.unblocked':
      return { ...state, blocked: without(state.blocked, event.data.agent) }
    case 'account.trusted':
      return { ...state, trusted: [...state.trusted, event.data.agent].slice(-worldLimits.trusted) }
    case 'account.untrusted':
      return { ...state, trusted: state.trusted.filter((agent) => agent !== event.data.agent) }
    case 'account.request-counted': {
      const { request, to, purpose } = event.data
      const recent = state.requests.filter(({ at }) => at > event.at - worldLimits.throttleMs)
      return { ...state, requests: [...recent, { request, at: event.at, to, purpose }] }
    }
    case 'account.acceptance-counted':
      return { ...state, acceptances: state.acceptances + 1 }
    case 'account.reported':
      return { ...state, reports: state.reports + 1 }
    case 'account.closed':
      return { ...state, isClosed: true }
  }
}

import { createHash } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { HostResult } from '../../ports/worlds.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import type { Handled, StreamHandler } from '../../streams/stream-handler.ts'
import { type Details, type ErrorCode, ParleyError } from '../../errors.ts'
import type { AccountState } from '../rules/account-state.ts'
import type { ConversationState } from '../rules/conversation-state.ts'
import type { AccountCommand } from '../rules/decide-account.ts'
import type { ConversationCommand } from '../rules/decide-conversation.ts'
import type { WorldCommand } from '../rules/decide-world.ts'
import type { Timed } from '../rules/decision.ts'
import { accountStream, worldStream } from '../rules/streams.ts'
import type { WorldState } from '../rules/world-state.ts'
import { hostViews } from './host-rows.ts'

/** Dependencies of every operation of a host. */
export type HostParts = {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  ids: Ids
  accounts: StreamHandler<AccountState, Timed<AccountCommand>>
  worlds: StreamHandler<WorldState, Timed<WorldCommand>>
  conversations: StreamHandler<ConversationState, Timed<ConversationCommand>>
  isOnline(agent: string): boolean
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const done = <Value>(value: Value): HostResult<Value> => ({ ok: true, value })

export const refused = (code: ErrorCode, details: Details = {}): { ok: false; refusal: { code: ErrorCode; details: Details } } => ({
  ok: false,
  refusal: { code, details },
})

/** Null for a command that was carried out, or that had been before under the same once-only name. */
export function findRefusal<State>(handled: Handled<State>): ReturnType<typeof refused> | null {
  if (handled.ok || handled.why === 'seen') return null
  if (handled.why === 'refused') return { ok: false, refusal: handled.refusal }
  throw new ParleyError('busy', {}, { retryable: true })
}

export const loadAccount = ({ accounts }: HostParts, agent: string): Promise<AccountState> => accounts.known(accountStream(agent))

export const loadWorld = ({ worlds }: HostParts, world: string): Promise<WorldState> => worlds.known(worldStream(world))

/** The account with this code; null if there is none. The code alone decides, whatever name came with it. */
export async function findByCode(parts: HostParts, code: string): Promise<AccountState | null> {
  const [row] = await parts.store.rows({ view: hostViews.account, group: code.trim().toUpperCase(), limit: 1 })
  return row ? loadAccount(parts, row.key) : null
}

export const toIdentity = ({ displayName, code }: AccountState): { displayName: string; agentCode: string } => ({
  displayName: displayName ?? '',
  agentCode: code,
})

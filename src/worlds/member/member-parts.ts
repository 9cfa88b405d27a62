import { createHash } from 'node:crypto'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import type { DialogState } from '../../dialogs/rules/dialog-state.ts'
import { peerDialog } from '../../dialogs/rules/peer-dialog.ts'
import { ParleyError } from '../../errors.ts'
import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { HostResult, RequestView, WorldsHost } from '../../ports/worlds.ts'
import type { Store } from '../../ports/store.ts'
import type { Language } from '../../shapes/language.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { Committer } from '../../streams/committer.ts'
import type { Handled, StreamHandler } from '../../streams/stream-handler.ts'
import type { LedgerCommand } from '../rules/decide-ledger.ts'
import type { ReportCommand } from '../rules/decide-report.ts'
import type { Timed } from '../rules/decision.ts'
import type { LedgerState } from '../rules/ledger-state.ts'
import type { ReportState } from '../rules/report-state.ts'
import type { SeatLimits } from '../rules/seat-events.ts'
import type { ReportingMode } from '../rules/context/snapshot.ts'
import type { Seats } from './channel-agents.ts'
import { memberViews, seatKey } from './member-rows.ts'

/** One account of this owner: the agent id and code that the host gave it, and the member of the team that acts for it. */
export type OwnAccount = { agent: string; code: string; name: string; language: Language; limits: SeatLimits; reporting: ReportingMode }

export type MemberParts = {
  store: Store
  committer: Committer
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
  host: WorldsHost
  dialogs: StreamHandler<DialogState, DialogCommand>
  team: Team
  timeZone: string
  seats: Seats
  ledgers: StreamHandler<LedgerState, Timed<LedgerCommand>>
  reports: StreamHandler<ReportState, Timed<ReportCommand>>
  /** By agent id. */
  account(agent: string): OwnAccount | undefined
  /** Signs the bytes of a turn for the wire; null in a household. */
  sign?(agent: string, bytes: string): Promise<string | null>
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** An id that a repeated call with the same key finds again. */
export const onceId = ({ ids }: Pick<MemberParts, 'ids'>, prefix: string, agent: string, { once }: Pick<Caller, 'once'>): string =>
  once ? `${prefix}_${sha256(`${agent} ${once.key}`).slice(0, 20)}` : ids.next(prefix)

/** The dialog of an account's agent with one peer in one scope: all their conversations there. */
export const dialogFor = (agent: string, peerCode: string, world: string | null): string =>
  peerDialog(sha256(`${agent} ${peerCode} ${world ?? ''}`).slice(0, 24))

/** Throws what the host refuses; for callers who pass the error on. */
export function orThrow<Value>(result: HostResult<Value>): Value {
  if (result.ok) return result.value
  throw new ParleyError(result.refusal.code, result.refusal.details)
}

/** Throws what the rules refuse. A once-only name that was used before is no error. */
export function orRefuse<State>(handled: Handled<State>): void {
  if (handled.ok || handled.why === 'seen') return
  if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, handled.refusal.details)
  throw new ParleyError('busy', {}, { retryable: true })
}

/** The latest view of a request that the host has told. */
export async function readTold({ store }: Pick<MemberParts, 'store'>, request: string, agent: string): Promise<RequestView | null> {
  const row = await store.row(memberViews.told, seatKey(request, agent))
  return row ? (row.body as RequestView) : null
}

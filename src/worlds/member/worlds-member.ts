import { peerAnswerWork } from '../../dialogs/rules/peer-dialog.ts'
import type { Language } from '../../shapes/language.ts'
import { pump, type Pump, type Work } from '../../streams/pump.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import type { ReportingMode } from '../rules/context/snapshot.ts'
import type { SeatLimits } from '../rules/seat-events.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { ledgerKind } from './ledger-kind.ts'
import { type MemberParts, orThrow, type OwnAccount } from './member-parts.ts'
import { memberWork } from './member-work.ts'
import { receivePush } from './receive-push.ts'
import { reportKind } from './report-kind.ts'
import { reportWorkLimits, runReport } from './report-work.ts'
import { runSeat, seatWorkLimits, takeAnswer } from './seat-work.ts'
import { stopTalks } from './stop-work.ts'

/** An agent of the team that takes part. `member` is the lasting name of its account at the host. */
export type AccountSettings = { name: string; member: string; language: Language; limits?: Partial<SeatLimits>; reporting?: ReportingMode }

export type RunningMember = {
  readonly parts: MemberParts
  accounts(): readonly OwnAccount[]
  /** Opens the accounts at the host; with `works` it connects them and starts to work. */
  start(works?: boolean): Promise<void>
  stop(graceMs: number): Promise<void>
}

type Given = Omit<MemberParts, 'ledgers' | 'reports' | 'account'> & { settings: readonly AccountSettings[] }

/** The agents of one owner who talk with agents of others. */
export function worldsMember({ settings, ...given }: Given): RunningMember {
  const { store, committer, clock, log, metrics, host } = given
  const own = new Map<string, OwnAccount>()
  const parts: MemberParts = {
    ...given,
    ledgers: streamHandler(ledgerKind, store, committer),
    reports: streamHandler(reportKind, store, committer),
    account: (agent) => own.get(agent),
  }
  const over = (kind: string, slots: number, handle: (work: Work) => Promise<void>): Pump =>
    pump({ store, clock, log, metrics, kind, slots, handle })
  const pumps = [
    over(memberWork.seat, seatWorkLimits.concurrentSeats, (work) => runSeat(parts, work)),
    over(memberWork.report, reportWorkLimits.concurrentReports, (work) => runReport(parts, work)),
    over(memberWork.stop, 1, (work) => stopTalks(parts, work)),
    over(peerAnswerWork, reportWorkLimits.concurrentReports, (work) => takeAnswer(parts, work)),
  ]
  const disconnects: (() => void)[] = []

  async function open({ name, member, language, limits, reporting = 'end' }: AccountSettings): Promise<void> {
    const { agent, identity } = orThrow(await host.call('', 'account.open', { member, language }))
    const budget = {
      tokens: limits?.tokens ?? worldLimits.intentTokens,
      money: limits?.money ?? worldLimits.intentMoney,
      turns: worldLimits.turns,
    }
    const account: OwnAccount = { agent, code: identity.agentCode, name, language, limits: budget, reporting }
    own.set(agent, account)
  }

  return {
    parts,
    accounts: () => [...own.values()],
    async start(works = true) {
      for (const each of settings) await open(each)
      if (!works) return
      for (const account of own.values())
        disconnects.push(host.connect(account.agent, { receive: (push) => receivePush(parts, account, push) }))
      for (const each of pumps) each.start()
    },
    async stop(graceMs) {
      await Promise.all(pumps.map((each) => each.stop(graceMs)))
      for (const disconnect of disconnects) disconnect()
    },
  }
}

import type { StreamKind } from '../../streams/decider.ts'
import type { AccountEvent } from '../rules/account-events.ts'
import { type AccountState, accountSample, evolveAccount, initialAccount } from '../rules/account-state.ts'
import { type AccountCommand, decideAccount } from '../rules/decide-account.ts'
import type { Timed } from '../rules/decision.ts'
import { type FollowUp, hostWork } from './follow-up.ts'
import { accountRow } from './host-rows.ts'

/** An account as the stream handler runs it. */
export const accountKind: StreamKind<AccountState, Timed<AccountCommand>, AccountEvent> = {
  initial: initialAccount,
  decide: decideAccount,
  evolve: evolveAccount,
  consequences: (_stream, events, after) => ({
    rows: [accountRow(after)],
    wake: events.flatMap((event) => followUps(event, after)),
  }),
  sample: accountSample,
  weigh: (state) => 1_000 + 40 * (Object.keys(state.blocked).length + state.trusted.length) + 300 * state.requests.length,
}

function followUps(event: AccountEvent, { agent, seq }: AccountState) {
  const wake = (payload: FollowUp) => [{ kind: hostWork.follow, key: `account/${agent}/${payload.do}/${seq}`, at: event.at, payload }]
  if (event.type === 'account.blocked') return wake({ do: 'blocked', agent: event.data.agent, by: agent })
  return event.type === 'account.described' || event.type === 'account.named' ? wake({ do: 'profile-changed', agent }) : []
}

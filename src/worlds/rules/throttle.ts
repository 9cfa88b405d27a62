import { type Refusal, refuse } from '../../errors.ts'
import type { AccountState } from './account-state.ts'
import { foldTurn } from './loop-stop.ts'
import { worldLimits } from './world-limits.ts'

/** The form in which purposes are compared: the same sentence to many people is one campaign. */
export const foldPurpose = (purpose: string | null): string => foldTurn(purpose ?? '').slice(0, 200)

/** Null if this account may send one more request now. Broadcasts have a limit of their own and are not asked here. */
export function refuseThrottled(
  { requests, acceptances }: Pick<AccountState, 'requests' | 'acceptances'>,
  purpose: string | null,
  at: number,
): { refused: Refusal } | null {
  const recent = requests.filter((request) => request.at > at - worldLimits.throttleMs)
  const isNew = acceptances < worldLimits.newAccountAcceptances
  const limit = isNew ? worldLimits.newAccountRequests : worldLimits.accountRequests
  const retryAt = new Date((recent[0]?.at ?? at) + worldLimits.throttleMs).toISOString()
  if (recent.length >= limit)
    return refuse('request_throttled', {
      why: isNew ? `a new account may send ${limit} requests a day` : `an account may send ${limit} requests a day`,
      retryAt,
    })
  const folded = foldPurpose(purpose)
  const same = folded === '' ? 0 : recent.filter((request) => foldPurpose(request.purpose) === folded).length
  return same < worldLimits.samePurposeRequests
    ? null
    : refuse('request_throttled', { why: `the same purpose was sent ${same} times`, retryAt })
}

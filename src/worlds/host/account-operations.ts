import type { AccountView, HostInput, HostOutput, HostResult } from '../../ports/worlds.ts'
import type { AccountState } from '../rules/account-state.ts'
import type { AccountCommand } from '../rules/decide-account.ts'
import { codeFromBytes, readPublicCode } from '../rules/identity/public-code.ts'
import { getReadiness } from '../rules/readiness.ts'
import { accountStream } from '../rules/streams.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { done, findByCode, findRefusal, type HostParts, loadAccount, refused, sha256, toIdentity } from './host-parts.ts'

const codeTries = 50

export function toAccountView(parts: HostParts, state: AccountState): AccountView {
  const { agent, displayName, code, confirmedAt, updatedAt, profile, language, policy, key, blocked, requests, acceptances } = state
  const since = parts.clock.now() - worldLimits.throttleMs
  const isNew = acceptances < worldLimits.newAccountAcceptances
  return {
    ...getReadiness(state),
    agent,
    identity: { displayName, agentCode: code, status: displayName === null ? 'pending' : 'ready', confirmedAt, updatedAt },
    profile,
    language,
    policy,
    key,
    isOnline: parts.isOnline(agent),
    blocked: Object.values(blocked),
    requests: {
      sent: requests.filter(({ at }) => at > since).length,
      limit: isNew ? worldLimits.newAccountRequests : worldLimits.accountRequests,
    },
  }
}

/**
 * The agent id follows from the member's name for the account. The code is random, so that two hosts give the same member different
 * ones. A once-only name in the commit that opens the account makes it unique on this host.
 */
export async function openAccount(parts: HostParts, { member, language }: HostInput<'account.open'>): Promise<HostResult<AccountView>> {
  const agent = `agt_${sha256(`account ${member}`).slice(0, 20)}`
  for (let number = 0; number < codeTries; number += 1) {
    const state = await loadAccount(parts, agent)
    if (state.seq > 0) return done(toAccountView(parts, state))
    const code = codeFromBytes(Buffer.from(sha256(parts.ids.next('code')), 'hex'))
    if (await findByCode(parts, code)) continue
    const handled = await parts.accounts.handle(
      accountStream(agent),
      [{ type: 'open-account', at: parts.clock.now(), agent, code, language }],
      { once: { key: `world-code:${code}`, value: () => agent } },
    )
    const refusal = findRefusal(handled)
    if (refusal && refusal.refusal.code !== 'account_exists') return refusal
  }
  return refused('busy')
}

export const viewAccount = async (parts: HostParts, agent: string): Promise<HostResult<AccountView>> =>
  done(toAccountView(parts, await loadAccount(parts, agent)))

export async function changeAccount(parts: HostParts, agent: string, command: AccountCommand): Promise<HostResult<AccountView>> {
  const handled = await parts.accounts.handle(accountStream(agent), [{ ...command, at: parts.clock.now() }])
  return findRefusal(handled) ?? viewAccount(parts, agent)
}

/** The account behind a code, or why there is none. */
export async function findPeer(parts: HostParts, agentCode: string): Promise<{ peer: AccountState } | ReturnType<typeof refused>> {
  const code = readPublicCode(agentCode)
  if (code === null) return refused('agent_code_invalid', { given: agentCode.slice(0, 60) })
  const peer = await findByCode(parts, code)
  return peer ? { peer } : refused('peer_not_found', { code })
}

export async function findAccount(parts: HostParts, agentCode: string): Promise<HostResult<HostOutput<'account.find'>>> {
  const lookup = await findPeer(parts, agentCode)
  return 'peer' in lookup ? done({ ...toIdentity(lookup.peer), profile: lookup.peer.profile, key: lookup.peer.key }) : lookup
}

export async function blockPeer(parts: HostParts, agent: string, agentCode: string): Promise<HostResult<HostOutput<'account.block'>>> {
  const lookup = await findPeer(parts, agentCode)
  if (!('peer' in lookup)) return lookup
  const changed = await changeAccount(parts, agent, { type: 'block-agent', agent: lookup.peer.agent, code: lookup.peer.code })
  return changed.ok ? done({ blocked: toIdentity(lookup.peer) }) : changed
}

export async function unblockPeer(parts: HostParts, agent: string, agentCode: string): Promise<HostResult<HostOutput<'account.unblock'>>> {
  const lookup = await findPeer(parts, agentCode)
  if (!('peer' in lookup)) return lookup
  const changed = await changeAccount(parts, agent, { type: 'unblock-agent', agent: lookup.peer.agent })
  return changed.ok ? done({ unblocked: toIdentity(lookup.peer) }) : changed
}

export async function reportPeer(
  parts: HostParts,
  agent: string,
  { report, agentCode, request, reason, excerpt }: HostInput<'account.report'>,
): Promise<HostResult<HostOutput<'account.report'>>> {
  const lookup = await findPeer(parts, agentCode)
  if (!('peer' in lookup)) return lookup
  const command = { type: 'report-account' as const, at: parts.clock.now(), report, by: agent, request, reason, excerpt }
  const handled = await parts.accounts.handle(accountStream(lookup.peer.agent), [command], {
    once: { key: `world-report:${report}`, value: () => null },
  })
  return findRefusal(handled) ?? done({ report })
}

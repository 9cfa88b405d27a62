import { getStatus } from '../../dialogs/rules/dialog-state.ts'
import type { Work } from '../../streams/pump.ts'
import type { RequestView } from '../../ports/worlds.ts'
import { ledgerStream } from '../rules/streams.ts'
import { dialogFor, type MemberParts } from './member-parts.ts'
import { memberViews } from './member-rows.ts'
import { worldsVia } from './run-agent.ts'

/** After the kill switch: every run is cut, every live conversation closed. What is refused is over already. */
export async function stopTalks(parts: MemberParts, { lease }: Work): Promise<void> {
  const agent = lease.key
  const { stopped } = await parts.ledgers.load(ledgerStream(agent))
  for (let before: { sort: number; key: string } | undefined; stopped;) {
    const rows = await parts.store.rows({ view: memberViews.told, group: agent, limit: 200, ...(before ? { before } : {}) })
    for (const { body } of rows) {
      const { request, counterparty, world, status, end } = body as RequestView
      if (status !== 'accepted' || end) continue
      const by = { kind: 'human' as const, name: stopped.by, role: 'owner' as const }
      await parts.dialogs.handle(dialogFor(agent, counterparty.agentCode, world?.world ?? null), (now) =>
        now.seq > 0 && getStatus(now) === 'working' ? [{ type: 'latch-dialog', at: parts.clock.now(), by, via: worldsVia }] : [],
      )
      await parts.host.call(agent, 'conversations.close', { request, reason: 'owner_stopped_all' })
    }
    const last = rows.at(-1)
    if (!last || rows.length < 200) break
    before = { sort: last.sort, key: last.key }
  }
  await parts.committer.commit({ lease, settle: 'done' })
}

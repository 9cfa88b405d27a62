import type { StreamKind } from '../../streams/decider.ts'
import { decideWorld, type WorldCommand } from '../rules/decide-world.ts'
import type { Timed } from '../rules/decision.ts'
import type { WorldEvent } from '../rules/world-events.ts'
import { evolveWorld, initialWorld, worldSample, type WorldState } from '../rules/world-state.ts'
import { type FollowUp, hostWork } from './follow-up.ts'
import { membershipRow, worldRow } from './host-rows.ts'

/** A world as the stream handler runs it. */
export const worldKind: StreamKind<WorldState, Timed<WorldCommand>, WorldEvent> = {
  initial: initialWorld,
  decide: decideWorld,
  evolve: evolveWorld,
  consequences: (_stream, events, after) => ({
    rows: [worldRow(after), ...events.flatMap((event) => memberships(event, after))],
    wake: events.flatMap((event) => followUps(event, after)),
  }),
  sample: worldSample,
  weigh: (state) => 10_000 + state.versions.length * 8_000 + Object.keys(state.members).length * 1_200,
}

function memberships(event: WorldEvent, { world, owner }: WorldState) {
  if (event.type === 'world.created') return [membershipRow(world, owner, event.at)]
  return event.type === 'member.joined' || event.type === 'invite.made' ? [membershipRow(world, event.data.agent, event.at)] : []
}

function followUps(event: WorldEvent, { world, seq }: WorldState) {
  const wake = (payload: FollowUp) => [{ kind: hostWork.follow, key: `world/${world}/${payload.do}/${seq}`, at: event.at, payload }]
  if (event.type === 'world.text-edited') return wake({ do: 'world-changed', world, why: 'world' })
  if (event.type === 'world.status-set' && event.data.status === 'closed') return wake({ do: 'world-changed', world, why: 'world_closed' })
  if (event.type === 'member.removed' || event.type === 'agent.banned')
    return wake({ do: 'member-removed', world, agent: event.data.agent })
  return event.type === 'broadcast.made' ? wake({ do: 'broadcast', world, broadcast: event.data.broadcast }) : []
}

import type { Team } from '../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { type Ids, randomIds } from '../ports/ids.ts'
import { silentLog } from '../ports/log.ts'
import { noMetrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Language } from '../shapes/language.ts'
import type { Worlds } from '../shapes/worlds.ts'
import { groupCommitter } from '../streams/committer.ts'
import { streamHandler } from '../streams/stream-handler.ts'
import { type RunningHost, worldsHost } from '../worlds/host/worlds-host.ts'
import { withChannelAgents } from '../worlds/member/channel-agents.ts'
import { seatKind } from '../worlds/member/seat-kind.ts'
import { type RunningMember, worldsMember } from '../worlds/member/worlds-member.ts'
import { worldsNouns } from '../worlds/member/worlds-nouns.ts'
import { openParley, type OpenParley } from './library.ts'

/** Every agent of a team with an account of its own, and the host of their accounts, in one process. */
export type Household = {
  store: Store
  host: RunningHost
  member: RunningMember
  parley: OpenParley
  worlds: Worlds
  close(): Promise<void>
}

type Options = { store: Store; team: Team; clock?: Clock; language?: Language; timeZone?: string; ids?: Ids }

export async function openHousehold({
  store,
  team: given,
  clock = systemClock,
  language = 'en',
  timeZone = 'UTC',
  ids = randomIds,
}: Options): Promise<Household> {
  const committer = groupCommitter(store)
  const base = { store, committer, clock, log: silentLog, metrics: noMetrics }
  const seats = streamHandler(seatKind, store, committer)
  const team = withChannelAgents(given, { store, seats })
  const parley = openParley({ ...base, team, timeZone, ids })
  const host = worldsHost({ ...base, ids })
  const settings = given.list().map(({ name }) => ({ name, member: `local:${name}`, language }))
  const member = worldsMember({ ...base, ids, host, dialogs: parley.streams, team, timeZone, seats, settings })
  host.start()
  await member.start()
  return {
    store,
    host,
    member,
    parley,
    worlds: worldsNouns(member.parts, member.accounts),
    async close() {
      await member.stop(0)
      await host.stop(0)
      await parley.close(0)
      await store.close()
    },
  }
}

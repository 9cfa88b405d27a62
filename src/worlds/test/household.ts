import { openParley, type OpenParley } from '../../app/library.ts'
import { withChannelAgents } from '../member/channel-agents.ts'
import { seatKind } from '../member/seat-kind.ts'
import { type RunningMember, worldsMember } from '../member/worlds-member.ts'
import { type RunningHost, worldsHost } from '../host/worlds-host.ts'
import type { Agent, AgentOutput, GenerationInput, Team } from '../../ports/agent-runtime.ts'
import { randomIds } from '../../ports/ids.ts'
import { silentLog } from '../../ports/log.ts'
import { noMetrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../ports/clock.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'

export type Play = (input: GenerationInput) => AsyncIterable<AgentOutput> | Iterable<AgentOutput>

/** Two agents of one team, each with an account at a host in the same process. */
export type Household = { store: Store; host: RunningHost; member: RunningMember; parley: OpenParley; close(): Promise<void> }

export const householdTeam = (plays: Readonly<Record<string, Play>>): Team => {
  const agents = new Map<string, Agent>(
    Object.entries(plays).map(([name, play]) => [
      name,
      {
        name,
        tools: [],
        runtime: {
          async *generate(input: GenerationInput) {
            yield* play(input)
          },
        },
      },
    ]),
  )
  const [first = ''] = agents.keys()
  return { default: first, agent: (name) => agents.get(name), list: () => [...agents.keys()].map((name) => ({ name, about: '' })) }
}

export async function openHousehold(store: Store, clock: Clock, plays: Readonly<Record<string, Play>>): Promise<Household> {
  const committer = groupCommitter(store)
  const base = { store, committer, clock, log: silentLog, metrics: noMetrics }
  const seats = streamHandler(seatKind, store, committer)
  const team = withChannelAgents(householdTeam(plays), { store, seats })
  const parley = openParley({ ...base, team, timeZone: 'UTC' })
  const host = worldsHost(base)
  const settings = Object.keys(plays).map((name) => ({ name, member: `local:${name}`, language: 'en' as const }))
  const member = worldsMember({ ...base, ids: randomIds, host, dialogs: parley.streams, team, timeZone: 'UTC', seats, settings })
  host.start()
  await member.start()
  return {
    store,
    host,
    member,
    parley,
    async close() {
      await member.stop(0)
      await host.stop(0)
      await parley.close(0)
      await store.close()
    },
  }
}

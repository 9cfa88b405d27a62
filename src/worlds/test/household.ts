import { type Household, openHousehold as openApp } from '../../app/household.ts'
import type { Agent, AgentOutput, GenerationInput, Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'

export type { Household }

export type Play = (input: GenerationInput) => AsyncIterable<AgentOutput> | Iterable<AgentOutput>

export function teamFor(plays: Readonly<Record<string, Play>>): Team {
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

/** Agents of one team that are plain generators, each with an account at a host in the same process. */
export const openHousehold = (store: Store, clock: Clock, plays: Readonly<Record<string, Play>>): Promise<Household> =>
  openApp({ store, clock, team: teamFor(plays) })

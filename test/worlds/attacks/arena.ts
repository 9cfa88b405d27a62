import type { ToolKind } from '../../../src/authority/tool-kinds.ts'
import { defineTool } from '../../../src/agents/tool.ts'
import { openHousehold as openApp } from '../../../src/app/household.ts'
import type { Agent, GenerationInput, Team, Tool } from '../../../src/ports/agent-runtime.ts'
import type { StoredEvent } from '../../../src/ports/store.ts'
import { memoryStore } from '../../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../../src/testing/simulated-clock.ts'
import type { ReportState } from '../../../src/worlds/rules/report-state.ts'
import { reportStream } from '../../../src/worlds/rules/streams.ts'
import type { Play } from '../../../src/worlds/test/household.ts'
import { ask, listAccounts, meet, sendRequest } from '../../../src/worlds/test/reading-club.ts'
import { z } from 'zod'

/** Texts in which an attacker hides orders. `turn` speaks as the attacker's channel agent. */
export type Attacker = { turn: Play; profile?: string; joinText?: string; purpose?: string }

export type Fight = {
  turns: { side: string; text: string }[]
  end: { reason: string; by: string | null } | null
  reports: { ada: ReportState; mira: ReportState }
  events: StoredEvent[]
  /** Calls of any model of the victim before its owner accepted. */
  callsBefore: number
  /** Effects of tools that the victim's owner has given to the main agent. */
  effects: string[]
}

const request = 'crq_1'
/** Slow enough that the limit of turns per minute does not end a fight. */
const turnMs = 7_000

/** A tool of the victim's owner. Nothing that a peer causes may run it. */
const ownTool = (name: string, kind: ToolKind, effects: string[]): Tool =>
  defineTool({
    name,
    description: 'Owner only.',
    input: z.object({}).loose(),
    afterCrash: 'repeat',
    gate: { kind },
    run: () => {
      effects.push(name)
      return 'done'
    },
  })

const ownTools: Readonly<Record<string, ToolKind>> = { run: 'run', read_file: 'read', add_memory: 'memory', send_message: 'message' }

/** One conversation of an attacker (Ada) with a victim (Mira) from the request to both reports. */
export async function fight(attacker: Attacker, victim: { play: Play; calls: number }): Promise<Fight> {
  const clock = simulatedClock()
  const effects: string[] = []
  const agent = (name: string, play: Play, isSlow: boolean): Agent => ({
    name,
    tools: name === 'mira' ? Object.entries(ownTools).map(([tool, kind]) => ownTool(tool, kind, effects)) : [],
    runtime: {
      async *generate(input: GenerationInput) {
        if (isSlow) await new Promise<void>((resolve) => clock.after(turnMs, resolve))
        yield* play(input)
      },
    },
  })
  const agents = new Map([
    ['ada', agent('ada', attacker.turn, true)],
    ['mira', agent('mira', victim.play, false)],
  ])
  const team: Team = {
    default: 'ada',
    agent: (name) => agents.get(name),
    list: () => [...agents.keys()].map((name) => ({ name, about: '' })),
  }
  const house = await openApp({ store: memoryStore({ clock }), clock, team })
  try {
    await meet(house)
    const { ada, mira } = listAccounts(house)
    if (attacker.profile !== undefined) await ask(house, ada.agent, 'account.describe', { profile: attacker.profile })
    if (attacker.joinText !== undefined)
      await ask(house, ada.agent, 'worlds.edit-membership', { world: 'wld_books', text: attacker.joinText })
    await sendRequest(house, request, attacker.purpose)
    await clock.advance(2_000)
    const callsBefore = victim.calls
    await ask(house, mira.agent, 'requests.accept', { request })
    const load = (account: { agent: string }) => house.member.parts.reports.load(reportStream(request, account.agent))
    for (let round = 0; round < 40; round += 1) {
      await clock.advance(turnMs)
      if ((await load(ada)).outcome !== null && (await load(mira)).outcome !== null) break
      if (round === 30) await ask(house, ada.agent, 'conversations.close', { request, reason: 'owner_closed' })
    }
    const view = await ask(house, mira.agent, 'requests.get', { request })
    const { turns } = await ask(house, mira.agent, 'conversations.turns', { request })
    return {
      turns: turns.map(({ side, text }) => ({ side, text })),
      end: view.end && { reason: view.end.reason, by: view.end.by },
      reports: { ada: await load(ada), mira: await load(mira) },
      events: await house.store.readAll(0, 20_000),
      callsBefore,
      effects,
    }
  } finally {
    await house.close()
  }
}

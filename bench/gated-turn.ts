import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedRuntime } from '../src/agents/runtimes/scripted.ts'
import { directoryRules } from '../src/agents/workspace/directory-rules.ts'
import { readTools } from '../src/agents/workspace/read-tools.ts'
import type { Policy } from '../src/authority/policy.ts'
import { emergencyControl } from '../src/control/emergency.ts'
import { gateFacts } from '../src/control/gate-facts.ts'
import { depthOf, latchOver } from '../src/control/latches.ts'
import { owner } from '../src/control/owner.ts'
import { treeLimits } from '../src/dialog/tellask.ts'
import { budgets } from '../src/driver/budget.ts'
import { drafts } from '../src/driver/drafts.ts'
import { driver } from '../src/driver/driver.ts'
import { type Gatekeeper, gatekeeper } from '../src/driver/gatekeeper.ts'
import { parleyOver } from '../src/parley.ts'
import type { Agent, Team } from '../src/ports/agent-runtime.ts'
import { systemClock } from '../src/ports/clock.ts'
import { noHooks } from '../src/ports/hooks.ts'
import { randomIds } from '../src/ports/ids.ts'
import { silentLog } from '../src/ports/log.ts'
import { noMetrics } from '../src/ports/metrics.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { groupCommitter } from '../src/streams/committer.ts'
import { streamHandler } from '../src/streams/stream-handler.ts'
import { dialogKind } from '../src/views/dialog-kind.ts'
import { rootView, sideView } from '../src/views/dialog-views.ts'
import { many, median } from './figure.ts'
import { rest } from './rest.ts'
import { scratch } from './scratch.ts'

const agentName = 'ada'
const file = 'notes/a.md'

/** Reads one file in each turn and then says so, without any model. */
function readingTeam(project: string): Team {
  const layout = { root: project, foldsCase: false, hidden: [join(project, '.parley')], fixed: [join(project, 'node_modules')] }
  const agent: Agent = {
    name: agentName,
    tools: readTools(directoryRules(project, {}, layout)),
    runtime: scriptedRuntime({
      *reply({ context, turn }) {
        if (context.at(-1)?.kind === 'human') yield { type: 'call', call: `c${turn}`, name: 'read_file', input: { path: file } }
        else yield { type: 'text', text: 'I have read it.' }
      },
    }),
  }
  return { default: agentName, agent: (name) => (name === agentName ? agent : undefined), list: () => [{ name: agentName, about: '' }] }
}

const record = { decision: 'allow', rules: [], because: 'Allowed by default.', toolHash: 'h', inputHash: 'h' } as const
const constant: Gatekeeper = { judge: async () => ({ decision: 'allow', record }), stillHolds: async () => true }

type Runtime = { open(): Promise<string>; turn(dialog: string): Promise<number>; close(): Promise<void> }

/** As `openParley` puts it together, with the gate or with a constant in its place. */
function runtime(project: string, data: string, policy: Policy | null): Runtime {
  const store = sqliteStore({ path: join(data, 'parley.db') })
  const committer = groupCommitter(store)
  const dialogs = streamHandler(dialogKind, store, committer)
  const emergency = emergencyControl(store, committer)
  const written = drafts(store.hints, systemClock)
  const team = readingTeam(project)
  const log = silentLog
  const facts = gateFacts({ store, dialogs, clock: systemClock, log })
  const works = driver({
    gatekeeper: policy ? gatekeeper({ policy: () => policy, ...facts }, randomIds) : constant,
    budgets: budgets(store, { root: rootView, sides: sideView }),
    store,
    dialogs,
    team,
    drafts: written,
    emergency,
    holdOn: (dialog, state, load, visit) => latchOver(dialog, state, load, visit),
    tree: { bounds: treeLimits, depthOf, countSides: (root) => store.countRows(sideView, root) },
    clock: systemClock,
    ids: randomIds,
    log,
    metrics: noMetrics,
    turnNotes: noHooks.turnNotes,
  })
  works.start()
  const parley = parleyOver({ store, dialogs, team, drafts: written, emergency, clock: systemClock, ids: randomIds })
  const untilRest = rest(store)
  const caller = owner('ben', 'bench')
  return {
    open: async () => (await parley.dialogs.open({}, caller)).id,
    /** Milliseconds of CPU time. */
    async turn(dialog) {
      const before = process.cpuUsage()
      const rested = untilRest(dialog)
      await parley.dialogs.say(dialog, 'Please read the notes.', caller)
      await rested
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    },
    async close() {
      await works.stop(1_000)
      await committer.drain()
      await store.close()
    },
  }
}

/**
 * CPU time of a turn with one allowed `read_file` call, with the gate and with a constant. The two take turns in one process, so
 * that both meet the same machine, and change places, because the second one pays for what the first one left to collect.
 */
export async function measureTurns(policy: Policy): Promise<{ gated: number; constant: number; turns: number }> {
  const project = scratch('gate')
  mkdirSync(join(project, 'notes'))
  writeFileSync(join(project, file), 'A line to read.\n'.repeat(20))
  const [gated, plain] = [policy, null].map((each, at) => {
    const folder = join(project, `.data-${at}`)
    mkdirSync(folder)
    return runtime(project, folder, each)
  })
  if (!gated || !plain) throw new Error('nothing to compare')
  const took = { gated: [] as number[], constant: [] as number[] }
  const turns = many(600, 40)
  const warm = many(100, 10)
  let dialogs = ['', '']
  try {
    for (let turn = -warm; turn < turns; turn += 1) {
      // Contexts stay short, as in most dialogs.
      if (turn % 20 === 0 || turn === -warm) dialogs = [await gated.open(), await plain.open()]
      const isGatedFirst = turn % 2 === 0
      const first = isGatedFirst ? await gated.turn(dialogs[0] ?? '') : await plain.turn(dialogs[1] ?? '')
      const second = isGatedFirst ? await plain.turn(dialogs[1] ?? '') : await gated.turn(dialogs[0] ?? '')
      if (turn < 0) continue
      took.gated.push(isGatedFirst ? first : second)
      took.constant.push(isGatedFirst ? second : first)
    }
  } finally {
    await gated.close()
    await plain.close()
  }
  return { gated: median(took.gated), constant: median(took.constant), turns }
}

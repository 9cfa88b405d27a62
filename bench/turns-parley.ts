import { join } from 'node:path'
import { askHumanTool } from '../src/agents/ask-human.ts'
import { modelRuntime } from '../src/agents/runtimes/model.ts'
import { modelSchema } from '../src/app/config/schema.ts'
import type { Agent, Team } from '../src/ports/agent-runtime.ts'
import { openParley } from '../src/app/library.ts'
import { postgresStore } from '../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { serve, timed, type Round } from './contender.ts'
import { countedCommits } from './counted-commits.ts'
import { promptSource } from '../src/agents/minds/prompt-source.ts'
import { noSurroundings } from '../src/agents/minds/surroundings.ts'
import { rest } from './rest.ts'
import { caller, words } from './words.ts'

/** Parley as a server runs it, but for HTTP: file on disk or PostgreSQL, group commit, driver, model over the loopback interface. */
const [folder = '', url = '', database] = process.argv.slice(2)
const store = database === undefined ? sqliteStore({ path: join(folder, 'parley.db') }) : await postgresStore({ url: database })
const counts = countedCommits(store)
const model = modelSchema.parse({ provider: 'openai-compatible', baseUrl: url, model: 'instant' })
const runtime = modelRuntime({ model, member: {} })
const around = noSurroundings(() => [])
const prompt = promptSource({ name: 'ada', member: { about: 'Answers at once.' }, model, around, runtime })
const agent: Agent = { name: 'ada', runtime, prompt, tools: [askHumanTool] }
const team: Team = { default: 'ada', agent: (name) => (name === 'ada' ? agent : undefined), list: () => [{ name: 'ada', about: '' }] }
const parley = openParley({ store, team })
const untilRest = rest(store)

/** `dialogs` of them side by side, each `turns` turns long, one turn after the other. */
async function round({ dialogs, turns }: { dialogs: number; turns: number }): Promise<Round> {
  const open = await Promise.all(Array.from({ length: dialogs }, () => parley.dialogs.open({}, caller)))
  const before = { ...counts }
  const took = await timed(dialogs * turns, async () => {
    await Promise.all(
      open.map(async ({ id }) => {
        for (let turn = 0; turn < turns; turn += 1) {
          const rested = untilRest(id)
          await parley.dialogs.say(id, words(turn), caller)
          await rested
        }
      }),
    )
  })
  return { ...took, commits: counts.commits - before.commits, units: counts.units - before.units }
}

/** Many turns of one dialog, each timed by itself; without a dialog, of a new one. */
async function lasting({
  turns,
  dialog,
}: {
  turns: number
  dialog?: string
}): Promise<{ dialog: string; each: { ms: number; cpuMs: number }[] }> {
  const id = dialog ?? (await parley.dialogs.open({}, caller)).id
  const each: { ms: number; cpuMs: number }[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const { seconds, cpuMs } = await timed(1, async () => {
      const rested = untilRest(id)
      await parley.dialogs.say(id, words(turn), caller)
      await rested
    })
    each.push({ ms: seconds * 1000, cpuMs })
  }
  return { dialog: id, each }
}

serve<{ dialogs: number; turns: number } | { lasting: { turns: number; dialog?: string } }>(
  (command): Promise<object> => ('lasting' in command ? lasting(command.lasting) : round(command)),
  async () => {
    await parley.close()
    await store.close()
  },
)

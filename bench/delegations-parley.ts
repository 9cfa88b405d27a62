import { join } from 'node:path'
import { modelRuntime } from '../src/agents/runtimes/model.ts'
import { modelSchema } from '../src/app/config/schema.ts'
import type { Agent, AgentRuntime, Team } from '../src/ports/agent-runtime.ts'
import { openParley } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { type Round, serve, timed } from './contender.ts'
import { promptSource } from '../src/agents/minds/prompt-source.ts'
import { noSurroundings } from '../src/agents/minds/surroundings.ts'
import { countedCommits } from './counted-commits.ts'
import { rest } from './rest.ts'
import { caller, words } from './words.ts'

/** Parley as a server runs it, but for HTTP: file on disk, group commit, driver, a model over the loopback interface. */
const [folder = '', url = ''] = process.argv.slice(2)
const store = sqliteStore({ path: join(folder, 'parley.db') })
const counts = countedCommits(store)
const config = modelSchema.parse({ provider: 'openai-compatible', baseUrl: url, model: 'instant' })
const model = modelRuntime({ model: config, member: {} })

/** The model only says words; where it would have called a teammate, this does. */
const lead: AgentRuntime = {
  async *generate(input, signal) {
    if (input.prompt?.items.at(-1)?.kind === 'result') return yield* model.generate(input, signal)
    for await (const output of model.generate(input, signal)) if (output.type === 'usage') yield output
    const request = { targetAgentId: '@bo', tellaskContent: 'Look up the order from last week and say whether it fits.' }
    yield { type: 'call', call: 'c', name: 'tellaskSessionless', input: request }
  },
}

/** It would be asked for its reply otherwise, which is a second generation. */
const helper: AgentRuntime = {
  async *generate(input, signal) {
    let text = ''
    for await (const output of model.generate(input, signal)) {
      if (output.type === 'usage') yield output
      else if (output.type === 'delta') text += output.text
    }
    yield { type: 'call', call: 'c', name: 'reply', input: { text, status: 'done' } }
  },
}
const list = ['ada', 'bo'].map((name) => ({ name, about: '' }))
const around = noSurroundings(() => list)
const agent = (name: string, runtime: AgentRuntime): Agent => ({
  name,
  runtime,
  tools: [],
  prompt: promptSource({ name, member: { about: 'Answers at once.' }, model: config, around, runtime: model }),
})
const agents: Record<string, Agent> = { ada: agent('ada', lead), bo: agent('bo', helper) }
const team: Team = { default: 'ada', agent: (name) => agents[name], list: () => list }
const parley = openParley({ store, team })
const untilRest = rest(store)

async function round({ dialogs, each }: { dialogs: number; each: number }): Promise<Round> {
  const open = await Promise.all(Array.from({ length: dialogs }, () => parley.dialogs.open({ title: 'Orders' }, caller)))
  const before = counts.commits
  const took = await timed(dialogs * each, async () => {
    await Promise.all(
      open.map(async ({ id }) => {
        for (let count = 0; count < each; count += 1) {
          const replied = untilRest(id).then(() => untilRest(id))
          await parley.dialogs.say(id, words(count), caller)
          await replied
        }
      }),
    )
  })
  return { ...took, commits: counts.commits - before }
}

serve(round, async () => {
  await parley.close()
  await store.close()
})

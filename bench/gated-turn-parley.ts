import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectProtection } from '../src/agents/workspace/project-protection.ts'
import { directoryRules } from '../src/agents/workspace/directory-rules.ts'
import { readTools } from '../src/agents/workspace/read-tools.ts'
import { parsePolicy } from '../src/authority/parse-policy.ts'
import { configSchema } from '../src/app/config/schema.ts'
import type { GateRecord } from '../src/dialogs/rules/approval.ts'
import type { Gatekeeper } from '../src/dialogs/driver/gatekeeper.ts'
import type { AgentOutput, GenerationInput } from '../src/ports/agent-runtime.ts'
import type { Caller } from '../src/shapes/parley.ts'
import { openParleyWith } from '../src/app/library.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { teamOf } from '../src/testing/team-of.ts'
import { serve, timed } from './contender.ts'
import { rest } from './rest.ts'

/**
 * Parley with an agent that thinks in no time and reads one file in each turn, by the gate or by a constant in its place. Both
 * share one process, one store and one agent, and a block says which of them decides: no other difference can be measured.
 */
const [project = ''] = process.argv.slice(2)
mkdirSync(join(project, 'notes'), { recursive: true })
writeFileSync(join(project, 'parley.yaml'), '')
writeFileSync(join(project, 'notes/a.md'), 'A line of text.\n'.repeat(40))

const record: GateRecord = {
  decision: 'allow',
  rules: [],
  because: 'Allowed by default.',
  toolHash: 'x'.repeat(43),
  inputHash: 'x'.repeat(43),
}
const constant: Gatekeeper = { judge: async () => ({ decision: 'allow', record }), stillHolds: async () => true }

export type Side = 'gate' | 'constant'
let side: Side = 'constant'
const switched = (gate: Gatekeeper): Gatekeeper => ({
  judge: (...call) => (side === 'gate' ? gate : constant).judge(...call),
  stillHolds: (...call) => (side === 'gate' ? gate : constant).stillHolds(...call),
})

const parsed = parsePolicy({
  people: { mia: { role: 'owner' } },
  policy: {
    rules: Array.from({ length: 20 }, (_, at) => ({
      [at % 2 === 0 ? 'allow' : 'deny']: at % 4 < 2 ? `run(tool-${at} *)` : `read(folder-${at}/**)`,
    })),
  },
})
if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
const { policy } = parsed

async function* reads({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  if (context.at(-1)?.kind === 'human') yield { type: 'call', call: 'c', name: 'read_file', input: { path: 'notes/a.md' } }
  else yield { type: 'text', text: 'I have read it.' }
}

const layout = projectProtection({ file: join(project, 'parley.yaml'), dataDir: join(project, '.parley'), config: configSchema.parse({}) })
const tools = readTools(directoryRules(project, {}, layout))
const store = sqliteStore({ path: join(project, 'parley.db') })
const parley = openParleyWith({ store, team: teamOf(reads, tools), policy: () => policy }, switched)
const untilRest = rest(store)
const mia: Caller = { by: { kind: 'human', name: 'mia', id: 'person:mia', role: 'owner' }, via: 'web' }

/** One turn in each of the dialogs, decided by `by`: CPU of one of them. */
async function runBlock(open: readonly { id: string }[], by: Side): Promise<number> {
  side = by
  const { cpuMs } = await timed(open.length, async () => {
    await Promise.all(
      open.map(async ({ id }) => {
        const rested = untilRest(id)
        await parley.dialogs.say(id, 'Read it.', mia)
        await rested
      }),
    )
  })
  return cpuMs / open.length
}

async function checkRead(dialog: string): Promise<void> {
  const log = await parley.events.read({ stream: dialog, after: 0, limit: 100 })
  const result = log.find(({ type }) => type === 'tool.returned')?.data as { ok: boolean } | undefined
  if (result?.ok !== true) throw new Error(`the file was not read: ${JSON.stringify(result)}`)
}

serve<{ dialogs: number; blocks: readonly Side[] }>(
  async ({ dialogs, blocks }): Promise<{ cpuMs: number[] }> => {
    const open = await Promise.all(Array.from({ length: dialogs }, () => parley.dialogs.open({}, mia)))
    const cpuMs: number[] = []
    for (const by of blocks) cpuMs.push(await runBlock(open, by))
    for (const { id } of open.slice(0, 1)) await checkRead(id)
    return { cpuMs }
  },
  async () => {
    await parley.close()
    await store.close()
  },
)

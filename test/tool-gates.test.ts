import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import demoAgent from '../src/app/demo/index.ts'
import officeHours from '../examples/plugin-office-hours/plugin.ts'
import { teamFrom } from '../src/agents/team.ts'
import { defineTool } from '../src/agents/tool.ts'
import { getToolKind, toolKinds } from '../src/authority/tool-kinds.ts'
import { buildTools } from '../src/builds/runner/build-tools.ts'
import { configSchema } from '../src/app/config/schema.ts'
import { declarations } from '../src/dialogs/rules/prompt/tool-declarations.ts'
import { isTreeTool } from '../src/dialogs/rules/tree-tools.ts'
import { builtIn } from '../src/plugins/host/find-module.ts'
import { guardFor } from '../src/plugins/host/guard.ts'
import { memoryHost } from '../src/plugins/lifecycle/memory-host.ts'
import { readPlugin, setUp } from '../src/plugins/host/set-up.ts'
import type { Tool } from '../src/ports/agent-runtime.ts'
import { silentLog } from '../src/ports/log.ts'
import { simulatedClock } from '../src/testing/simulated-clock.ts'

/** Tools of every toolset, of the demo, and of members that are models. */
async function teamTools(): Promise<Tool[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-gates-'))
  const toolsets = ['memory', 'ws_read', 'ws_mod', 'os', 'message']
  const config = configSchema.parse({
    models: { local: { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', model: 'x' } },
    team: { members: { ada: { runtime: 'model', toolsets, governor: true }, bob: { runtime: 'scripted' } } },
  })
  const built = await teamFrom(config, { file: join(folder, 'parley.yaml'), demo: demoAgent, clock: simulatedClock() })
  assert.deepEqual(built.problems, [])
  const tools = ['ada', 'bob', demoAgent.name].flatMap((name) => built.team.agent(name)?.tools ?? [])
  await built.close()
  rmSync(folder, { recursive: true })
  return tools
}

/** Tools and agents' tools of plugins, as Parley takes them over. `given` is the default export of a module. */
async function pluginTools(name: string, given: unknown): Promise<Tool[]> {
  const guard = guardFor(name, { clock: simulatedClock(), log: silentLog })
  const read = readPlugin(given)
  assert.ok('plugin' in read, JSON.stringify(read))
  const outcome = await setUp(read.plugin, {}, memoryHost(), guard)
  assert.ok('parts' in outcome, JSON.stringify(outcome))
  const { tools = [], agents = [] } = outcome.parts
  return [...tools, ...agents.flatMap((agent) => agent.tools ?? [])]
}

const buildParts = new Proxy({}, { get: () => assert.fail('no tool is run here') }) as Parameters<typeof buildTools>[0]

test('A1: every tool of every toolset, plugin and build declares a gate', async (t) => {
  const plugins: Tool[] = await pluginTools('office-hours', officeHours)
  for (const [name, load] of Object.entries(builtIn)) plugins.push(...(await pluginTools(name, await load())))
  const groups: Record<string, readonly Tool[]> = { team: await teamTools(), builds: buildTools(buildParts), plugins }
  const counts = Object.entries(groups).map(([name, tools]) => `${tools.length} of ${name}`)
  const all = Object.values(groups).flat()
  t.diagnostic(`${all.length} tools: ${counts.join(', ')}`)
  assert.ok(all.length >= 25, `only ${all.length} tools were seen`)
  assert.ok((groups['builds']?.length ?? 0) > 0)
  const without = all.filter(({ gate }) => !toolKinds.includes((gate as Tool['gate'] | undefined)?.kind as never)).map(({ name }) => name)
  assert.deepEqual(without, [], 'tools without a gate')
  // A tool of Parley has the row of the default table that its name stands in.
  const wrong = all.flatMap(({ name, gate }) => {
    const expected = getToolKind(name)
    return expected === null
      ? gate.kind === 'code'
        ? []
        : [name]
      : gate.kind === expected
        ? []
        : [`${name}: ${gate.kind}, not ${expected}`]
  })
  assert.deepEqual(wrong, [])
})

test('every tool between dialogs has a row in the default table', () => {
  const tools = Object.values(declarations).filter(({ name }) => isTreeTool(name))
  assert.ok(tools.length >= 8)
  assert.deepEqual(
    tools.filter(({ name }) => getToolKind(name) !== 'talk').map(({ name }) => name),
    [],
  )
})

test('a tool of a plugin that declares nothing asks, and one in the short form is understood', async () => {
  const raw = { description: '', inputSchema: {}, afterCrash: 'repeat', check: (input: unknown) => ({ input }), run: async () => null }
  const plugin = {
    name: 'shop',
    version: '1',
    api: 1,
    about: '',
    setUp: () => ({
      tools: [
        { ...raw, name: 'silent' },
        { ...raw, name: 'open', gate: 'allow' },
        { ...raw, name: 'strange', gate: { kind: 'everything' } },
        { ...raw, name: 'fetch', gate: ({ host }: { host: string }) => ({ net: host }) },
      ],
    }),
  }
  const [silent, open, strange, fetch] = await pluginTools('shop', plugin)
  assert.deepEqual(silent?.gate, { kind: 'code', declared: 'ask', server: 'shop' })
  assert.deepEqual(open?.gate, { kind: 'code', declared: 'allow', server: 'shop' })
  assert.deepEqual(strange?.gate, { kind: 'code', declared: 'ask', server: 'shop' })
  const scene = { dialog: 'd', agent: 'a', language: 'en', role: 'owner' } as const
  assert.deepEqual(await fetch?.gate.subjects?.({ host: 'example.org:8443' }, scene), {
    subjects: [{ kind: 'net', host: 'example.org', port: 8443 }],
    unsure: [],
  })
})

test('defineTool: the short forms of a gate', () => {
  const tool = (gate?: Parameters<typeof defineTool>[0]['gate']): Tool =>
    defineTool({ name: 'x', description: '', input: z.object({}), afterCrash: 'ask', ...(gate && { gate }), run: () => null })
  assert.deepEqual(tool().gate, { kind: 'code', declared: 'ask' })
  assert.deepEqual(tool('allow').gate, { kind: 'code', declared: 'allow' })
  assert.deepEqual(tool({ guests: 'allow' }).gate, { kind: 'code', declared: 'allow-guests' })
  assert.deepEqual(tool({ kind: 'read' }).gate, { kind: 'read' })
})

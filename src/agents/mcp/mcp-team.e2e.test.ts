import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../app/config/load.ts'
import { liveTeam, type LiveTeam } from '../live-team.ts'
import { defineAgent } from '../runtimes/scripted.ts'
import { teamFrom, type TeamParts } from '../team.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-team-'))
const program = fileURLToPath(new URL('./test/odd-server.ts', import.meta.url))
const demo = defineAgent({ name: 'ada', about: '', reply: (_, { say }) => say('demo') })
const parts: TeamParts = { file: join(folder, 'parley.yaml'), demo, fast: true, mcpWaitMs: 20_000 }
const config = (servers: string, member = 'mcp: ["*"]'): ReturnType<typeof readConfig>['config'] =>
  readConfig(
    `models: { main: { provider: openai-compatible, model: x } }\nteam: { members: { bob: { runtime: model, ${member} } } }\nmcp: { ${servers} }`,
    parts.file,
    {},
  ).config
const odd = (behaviour: string): string =>
  `{ transport: stdio, command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(program)}, ${behaviour}], prefix: o_ }`
const names = (team: LiveTeam): string[] => team.agent('bob')?.tools.flatMap(({ name }) => (name.startsWith('o_') ? [name] : [])) ?? []

describe('a team with MCP servers', { timeout: 60_000 }, () => {
  after(() => rmSync(folder, { recursive: true }))

  it('gives members the tools of the servers they name, keeps servers over a change, and ends them with itself', async () => {
    const team = liveTeam(await teamFrom(config(`odd: ${odd('changing')}`), parts), parts)
    try {
      assert.equal(team.problems.length, 0)
      const before = team.agent('bob')
      const [first, change] = before?.tools.filter(({ name }) => name.startsWith('o_')) ?? []
      assert.deepEqual([first?.name, change?.name], ['o_first', 'o_change'])
      await team.replace(config(`odd: ${odd('changing')}, gone: ${odd('gone')}`))
      assert.match(team.problems.map(({ path, why }) => `${path} ${why}`).join(), /^mcp\.gone it cannot be used/)
      assert.equal(
        await change?.run(
          {},
          { dialog: 'd', agent: 'bob', call: 'c', taskdoc: null, isSide: false, cause: ownerCause, signal: new AbortController().signal },
        ),
        'changed',
        'a member of the team before still has its tools',
      )
      while (!names(team).includes('o_second')) await new Promise((resolve) => setTimeout(resolve, 20))
      await team.replace(config(`odd: ${odd('changing')}`, 'mcp: []'))
      assert.deepEqual(names(team), [])
      await team.replace(config(''))
      assert.equal(team.problems.length, 0)
    } finally {
      await team.close()
    }
  })
})

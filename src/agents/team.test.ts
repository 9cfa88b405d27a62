import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { readConfig } from '../app/config/load.ts'
import { problemInWords } from '../app/config/problem.ts'
import { toOutputs, sampleInput, toWords } from '../testing/agent-contract.ts'
import { liveTeam } from './live-team.ts'
import { defineAgent } from './runtimes/scripted.ts'
import { teamFrom, type TeamParts } from './team.ts'
import { defineTool } from './tool.ts'
import { ownerCause } from '../testing/owner-cause.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-team-'))
const demo = defineAgent({ name: 'ada', about: 'The demo.', reply: (_, { say }) => say('demo') })
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ at: z.string() }),
  afterCrash: 'repeat',
  gate: 'allow',
  run: ({ at }) => `seen ${at}`,
})
const parts: TeamParts = { file: join(folder, 'parley.yaml'), demo, tools: [look], fast: true }

const makeTeam = (yaml: string): ReturnType<typeof teamFrom> => teamFrom(readConfig(yaml, parts.file, {}).config, parts)
const models = 'models: { main: { provider: openai-compatible, model: x } }\n'

describe('a team', () => {
  after(() => rmSync(folder, { recursive: true }))

  it('is the demo agent while no member is configured', async () => {
    const { team, problems } = await makeTeam('')
    assert.deepEqual([team.default, team.list(), problems], ['ada', [{ name: 'ada', about: 'The demo.' }], []])
  })

  it('has its members, a default, and tools by name', async () => {
    const { team, problems } = await makeTeam(`${models}team:
  default: bob
  members:
    mia: { runtime: scripted, about: A script }
    bob: { runtime: model, tools: [look] }
    tom: { runtime: command, command: [cat] }
`)
    assert.deepEqual(problems, [])
    assert.equal(team.default, 'bob')
    assert.deepEqual(
      team.list().map(({ name }) => name),
      ['mia', 'bob', 'tom'],
    )
    assert.deepEqual(
      team.agent('bob')?.tools.map(({ name }) => name),
      ['askHuman', 'show_reply', 'look', 'change_mind', 'recall_taskdoc'],
    )
    assert.equal(team.agent('nobody'), undefined)
    assert.equal(team.agent('ada')?.name, 'ada', 'dialogs begun with the demo continue')
  })

  it('skips a member that cannot be made, and says why', async () => {
    writeFileSync(join(folder, 'broken.mjs'), 'export default {}; this is no JavaScript')
    writeFileSync(join(folder, 'other.mjs'), 'export default { hello: 1 }')
    const { team, problems } = await makeTeam(`${models}team:
  default: ghost
  members:
    a: { runtime: model, model: mian }
    b: { runtime: model, tools: [lok] }
    c: { runtime: command }
    d: { runtime: command, command: [cat], cwd: ./no-such-folder }
    e: { runtime: scripted, module: ./broken.mjs }
    f: { runtime: scripted, module: ./other.mjs }
    g: { runtime: scripted, module: ./missing.mjs }
    ok: { runtime: scripted }
`)
    assert.deepEqual([team.default, team.agent('ghost'), team.list().length], ['ghost', undefined, 1])
    assert.deepEqual(
      problems.map(({ path }) => path),
      [
        'team.members.a.model',
        'team.members.b.tools.0',
        'team.members.c.command',
        'team.members.d.cwd',
        'team.members.e.module',
        'team.members.f.module',
        'team.members.g.module',
        'team.default',
      ],
    )
    assert.match(problems.map(problemInWords)[0] ?? '', /there is no model "mian"; there is main\. "a" is skipped\./)
  })

  it('lets no other agent answer in place of a default that cannot be used', async () => {
    for (const [yaml, named] of [
      ['team: { default: b, members: { a: { runtime: scripted }, b: { runtime: command } } }', 'b'],
      ['team: { members: { b: { runtime: command }, a: { runtime: scripted } } }', 'b'],
      ['team: { members: { b: { runtime: modle }, a: { runtime: scripted } } }', 'b'],
      ['team: { members: { ada: { runtime: modle } } }', 'ada'],
    ] as const) {
      const { team, problems } = await makeTeam(yaml)
      assert.deepEqual([team.default, team.agent(named)], [named, undefined], yaml)
      assert.ok(problems.some(({ path }) => path === 'team.default'))
    }
  })

  it('needs no model name with one model, and one with several', async () => {
    const none = await makeTeam('team: { members: { a: { runtime: model } } }')
    assert.match(none.problems[0]?.why ?? '', /parley model set/)
    assert.deepEqual([none.team.default, none.team.agent('a'), none.team.list()], ['a', undefined, []])
    const two = await makeTeam(
      'models: { x: { provider: anthropic, model: m }, y: { provider: anthropic, model: m } }\nteam: { members: { a: { runtime: model } } }',
    )
    assert.match(two.problems[0]?.why ?? '', /say which model: x, y/)
  })

  it('is exchanged while it is in use, with the new version of a module', async () => {
    const file = join(folder, 'agent.mjs')
    const write = (words: string, at: number): void => {
      writeFileSync(file, `export default { name: 'mia', about: '', reply: (input, stage) => stage.say(${JSON.stringify(words)}) }`)
      utimesSync(file, at, at)
    }
    const yaml = 'team: { members: { mia: { runtime: scripted, module: ./agent.mjs } } }'
    const says = async (): Promise<string> => {
      const agent = team.agent('mia')
      assert.ok(agent)
      return toWords(await toOutputs(agent.runtime.generate(sampleInput, new AbortController().signal)))
    }
    write('first', 1_000)
    const team = liveTeam(await makeTeam(yaml), parts)
    assert.equal(await says(), 'first')
    write('second', 2_000)
    assert.deepEqual(await team.replace(readConfig(yaml, parts.file, {}).config), [])
    assert.equal(await says(), 'second')
    await team.replace(readConfig('', parts.file, {}).config)
    assert.deepEqual([team.default, team.list().length], ['ada', 1])
  })
})

describe('a tool', () => {
  it('checks its input in words and gives its schema', async () => {
    assert.deepEqual(look.check({ at: 'here' }), { input: { at: 'here' } })
    const refused = look.check({ at: 5 })
    assert.match('fault' in refused ? refused.fault : '', /^at: /)
    assert.equal((look.inputSchema as { type?: string }).type, 'object')
    assert.equal(
      await look.run(
        { at: 'here' },
        { dialog: 'd', agent: 'a', call: 'c', taskdoc: null, isSide: false, cause: ownerCause, signal: new AbortController().signal },
      ),
      'seen here',
    )
    assert.throws(
      () => defineTool({ name: 'two words', description: '', input: z.object({}), afterCrash: 'ask', run: () => null }),
      /must be 1 to 64/,
    )
  })
})

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { readConfig } from '../app/config/load.ts'
import { problemInWords } from '../app/config/problem.ts'
import { defineAgent } from './runtimes/scripted.ts'
import { withoutFrontMatter } from './minds/read-mind.ts'
import { type BuiltTeam, teamFrom, type TeamParts } from './team.ts'
import { defineTool } from './tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-equipped-'))
mkdirSync(join(folder, '.minds'))
const demo = defineAgent({ name: 'ada', about: 'The demo.', reply: (_, { say }) => say('demo') })
const tool = (name: string): ReturnType<typeof defineTool> =>
  defineTool({ name, description: '', input: z.object({}), afterCrash: 'repeat', gate: 'allow', run: () => '' })
const parts: TeamParts = {
  file: join(folder, 'parley.yaml'),
  demo,
  tools: [tool('look'), tool('clear_mind'), tool('read_file')],
  fast: true,
}
const models = 'models: { main: { provider: openai-compatible, model: x } }\n'

const read = (yaml: string): ReturnType<typeof readConfig> => readConfig(yaml, parts.file, {})
const makeTeam = (yaml: string): Promise<BuiltTeam> => teamFrom(read(yaml).config, parts)
const member = async (settings: string, top = models): Promise<{ built: BuiltTeam; agent: ReturnType<BuiltTeam['team']['agent']> }> => {
  const built = await makeTeam(`${top}team: { members: { bob: { runtime: model, ${settings} } } }`)
  return { built, agent: built.team.agent('bob') }
}
const words = (yaml: string): string[] => read(yaml).problems.map(problemInWords)

after(() => rmSync(folder, { recursive: true }))

describe('a member’s mind', () => {
  it('reasons with three fresh minds unless told otherwise', async () => {
    assert.equal((await member('')).agent?.mind?.reasoningEffort, 3)
    assert.equal((await member('fbr-effort: 0')).agent?.mind?.reasoningEffort, 0)
    assert.equal((await member('fbr-effort: 100')).agent?.mind?.reasoningEffort, 100)
    for (const wrong of ['101', '-1', '2.5', 'many']) {
      const [problem, ...rest] = words(`team: { members: { bob: { runtime: scripted, fbr-effort: ${wrong} } } }`)
      assert.match(problem ?? '', /team\.members\.bob\.fbr-effort: .*"bob" is skipped/, wrong)
      assert.deepEqual(rest, [])
    }
  })

  it('counts the roles that wrote into a task document it reads', async () => {
    mkdirSync(join(folder, 'plan.tsk'))
    writeFileSync(join(folder, 'plan.tsk/.floor.json'), '{"role":"member","change":"c1"}')
    assert.deepEqual((await member('')).agent?.readTaskdocFloor?.('plan.tsk'), { role: 'member', change: 'c1', writers: [] })
  })

  it('is pushed only when that was asked for, with the team’s own words if there are any', async () => {
    assert.equal((await member('diligence-push-max: 0')).agent?.mind?.diligence, undefined)
    const pushed = async (settings = ''): Promise<{ text: string | null; most: number | null }> => {
      const { text = null, most = null } = (await member(`diligence-push-max: 2${settings}`)).agent?.mind?.diligence ?? {}
      return { text, most }
    }
    assert.deepEqual(await pushed(), { text: null, most: 2 }, 'without a file the runtime has a sentence')
    assert.deepEqual((await member('')).agent?.mind?.diligence?.most, null)
    writeFileSync(join(folder, '.minds/diligence.md'), '---\nauthor: me\n---\n\nLook again.\n')
    writeFileSync(join(folder, '.minds/diligence.zh.md'), '再看一遍。')
    assert.deepEqual(await pushed(), { text: 'Look again.', most: 2 })
    assert.deepEqual(await pushed(', language: zh'), { text: '再看一遍。', most: 2 })
    writeFileSync(join(folder, '.minds/diligence.md'), '---\nauthor: me\n---\n')
    assert.equal((await pushed()).most, 0, 'an empty file switches it off')
    assert.equal(withoutFrontMatter('---\n---\nx'), 'x')
    assert.equal(withoutFrontMatter('a\n---\nb\n---\n'), 'a\n---\nb\n---\n')
  })
})

describe('a member’s tools', () => {
  const names = async (settings: string): Promise<string[]> => (await member(settings)).agent?.tools.map(({ name }) => name) ?? []

  it('are the ones its toolsets name, and no others', async () => {
    const always = ['askHuman', 'show_reply', 'change_mind', 'recall_taskdoc']
    assert.deepEqual(await names(''), always)
    const extra = async (settings: string): Promise<string[]> => (await names(settings)).filter((name) => !always.includes(name))
    assert.deepEqual(await extra('toolsets: [ws_read]'), ['list_dir', 'read_file', 'search_text'])
    assert.deepEqual(await extra('toolsets: [ws_mod]'), ['write_file', 'edit_file'])
    assert.deepEqual(await extra('toolsets: [os]'), ['run'])
    assert.deepEqual(await extra('toolsets: [memory]'), ['add_memory', 'replace_memory', 'drop_memory', 'clear_memory'])
    assert.equal((await extra('toolsets: [memory], governor: true')).length, 8)
    assert.match(words('team: { members: { bob: { runtime: scripted, toolsets: [root] } } }')[0] ?? '', /toolsets/)
  })

  it('may not take a name of Parley, be named twice or come from an unknown server', async () => {
    const why = async (settings: string): Promise<string> => (await member(settings)).built.problems.map(problemInWords).join()
    assert.match(await why('tools: [clear_mind]'), /team\.members\.bob\.tools\.0: "clear_mind" is a name that belongs to Parley/)
    assert.match(await why('tools: [askHuman]'), /belongs to Parley/)
    assert.match(await why('tools: [read_file], toolsets: [ws_read]'), /two of its tools are called "read_file"/)
    assert.match(await why('mcp: [nowhere]'), /there is no MCP server "nowhere"/)
    writeFileSync(join(folder, 'taken.mjs'), `export default { name: 'x', about: '', reply() {}, tools: [{ name: 'tellask' }] }`)
    const built = await makeTeam('team: { members: { eve: { runtime: scripted, module: ./taken.mjs } } }')
    assert.match(built.problems.map(problemInWords).join(), /its tool "tellask" has a name that belongs to Parley/)
  })
})

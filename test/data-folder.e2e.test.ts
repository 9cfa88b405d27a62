import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type Caller, startParley } from '../src/index.ts'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'parley-data-')))
const me: Caller = { by: { kind: 'human', name: 'me', id: 'person:owner', role: 'owner' }, via: 'web' }

/** Calls one tool with what the person wrote, then repeats its result. */
const agent = `export default {
  name: 'ada', about: '', tools: [],
  *reply({ context }) {
    const used = context.findLast(({ kind }) => kind === 'call')
    if (used?.result) yield { type: 'text', text: JSON.stringify(used.result.output) }
    else yield { type: 'call', call: 'c1', ...JSON.parse(context.findLast(({ kind }) => kind === 'human').text) }
  },
}`

describe('a data folder inside the project that --data or PARLEY_DATA names', () => {
  after(() => rmSync(dir, { recursive: true }))

  it('is hidden from file tools: no token, no signing secret, no database', { timeout: 60_000 }, async () => {
    writeFileSync(join(dir, 'agent.mjs'), agent)
    writeFileSync(
      join(dir, 'parley.yaml'),
      'team: { members: { ada: { runtime: scripted, module: ./agent.mjs, toolsets: [ws_read, ws_mod], writeDirs: ["**"] } } }',
    )
    const server = await startParley({ dir, dataDir: join(dir, 'var/parley'), port: 0, fast: true })
    const use = async (name: string, input: object): Promise<string> => {
      const { dialogs, events } = server.parley
      const { id } = await dialogs.open({ agent: 'ada', text: JSON.stringify({ name, input }) }, me)
      for await (const page of events.follow({ stream: id, after: 0 }, AbortSignal.timeout(60_000)))
        for (const { type, data } of page)
          if (type === 'message.said' && (data as { by: { kind: string } }).by.kind === 'agent') return (data as { text: string }).text
      throw new Error('the agent did not answer')
    }
    try {
      for (const file of ['server.json', 'secret', 'parley.db'])
        assert.match(await use('read_file', { path: `var/parley/${file}` }), new RegExp(`^"var/parley/${file} is protected\\.`))
      assert.match(await use('write_file', { path: 'var/parley/secret', content: 'x' }), /^"var\/parley\/secret is protected\./)
      assert.match(await use('write_file', { path: 'agent.mjs', content: 'x', overwrite: true }), /^"agent\.mjs is protected\./)
      assert.doesNotMatch(await use('list_dir', { path: 'var' }), /parley/)
      assert.match(await use('search_text', { text: '"token"' }), /Nothing found/)
    } finally {
      await server.close()
    }
  })
})

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type Caller, startParley } from '../src/index.ts'

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-missing-')))
const dir = join(outside, 'project')
const me: Caller = { by: { kind: 'human', name: 'me', id: 'person:owner', role: 'owner' }, via: 'web' }

/** A PATH with a shell and no bubblewrap. */
const tools = join(outside, 'tools')
mkdirSync(tools)
mkdirSync(dir)
for (const name of ['bash', 'sh', 'touch']) symlinkSync(`/bin/${name}`, join(tools, name))

/** Runs one command, then repeats the result. */
const agent = `export default {
  name: 'ada', about: '', tools: [],
  *reply({ context }) {
    const used = context.findLast(({ kind }) => kind === 'call')
    if (used?.result) yield { type: 'text', text: String(used.result.output) }
    else yield { type: 'call', call: 'c1', name: 'run', input: { command: 'touch ran-by-shell' } }
  },
}`

async function start(): ReturnType<typeof startParley> {
  writeFileSync(join(dir, 'agent.mjs'), agent)
  writeFileSync(
    join(dir, 'parley.yaml'),
    [
      'team:',
      '  members:',
      '    ada: { runtime: scripted, module: ./agent.mjs, toolsets: [os], writeDirs: ["**"] }',
      '    prog: { runtime: command, command: [bash, -c, "touch ran-by-agent; echo done"] }',
      'policy: { rules: [{ allow: run(touch *) }] }',
    ].join('\n'),
  )
  return startParley({ dir, port: 0, fast: true, env: () => ({ ...process.env, PATH: tools }) })
}

describe('with a PATH without bubblewrap', { timeout: 60_000 }, () => {
  after(() => rmSync(outside, { recursive: true }))

  it('A31: no shell command, no agent program and no build program runs', async () => {
    const server = await start()
    const { dialogs, builds, events } = server.parley
    const end = async (given: Parameters<typeof dialogs.open>[0]): Promise<string> => {
      const { id } = await dialogs.open(given, me)
      for await (const page of events.follow({ stream: id, after: 0 }, AbortSignal.timeout(20_000)))
        for (const { type, data } of page) {
          if (type === 'generation.failed' || type === 'turn.failed') return (data as { code: string }).code
          if (type === 'message.said' && (data as { by: { kind: string } }).by.kind === 'agent') return (data as { text: string }).text
        }
      throw new Error('the agent did not answer')
    }
    try {
      assert.equal(await end({ agent: 'ada', text: 'go' }), 'Not run: the sandbox is not available. A person must install it.')
      assert.equal(await end({ agent: 'ada', text: 'go', language: 'zh' }), '未执行：沙箱不可用，需由人安装。')
      assert.equal(await end({ agent: 'prog', text: 'go' }), 'sandbox_unavailable')
      const { build_id: build } = await builds.open({ prompt: 'x', agent: 'prog' }, me)
      let failure = ''
      for await (const page of builds.events.follow(build, { after: 0, include: 'all' }, AbortSignal.timeout(20_000))) {
        failure = page.map((event) => JSON.stringify(event)).find((event) => event.includes('"build.failed"')) ?? ''
        if (failure !== '') break
      }
      assert.match(failure, /"sandbox_unavailable"/)
      assert.deepEqual(
        ['ran-by-shell', 'ran-by-agent'].filter((name) => existsSync(join(dir, name))),
        [],
      )
    } finally {
      await server.close()
    }
  })
})

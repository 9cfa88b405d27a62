import assert from 'node:assert/strict'
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makePolicy, samplePolicy } from '../../src/authority/test/samples.ts'
import type { Tool } from '../../src/ports/agent-runtime.ts'
import { bob, eve, type Outcome, toolScene } from './tool-scene.ts'

// The attacks of the specification, by their numbers there, against Parley's own tools in a real project folder.

const peopleOnly = makePolicy({ people: samplePolicy.people })

const shownText = ({ approval }: Outcome): string => approval?.approval?.shown.text ?? ''
const getFacts = ({ approval }: Outcome): Record<string, string> =>
  Object.fromEntries((approval?.approval?.shown.facts ?? []).map(({ label, value }) => [label, value]))
const offered = ({ approval }: Outcome): string[] => {
  const [item] = approval?.ask.items ?? []
  return item?.kind === 'choice' ? item.options.map(({ value }) => value) : []
}

describe('attacks on the tools', { concurrency: false }, () => {
  const scene = toolScene()

  /** Number, tool, input, decision, and words of the reason or the result. */
  const cases: readonly [string, string, object, 'allow' | 'ask' | 'deny', RegExp, 'once'?][] = [
    ['9 read server.json of the data folder', 'read_file', { path: 'data/server.json' }, 'deny', /data\/server\.json is protected/],
    ['9 list the data folder', 'list_dir', { path: 'data' }, 'deny', /is protected/],
    ['10 write the module of an agent', 'write_file', { path: 'agents/booker.ts', content: 'x', overwrite: true }, 'deny', /is protected/],
    ['10 edit it', 'edit_file', { path: 'agents/booker.ts', old_text: '{}', new_text: 'x' }, 'deny', /is protected/],
    ['11 git status && curl x', 'run', { command: 'git status && curl x' }, 'ask', /run\(curl x\)/],
    ['12 git push origin main -f', 'run', { command: 'git push origin main -f' }, 'deny', /Open a pull request instead/],
    ['13 xrun git push --force', 'run', { command: 'xrun git push --force' }, 'ask', /./, 'once'],
    ["14 bash -c 'git push --force'", 'run', { command: "bash -c 'git push --force'" }, 'deny', /./],
    ['15 a function named git', 'run', { command: 'git(){ rm -rf .;}; git status' }, 'ask', /function/, 'once'],
    ['15 an assignment', 'run', { command: 'GIT_SSH_COMMAND=x git status' }, 'ask', /GIT_SSH_COMMAND/, 'once'],
    ['16 git status > .git/hooks/x', 'run', { command: 'git status > .git/hooks/x' }, 'deny', /\.git\/hooks\/x/],
    ['17 git status $(curl x)', 'run', { command: 'git status $(curl x)' }, 'ask', /not certain/, 'once'],
    ['18 20 kB of {', 'run', { command: '{'.repeat(20_000) }, 'ask', /too long/, 'once'],
    ['a host that no rule allows', 'run', { command: 'git status', hosts: ['example.org'] }, 'ask', /net\(example\.org\)/],
    ['a path that leads out of the project', 'read_file', { path: '../x' }, 'deny', /\.\./],
    ['an input that does not fit', 'run', { command: '' }, 'deny', /do not fit/],
  ]
  for (const [name, tool, input, decision, words, once] of cases)
    it(`${name} → ${decision}`, async () => {
      const outcome = await scene.call(tool, input)
      assert.equal(outcome.gate.decision, decision, outcome.gate.because)
      assert.match(decision === 'ask' ? outcome.gate.because : (outcome.result ?? ''), words)
      assert.equal(outcome.approval !== null, decision === 'ask')
      if (once) assert.deepEqual(offered(outcome), ['once', 'deny'])
    })

  it('nothing of all that has run', () => {
    assert.equal(readFileSync(join(scene.root, 'agents/booker.ts'), 'utf8'), 'export default {}')
    assert.equal(existsSync(join(scene.root, '.git/hooks')), false)
  })

  it('19: a command with U+202E is shown with the character written out', async () => {
    const outcome = await scene.call('run', { command: 'git status \u202Ehs.x' })
    assert.equal(shownText(outcome), 'git status ⟨U+202E⟩hs.x')
    assert.doesNotMatch(JSON.stringify(outcome.approval), /\u202E/)
  })

  it('20: a tool whose description changed after "always" asks again', async () => {
    let description = 'Pays.'
    const tool = (): Tool => ({
      name: 'transfer',
      description,
      inputSchema: {},
      afterCrash: 'ask',
      gate: {
        kind: 'mcp',
        server: 'shop',
        subjects: () => ({ subjects: [{ kind: 'mcp', server: 'shop', tool: 'transfer', scalars: {} }], unsure: [] }),
      },
      check: (input) => ({ input }),
      run: async () => 'paid',
    })
    const tools: Tool[] = [tool()]
    const here = toolScene({ policy: peopleOnly, tools: tools })
    const first = await here.call('transfer', {})
    assert.equal((await here.decide(first, { decision: 'always' })).result, 'paid')
    assert.equal((await here.call('transfer', {})).result, 'paid')
    description = 'Pays all people.'
    here.tools.splice(
      here.tools.findIndex(({ name }) => name === 'transfer'),
      1,
      tool(),
    )
    assert.equal((await here.call('transfer', {})).gate.decision, 'ask')
  })

  it('21: a file that changes between diff and Allow is asked about again, with the new diff', async () => {
    const here = toolScene({ policy: peopleOnly })
    const first = await here.call('edit_file', { path: 'notes/a.md', old_text: 'two', new_text: '2' })
    assert.equal(shownText(first), '--- notes/a.md\n+++ notes/a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three')
    here.file('notes/a.md', 'one\ntwo\nTHREE\n')
    const second = await here.decide(first, { decision: 'once' })
    assert.equal(second.result, null, 'nothing was changed')
    assert.match(shownText(second), / THREE$/)
    assert.equal((await here.decide(second, { decision: 'once' })).result, 'Changed at line 2.')
    assert.equal(readFileSync(join(here.root, 'notes/a.md'), 'utf8'), 'one\n2\nTHREE\n')
  })
})

describe('what an approval is bound to', () => {
  it('a script that changes after the approval is asked about again', async () => {
    const here = toolScene({ policy: peopleOnly })
    here.file('x.sh', 'echo first')
    const first = await here.call('run', { command: 'bash x.sh' })
    here.file('x.sh', 'echo second')
    const second = await here.decide(first, { decision: 'once' })
    assert.equal(second.result, null)
    assert.match((await here.decide(second, { decision: 'once' })).result ?? '', /second/)
  })

  it('"always" for a script ends when the script changes', async () => {
    const here = toolScene({ policy: peopleOnly })
    here.file('x.sh', 'echo first')
    const first = await here.call('run', { command: 'bash x.sh' })
    assert.ok(offered(first).includes('always'))
    assert.match((await here.decide(first, { decision: 'always' })).result ?? '', /first/)
    assert.match((await here.call('run', { command: 'bash x.sh' })).result ?? '', /first/)
    here.file('x.sh', 'echo second')
    assert.equal((await here.call('run', { command: 'bash x.sh' })).gate.decision, 'ask')
  })

  /** Every form in which a command takes code from a file, and the decisions that are offered for it. */
  const forms: readonly [command: string, script: string, isOnce?: 'once'][] = [
    ['bash -e x.sh', 'x.sh'],
    ['bash -eo pipefail x.sh', 'x.sh'],
    ['node -r ./x.js y.js', 'x.js'],
    ['node x', 'x.js', 'once'],
    ['awk -f x.awk /dev/null', 'x.awk'],
    ['make -fx.mk', 'x.mk'],
    ['python3 -m sub.x', 'sub/x.py', 'once'],
    ['python3 sub', 'sub/__main__.py', 'once'],
    ['env bash x.sh', 'x.sh', 'once'],
    ['env -C sub bash x.sh', 'sub/x.sh', 'once'],
    ['source x.sh', 'x.sh', 'once'],
    ['. ./x.sh', 'x.sh', 'once'],
    ['python3 < x.py', 'x.py', 'once'],
    ['xrun < x.sql', 'x.sql', 'once'],
    ['cat x.sh | bash', 'x.sh', 'once'],
    ['cd sub && bash x.sh', 'sub/x.sh', 'once'],
    ['bash --rcfile y.sh x.sh', 'x.sh'],
    ['bash x*.sh', 'x.sh', 'once'],
    ['bash "$PWD/x.sh"', 'x.sh', 'once'],
  ]
  for (const [command, script, isOnce] of forms)
    it(`${command}: asked about again when ${script} changes`, async () => {
      const here = toolScene({ policy: peopleOnly })
      for (const name of [script, 'y.js', 'y.sh']) here.file(name, '')
      const first = await here.call('run', { command })
      assert.deepEqual(offered(first), isOnce ? ['once', 'deny'] : ['once', 'chat', 'always', 'deny'])
      here.file(script, '# changed')
      const second = await here.decide(first, { decision: 'once' })
      assert.equal(second.result, null)
      assert.notEqual(second.approval?.id, first.approval?.id)
      if (isOnce) return
      assert.notEqual((await here.decide(second, { decision: 'always' })).result, null)
      assert.equal((await here.call('run', { command })).gate.decision, 'allow')
      here.file(script, '# changed again')
      assert.equal((await here.call('run', { command })).gate.decision, 'ask')
    })

  it('a command that only prints holds while its file grows, and one that runs a program does not', async () => {
    for (const [command, isHeld] of [
      ['tail -n 1 app.log', true],
      ['xrun app.log', false],
    ] as const) {
      const here = toolScene({ policy: peopleOnly })
      here.file('app.log', 'one\n')
      const first = await here.call('run', { command })
      here.file('app.log', 'one\ntwo\n')
      assert.equal((await here.decide(first, { decision: 'once' })).result !== null, isHeld, command)
    }
  })

  it('a file that is too large to be hashed is allowed once only', async () => {
    const here = toolScene({ policy: peopleOnly })
    here.file('x.bin', '')
    truncateSync(join(here.root, 'x.bin'), 20_000_001)
    assert.deepEqual(offered(await here.call('run', { command: 'xrun x.bin' })), ['once', 'deny'])
  })

  it('a script that cannot be found is allowed once only', async () => {
    const here = toolScene({ policy: peopleOnly })
    here.file('sub/x.sh', 'echo')
    for (const command of ['bash missing.sh', 'cd sub && bash x.sh'])
      assert.deepEqual(offered(await here.call('run', { command })), ['once', 'deny'], command)
  })
})

describe('a scope that an approver writes', () => {
  it('a listed member chooses a proposed one; owners write their own, and confirm one that begins anywhere', async () => {
    const here = toolScene({ policy: makePolicy({ people: samplePolicy.people, policy: { approvers: ['bob'] } }) })
    const write = { path: 'src/a/b.ts', content: 'x' }
    const first = await here.call('write_file', write)
    for (const scope of ['write(src/a/*)', 'write(**/*)'])
      await assert.rejects(here.decide(first, { decision: 'chat', scope }, bob), { code: 'bad_request' }, scope)
    await assert.rejects(here.decide(first, { decision: 'chat', scope: 'write(*/**)' }), { code: 'scope_too_wide' })
    assert.equal((await here.decide(first, { decision: 'chat', scope: 'write(src/**)' }, bob)).result, 'Written.')
    const second = await here.call('write_file', { ...write, overwrite: true })
    assert.equal((await here.decide(second, { decision: 'chat', scope: 'write(src/a/*)' })).result, 'Written.')
  })
})

describe('what an approval shows', () => {
  it('a command with its folder, network, sandbox and time', async () => {
    const here = toolScene({ policy: peopleOnly, hosts: ['registry.npmjs.org'] })
    const outcome = await here.call('run', { command: 'npm ci', cwd: 'notes', hosts: ['example.org:8443'], timeout_seconds: 9 })
    assert.equal(shownText(outcome), 'npm ci')
    assert.deepEqual(getFacts(outcome), {
      Folder: 'notes',
      Sandbox: 'on',
      Network: 'registry.npmjs.org, example.org:8443',
      'Time limit': '9 s',
    })
    const open = await toolScene({ policy: peopleOnly, isSandboxed: false }).call('run', { command: 'id' })
    assert.match(getFacts(open)['Sandbox'] ?? '', /^off/)
  })

  it('a new file as a whole, and a call that is too large for a person not at all', async () => {
    const here = toolScene({ policy: peopleOnly })
    const outcome = await here.call('write_file', { path: 'notes/b.md', content: 'a\u200Bb\nc' })
    assert.equal(shownText(outcome), '--- /dev/null\n+++ notes/b.md\n@@ -0,0 +1,2 @@\n+a⟨U+200B⟩b\n+c\n\\ No newline at end of file')
    const large = await here.call('write_file', { path: 'notes/c.md', content: '\u200B'.repeat(60_000) })
    assert.equal(large.approval, null)
    assert.match(large.result ?? '', /more than a person can review/)
  })

  it('a message with its address, and what its recipient does not see', async () => {
    const here = toolScene({ policy: peopleOnly })
    const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Go', value: 'secret-value' }] }] }
    const outcome = await here.call('message', { target: '42', message: 'Hello', presentation, silent: true })
    assert.equal(outcome.approval?.ask.text, 'Allow ada to send this message to telegram:42?')
    assert.match(shownText(outcome), /^Hello[^]*"value": "secret-value"/)
    assert.equal(getFacts(outcome)['Silent'], 'yes')
    assert.deepEqual(
      here.messaging.asked.filter(({ what }) => what === 'send'),
      [],
    )
  })

  it('any other call as sorted JSON', async () => {
    const here = toolScene({ policy: peopleOnly })
    assert.equal(shownText(await here.call('add_memory', { path: 'x', content: 'y' }, bob)), '{\n  "content": "y",\n  "path": "x"\n}')
  })
})

describe('calls that no person is asked about', () => {
  it('an edit that cannot be made is refused at once for members, and asked for a guest', async () => {
    const here = toolScene({ policy: peopleOnly })
    const edit = { path: 'notes/a.md', old_text: 'missing', new_text: '' }
    const own = await here.call('edit_file', edit)
    assert.deepEqual([own.approval, own.gate.decision], [null, 'deny'])
    assert.match(own.result ?? '', /^It failed: The old text is not in the file/)
    assert.equal((await here.call('edit_file', edit, eve)).result, null, 'a guest learns nothing about the file')
  })

  it('an edit past a rule that denies reading tells nothing about the file', async () => {
    const rules = [{ deny: 'read(vault.txt)' }]
    const here = toolScene({ policy: makePolicy({ people: samplePolicy.people, policy: { rules } }) })
    here.file('vault.txt', 'pin=4711')
    for (const old_text of ['pin=1', 'pin=4', '1']) {
      const outcome = await here.call('edit_file', { path: 'vault.txt', old_text, new_text: '' }, bob)
      assert.deepEqual([outcome.gate.decision, outcome.result], ['ask', null], old_text)
    }
    assert.equal((await here.call('write_file', { path: 'vault.txt', content: '' }, bob)).result, null)
    const open = toolScene({ policy: makePolicy({ people: samplePolicy.people, policy: { preset: 'workspace', rules } }) })
    open.file('vault.txt', 'pin=4711')
    for (const old_text of ['pin=1', '1'])
      assert.match(
        (await open.call('edit_file', { path: 'vault.txt', old_text, new_text: '' })).result ?? '',
        /reading it is not allowed here/,
      )
  })

  it('workspace: writes and offline commands run, hosts and a missing bash still ask', async () => {
    const policy = makePolicy({ people: samplePolicy.people, policy: { preset: 'workspace' } })
    const here = toolScene({ policy })
    assert.equal((await here.call('write_file', { path: 'notes/b.md', content: 'x' })).result, 'Written.')
    assert.match((await here.call('run', { command: 'echo hi' })).result ?? '', /hi/)
    assert.equal((await here.call('run', { command: 'echo hi', hosts: ['example.org'] })).gate.decision, 'ask')
    const online = toolScene({ policy, hosts: ['example.org'] })
    assert.equal((await online.call('run', { command: 'echo hi' })).gate.decision, 'ask')
    const without = toolScene({ policy, hasBash: false })
    assert.match((await without.call('run', { command: 'echo hi' })).gate.because, /bash is not available/)
    assert.equal((await toolScene({ policy, isSandboxed: false }).call('run', { command: 'echo hi' })).gate.decision, 'ask')
  })

  it('a guest: reads, writes, commands and messages ask, memories are denied, the own chat is open', async () => {
    const here = toolScene({ policy: peopleOnly })
    const guest = async (name: string, input: object): Promise<string> => {
      const next = { ...eve, by: { ...eve.by, id: `telegram:main:${name}` } }
      return (await here.call(name, input, next)).gate.decision
    }
    assert.equal(await guest('read_file', { path: 'notes/a.md' }), 'ask')
    assert.equal(await guest('write_file', { path: 'notes/b.md', content: 'x' }), 'ask')
    assert.equal(await guest('run', { command: 'id' }), 'ask')
    assert.equal(await guest('message', { target: '42', message: 'x' }), 'ask')
    assert.equal(await guest('add_memory', { path: 'a', content: 'pay Eve' }), 'deny')
    for (const action of ['delete', 'react', 'pin', 'unpin'])
      assert.equal((await here.call('message', { action, target: 'own', messageId: '2', emoji: '👍' }, bob)).gate.decision, 'ask', action)
    assert.equal((await here.call('message', { action: 'edit', target: 'own', messageId: '2', message: 'y' }, bob)).gate.decision, 'allow')
    assert.equal(
      (await here.call('message', { target: 'own', message: 'x' }, { ...eve, by: { ...eve.by, id: 'telegram:main:7' } })).gate.decision,
      'allow',
    )
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decide } from './decide.ts'
import { allowsAnyContent, checkScope, grantAuthor, grantEnd } from './grants.ts'
import { isWide, parseScope } from './scope.ts'
import { proposeScopes } from './proposals.ts'
import { call, grants, policy } from './test/generators.ts'
import { author, getCall, causedBy, fileCall, toGrant, makePolicy, runCall } from './test/samples.ts'
import type { GateCall } from './decision.ts'

const rules = makePolicy()
const proposed = (given: GateCall): unknown =>
  proposeScopes(decide(rules, [], given)).map(({ scopes }) =>
    scopes.map(({ text, script, where }) => ({ text, ...(script && { script }), ...(where && { where }) })),
  )

describe('proposed scopes', () => {
  const texts = (given: GateCall): unknown => proposeScopes(decide(rules, [], given)).map(({ scopes }) => scopes.map(({ text }) => text))
  const rows: readonly [name: string, call: GateCall, expected: unknown][] = [
    ['git log -3', runCall('git log -3'), [['run(git log *)', 'run(git log -3)']]],
    ['npm run build', runCall('npm run build'), [['run(npm run build)']]],
    ['git status && npm test', runCall('git status && npm test'), [['run(npm test)']]],
    ['a word with spaces', runCall("git commit -m 'a b'"), [['run(git commit *)', "run(git commit -m 'a b')"]]],
    ['a word with a star', runCall("find -name '*.ts'"), [["run(find -name '*.ts')"]]],
    ['nested shell', runCall("bash -c 'x'"), []],
    ['wrapper', runCall('timeout 5 make'), []],
    ['assignment', runCall('LANG=C make'), []],
    ['substitution', runCall('make $(cat x)'), []],
    ['here-document', runCall('psql <<EOF\nselect 1\nEOF'), []],
    ['interpreter that reads its input', runCall('cat x | python3'), []],
    ['interpreter with inline code', runCall("python3 -c 'print(1)'"), [["run(python3 -c 'print(1)')"]]],
    ['a module before the script', runCall('node --import ./a.js b.js'), [['run(node --import ./a.js b.js)']]],
    ['an option whose form is not known', runCall('node --test-reporter ./a.js b.js'), []],
    ['a python module', runCall('python3 -m x'), []],
    ['env in front of an interpreter', runCall('/usr/bin/env python3 x.py'), []],
    ['an interpreter behind another program', runCall('xrun bash x.sh'), []],
    ['find that runs a program', runCall("find . -exec ./x.sh '{}' +"), []],
    ['a script that a variable names', runCall('bash "$PWD/x.sh"'), []],
    ['make in another folder', runCall('make -C sub -f x.mk'), []],
    ['a long option without a value', runCall('node --test a.test.js'), [['run(node --test a.test.js)']]],
    ['a variable in the words', runCall('make $x'), []],
    ['edit src/a/b.ts', fileCall('write_file', 'src/a/b.ts'), [['write(src/a/**)', 'write(src/a/b.ts)', 'write(src/**)']]],
    ['edit src/b.ts', fileCall('write_file', 'src/b.ts'), [['write(src/**)', 'write(src/b.ts)']]],
    ['edit b.ts', fileCall('write_file', 'b.ts'), [['write(b.ts)']]],
    ['edit app/[id].ts', fileCall('write_file', 'app/[id].ts'), [['write(app/**)', 'write(app/\\[id\\].ts)']]],
    ['message', getCall({ tool: 'message', kind: 'message', subjects: [{ kind: 'message', address: 'tg:5' }] }), [['message(tg:5)']]],
  ]
  for (const [name, given, expected] of rows) it(name, () => assert.deepEqual(texts(given), expected))

  it('say when a standing permission covers whatever the files of the command contain', () => {
    const isMarked = (command: string): boolean[] =>
      proposeScopes(decide(rules, [], runCall(command))).flatMap(({ scopes }) => scopes.map(({ anyContent = false }) => anyContent))
    for (const command of ['pytest x.py', 'go run x.go', 'npm test', 'make all', 'cargo test', 'tool src/a', 'eslint a.ts'])
      assert.deepEqual(isMarked(command), [true], command)
    for (const command of ['python3 x.py', 'node x.js', './deploy.sh now', 'date', 'cat a.txt', 'curl https://a.example/x'])
      assert.deepEqual(isMarked(command), [false], command)
    assert.deepEqual(isMarked('git log src/a.ts'), [false, false])
    for (const [scope, scripts, expected] of [
      ['run(npm *)', {}, true],
      ['run(*)', {}, true],
      ['run(pytest x.py)', {}, true],
      ['run(python3 x.py)', { 'x.py': 'h' }, false],
      ['run(git log *)', {}, false],
      ['write(src/**)', {}, false],
    ] as const)
      assert.equal(allowsAnyContent({ scope, scripts }), expected, scope)
  })

  it('bind a script to its hash, and MCP calls to their scalars', () => {
    assert.deepEqual(proposed(runCall('python3 x.py')), [[{ text: 'run(python3 x.py)', script: 'x.py' }]])
    for (const command of ['bash -e x', 'bash -eo pipefail x', 'nodejs x', 'perl -w x', 'awk -f x data', 'sed -nf x data', 'make -f x all'])
      assert.deepEqual(proposed(runCall(command)), [[{ text: `run(${command})`, script: 'x' }]], command)
    const modules = proposeScopes(decide(rules, [], runCall('venv/bin/node -r ./a.js --test b.js c.js')))[0]?.scopes[0]
    assert.deepEqual([modules?.script, modules?.modules], ['venv/bin/node', ['./a.js', 'b.js', 'c.js']])
    assert.deepEqual(proposed(runCall('./deploy.sh now')), [[{ text: 'run(./deploy.sh now)', script: './deploy.sh' }]])
    const issue = (scalars: Record<string, string | null>): GateCall =>
      getCall({ tool: 'x', kind: 'mcp', subjects: [{ kind: 'mcp', server: 'jira', tool: 'create', scalars }] })
    assert.deepEqual(proposed(issue({ project: 'A' })), [[{ text: 'mcp(jira/create)', where: { project: 'A' } }]])
    assert.deepEqual(proposed(issue({ project: 'A', labels: null })), [], 'a field that is no scalar')
    assert.deepEqual(proposed(issue({ project: 'A*' })), [], 'a value that would be read as a pattern')
  })

  it('cover the call they were made for, are never wide, and give no more than was asked', () => {
    fc.assert(
      fc.property(policy, grants, call, (given, standing, one) => {
        const decision = decide(given, standing, one)
        const proposals = proposeScopes(decision)
        if (proposals.length === 0) return
        for (const { scopes } of proposals)
          for (const { text, where } of scopes) {
            const parsed = parseScope(text, where)
            assert.ok('scope' in parsed && !isWide(parsed.scope), text)
            assert.ok('scope' in checkScope(text, where ?? {}, one.subjects))
          }
        const made = proposals.map(({ scopes }, at) =>
          toGrant(scopes[0]?.text ?? '', { ...one, author: one.cause.by[0]?.id ?? '', role: one.cause.role, grant: `n${at}`, scripts: {} }),
        )
        const isOneAuthor = new Set(one.cause.by.map(({ id }) => id)).size === 1
        if (isOneAuthor) assert.equal(decide(given, [...standing, ...made], one).decision, 'allow')
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('grants', () => {
  it('end: 30 days in a chat, 90 days always, sooner when asked for', () => {
    const day = 86_400_000
    assert.deepEqual(
      [grantEnd('chat', 0), grantEnd('always', 0), grantEnd('always', 0, day), grantEnd('chat', 0, 999 * day)],
      [30 * day, 90 * day, day, 30 * day],
    )
  })

  it('of guests are bound to one author', () => {
    assert.equal(grantAuthor(causedBy('member')), null)
    assert.equal(grantAuthor(causedBy('guest', [author('guest', 'a')])), 'a')
    assert.deepEqual(grantAuthor(causedBy('guest', [author('guest', 'a'), author('owner', 'b')])), { fault: 'several-authors' })
  })

  it('take no scope that does not cover the call', () => {
    const { subjects } = runCall('git log')
    assert.ok('scope' in checkScope('run(git log *)', {}, subjects))
    assert.deepEqual(checkScope('run(npm test)', {}, subjects), { fault: 'it does not cover this call' })
    assert.ok('fault' in checkScope('nonsense', {}, subjects))
  })
})

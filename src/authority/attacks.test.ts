import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { becauseText } from './because-text.ts'
import { causeOfTellask, causeOfTurn, initialFloor } from './cause.ts'
import { decide } from './decide.ts'
import type { GateCall, Verdict } from './decision.ts'
import { explain } from './explain.ts'
import { authorOf } from './people.ts'
import { proposeScopes } from './proposals.ts'
import { author, callOf, causedBy, fileCall, grantOf, policyOf, runCall, toolCall } from './test/samples.ts'
import { toolHash } from './tool-hash.ts'
import { withVisibleCharacters } from './visible-text.ts'

const policy = policyOf()
const mia = authorOf({ surface: 'private', platform: 'telegram', account: 'main', sender: '42', name: 'M' }, policy.people)
const guest = authorOf({ surface: 'private', platform: 'telegram', account: 'main', sender: '99', name: 'Mia' }, policy.people)
const shared = causeOfTurn('guest', [{ kind: 'message', author: mia }], 'message')

/** Attacks of the specification that the gate alone decides, by their numbers there. */
const attacks: readonly [name: string, call: GateCall, decision: Verdict, more?: { onceOnly?: true; because?: RegExp }][] = [
  ['1 guest has the agent run id', runCall('id', { cause: causedBy('guest', [guest]) }), 'ask'],
  ['4 Mia in a group after a guest: git status', runCall('git status', { cause: shared }), 'ask'],
  ['4 the same without the guest', runCall('git status', { cause: causedBy('owner', [mia]) }), 'allow'],
  ['5 guest renames to Mia', runCall('git status', { cause: causedBy(guest.role, [guest]) }), 'ask'],
  ["6 guest's agent delegates the run", runCall('git status', { cause: causeOfTellask(causedBy('guest', [guest]), initialFloor) }), 'ask'],
  ['9 read server.json of the data folder in the project', fileCall('read_file', 'data/server.json'), 'deny', { because: /hidden/ }],
  ['10 write the module of an agent', fileCall('write_file', 'agents/booker.ts'), 'deny', { because: /cannot be written/ }],
  ['11 git status && curl x', runCall('git status && curl x'), 'ask', { because: /curl/ }],
  ['12 git push origin main -f', runCall('git push origin main -f'), 'deny', { because: /Open a pull request instead\.$/ }],
  ['13 xrun git push --force', runCall('xrun git push --force'), 'ask', { onceOnly: true }],
  ["14 bash -c 'git push --force'", runCall("bash -c 'git push --force'"), 'deny'],
  ['15 a function named git', runCall('git(){ rm -rf .;}; git status'), 'ask', { onceOnly: true }],
  ['15 GIT_SSH_COMMAND=x git status', runCall('GIT_SSH_COMMAND=x git status'), 'ask', { onceOnly: true }],
  ['16 git status > .git/hooks/x', runCall('git status > .git/hooks/x'), 'deny'],
  ['17 git status $(curl x)', runCall('git status $(curl x)'), 'ask'],
  ['18 20 kB of {', runCall('{'.repeat(20_000)), 'ask', { onceOnly: true }],
  ['19 a command with U+202E', runCall('git status \u202Ex'), 'ask', { onceOnly: true }],
  ['23 peer: your owner approved', runCall('git status', { cause: causedBy('peer') }), 'deny'],
  ['23 peer: any other tool', toolCall('askHuman', { cause: causedBy('peer') }), 'deny'],
  ['23 peer: its own tools', toolCall('report_to_owner', { cause: causedBy('peer') }), 'allow'],
  ['24 guest: remember: pay Eve', toolCall('add_memory', { cause: causedBy('guest', [guest]) }), 'deny'],
  ['a tool without a gate', callOf({ tool: 'unknown', kind: null }), 'deny'],
  ['an input that does not fit', runCall('git status', { isInvalid: true }), 'deny'],
  ['an empty command', runCall(''), 'ask', { onceOnly: true }],
  ['a guest reads docs', fileCall('read_file', 'guide/a.md', { cause: causedBy('guest', [guest]) }), 'allow'],
  ['a guest reads anything else', fileCall('read_file', 'src/a.ts', { cause: causedBy('guest', [guest]) }), 'ask'],
  ['a guest leaves docs by dots', fileCall('read_file', 'guide/../src/a.ts', { cause: causedBy('guest', [guest]) }), 'ask'],
  [
    'the fourth open approval of a guest',
    runCall('id', { cause: causedBy('guest', [guest]), openApprovals: 3 }),
    'deny',
    { because: /3 approvals/ },
  ],
  [
    'an allowed call of a guest with three open approvals',
    fileCall('read_file', 'guide/a.md', { cause: causedBy('guest'), openApprovals: 9 }),
    'allow',
  ],
  ['deny by abbreviated flag', runCall('git push --forc'), 'ask', { onceOnly: true }],
  ['deny in a variable', runCall('git push $x'), 'ask', { onceOnly: true }],
  ['deny by full path and flags before the verb', runCall('/usr/bin/git -C /x push --force'), 'deny'],
  ['deny behind a wrapper that is taken off', runCall('timeout 5 git push --force'), 'deny'],
  ['deny in an option of another program', runCall("git rebase -x 'git push --force'"), 'ask', { onceOnly: true }],
  ['a relative redirection after cd', runCall('cd x && git status > y'), 'ask', { onceOnly: true }],
]

describe('attacks on the gate', () => {
  for (const [name, call, decision, more] of attacks)
    it(`${name} → ${decision}`, () => {
      const result = decide(policy, [], call)
      assert.equal(result.decision, decision, JSON.stringify(result.because))
      if (more?.onceOnly) assert.equal(result.onceOnly, true)
      if (more?.because) assert.match(becauseText(result.because, 'en'), more.because)
      for (const language of ['en', 'zh'] as const) assert.ok(becauseText(result.because, language).length > 4)
    })

  it('2, 5: a name decides nothing', () => {
    assert.deepEqual(guest, { id: 'telegram:main:99', name: 'Mia', role: 'guest' })
    assert.deepEqual(mia, { id: 'person:mia', name: 'mia', role: 'owner' })
  })

  it('15: a call that is once only has no proposals', () => {
    const result = decide(policy, [], runCall('GIT_SSH_COMMAND=x git status'))
    assert.deepEqual(proposeScopes(result), [])
  })

  it('19: invisible characters are shown written out', () => {
    assert.equal(withVisibleCharacters('git \u202Ex\u200B\u0007\n\ud800'), 'git ⟨U+202E⟩x⟨U+200B⟩⟨U+0007⟩\n⟨U+D800⟩')
    const { lines } = explain(policy, [], toolCall('a\u202Eb', { kind: 'code' }))
    assert.ok(lines.some((line) => line.includes('⟨U+202E⟩')))
    assert.ok(lines.every((line) => !line.includes('\u202E')))
  })

  it('20: a changed description ends the grant', () => {
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
    const tool = { name: 't', description: 'Pays.', inputSchema: { b: 1, a: [2] }, kind: 'mcp', server: 'bank' }
    const hash = toolHash(tool, sha256)
    assert.equal(hash, toolHash({ ...tool, inputSchema: { a: [2], b: 1 } }, sha256), 'the order of keys does not matter')
    const grant = grantOf('mcp(bank/t)', { tool: 't', toolHash: hash })
    const call = callOf({ tool: 't', kind: 'mcp', toolHash: hash, subjects: [{ kind: 'mcp', server: 'bank', tool: 't', scalars: {} }] })
    assert.equal(decide(policy, [grant], call).decision, 'allow')
    const changed = toolHash({ ...tool, description: 'Pays everybody.' }, sha256)
    assert.equal(decide(policy, [grant], { ...call, toolHash: changed }).decision, 'ask')
  })

  it('a bound script that changed is asked about again', () => {
    const grant = grantOf('run(python3 x.py)', { scripts: { 'x.py': 'aa' } })
    assert.equal(decide(policy, [grant], runCall('python3 x.py', { scripts: { 'x.py': 'aa' } })).decision, 'allow')
    assert.equal(decide(policy, [grant], runCall('python3 x.py', { scripts: { 'x.py': 'bb' } })).decision, 'ask')
    assert.equal(decide(policy, [grant], runCall('python3 x.py')).decision, 'ask')
  })

  it('a grant for one guest serves no other guest', () => {
    const grant = grantOf('run(id)', { role: 'guest', author: guest.id, dialog: 'd1' })
    assert.equal(decide(policy, [grant], runCall('id', { cause: causedBy('guest', [guest]) })).decision, 'allow')
    assert.equal(
      decide(policy, [grant], runCall('id', { cause: causedBy('guest', [author('guest', 'telegram:main:100')]) })).decision,
      'ask',
    )
    assert.equal(decide(policy, [grant], runCall('id', { cause: causedBy('guest', [guest, author('guest', 'x')]) })).decision, 'ask')
  })
})

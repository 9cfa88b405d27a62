import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { becauseText } from './because-text.ts'
import { causeOfTellask, causeOfTurn, initialFloor } from './cause.ts'
import { decide } from './decide.ts'
import type { GateCall, Verdict } from './decision.ts'
import { explain } from './explain.ts'
import { toAuthor } from './people.ts'
import { proposeScopes } from './proposals.ts'
import { author, getCall, causedBy, fileCall, toGrant, makePolicy, listRules, runCall, toolCall } from './test/samples.ts'
import { toolHash } from './tool-hash.ts'
import { withVisibleCharacters } from './visible-text.ts'

const policy = makePolicy()
const mia = toAuthor({ surface: 'private', platform: 'telegram', account: 'main', sender: '42', name: 'M' }, policy.people)
const guest = toAuthor({ surface: 'private', platform: 'telegram', account: 'main', sender: '99', name: 'Mia' }, policy.people)
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
  ['a tool without a gate', getCall({ tool: 'unknown', kind: null }), 'deny'],
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
    assert.deepEqual(guest, { id: 'telegram:main:99', name: '“Mia”', role: 'guest' }, 'and it is shown as one that another person has')
    assert.deepEqual(mia, { id: 'person:mia', name: 'mia', role: 'owner' })
  })

  it('15: a call that is once only has no proposals', () => {
    const result = decide(policy, [], runCall('GIT_SSH_COMMAND=x git status'))
    assert.deepEqual(proposeScopes(result), [])
  })

  it('12: git configuration does not carry a denied command past an allow rule', () => {
    const rules = listRules({ allow: 'run(git *)' }, { deny: 'run(git push --force)' })
    const commands = [
      "git -c alias.x='!git push --force' x",
      "git -c alias.x='push --force' x",
      'git -c alias.x=push x --force',
      'git -c core.pager="rm -rf ." log',
      'git --exec-path=/tmp/x log',
      'git --config-env=core.pager=X log',
      'git -C x -c "$a" log',
    ]
    for (const command of commands) {
      const { decision, onceOnly } = decide(rules, [], runCall(command))
      assert.deepEqual([decision, onceOnly], ['ask', true], command)
    }
    for (const command of ['git log', 'git -c color.ui=always log', "git commit -m 'a=b!'"])
      assert.equal(decide(rules, [], runCall(command)).decision, 'allow', command)
  })

  it('19: characters that Unicode lets a program ignore, and spaces that are none, are shown and never certain', () => {
    for (const code of [0xfe0f, 0xe0100, 0x17b4, 0x180b, 0x2065, 0xfff0, 0xe0080, 0x2800, 0xa0, 0x2003, 0x3000, 0x3164, 0x16fe4, 0x1d159]) {
      const char = String.fromCodePoint(code)
      const hex = code.toString(16).toUpperCase().padStart(4, '0')
      assert.equal(withVisibleCharacters(`a${char}b`), `a⟨U+${hex}⟩b`)
      assert.equal(decide(policy, [], runCall(`git status ${char}`)).decision, 'ask', hex)
    }
    assert.equal(withVisibleCharacters('a b\tc\nd é 中文'), 'a b\tc\nd é 中文')
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
    const grant = toGrant('mcp(bank/t)', { tool: 't', toolHash: hash })
    const call = getCall({ tool: 't', kind: 'mcp', toolHash: hash, subjects: [{ kind: 'mcp', server: 'bank', tool: 't', scalars: {} }] })
    assert.equal(decide(policy, [grant], call).decision, 'allow')
    const changed = toolHash({ ...tool, description: 'Pays all people.' }, sha256)
    assert.equal(decide(policy, [grant], { ...call, toolHash: changed }).decision, 'ask')
  })

  it('a bound script that changed is asked about again', () => {
    const grant = toGrant('run(python3 x.py)', { scripts: { 'x.py': 'aa' } })
    assert.equal(decide(policy, [grant], runCall('python3 x.py', { scripts: { 'x.py': 'aa' } })).decision, 'allow')
    assert.equal(decide(policy, [grant], runCall('python3 x.py', { scripts: { 'x.py': 'bb' } })).decision, 'ask')
    assert.equal(decide(policy, [grant], runCall('python3 x.py')).decision, 'ask')
  })

  it('a grant is bound to the script in the word that the interpreter runs', () => {
    const scripts = { 'x.py': 'aa', 'evil.py': 'ee' }
    const edited = toGrant('run(python3 -u *)', { scripts: { 'x.py': 'aa' } })
    assert.equal(decide(policy, [edited], runCall('python3 -u x.py --fast', { scripts })).decision, 'allow')
    assert.equal(decide(policy, [edited], runCall('python3 -u evil.py x.py', { scripts })).decision, 'ask')
    assert.equal(decide(policy, [edited], runCall('python3 -u -c 1 x.py', { scripts })).decision, 'ask')
  })

  it('a grant without a script serves no command whose code its words do not hold', () => {
    for (const command of ['bash -e x.sh', 'env bash x.sh', 'python3 -m x', 'make -f x.mk'])
      assert.equal(decide(policy, [toGrant(`run(${command})`)], runCall(command)).decision, 'ask', command)
    assert.equal(decide(policy, [toGrant('run(make *)')], runCall('make -f x.mk')).decision, 'allow', 'a person left these words free')
  })

  it('a grant for an MCP tool fixes the fields of the call', () => {
    const mail = (scalars: Record<string, string | null>): GateCall =>
      getCall({ tool: 'send', kind: 'mcp', subjects: [{ kind: 'mcp', server: 'mail', tool: 'send', scalars }] })
    const edited = toGrant('mcp(mail/send)', { tool: 'send', fields: ['subject', 'body'] })
    assert.equal(decide(policy, [edited], mail({ subject: 'Report', body: 'x' })).decision, 'allow')
    assert.equal(decide(policy, [edited], mail({ subject: 'Report', body: 'x', bcc: 'eve' })).decision, 'ask')
    assert.equal(decide(policy, [edited], mail({ subject: 'Report' })).decision, 'ask')
    const old = toGrant('mcp(mail/send)', { tool: 'send' })
    assert.equal(decide(policy, [old], mail({ bcc: 'eve' })).decision, 'ask')
    for (const scalars of [
      { subject: 'x', to: null },
      { subject: 'x', body: 'y'.repeat(201) },
    ])
      assert.deepEqual(proposeScopes(decide(policy, [], mail(scalars))), [], 'a field that cannot be written down is allowed once')
  })

  it('a grant for one guest serves no other guest', () => {
    const grant = toGrant('run(id)', { role: 'guest', author: guest.id, dialog: 'd1' })
    assert.equal(decide(policy, [grant], runCall('id', { cause: causedBy('guest', [guest]) })).decision, 'allow')
    assert.equal(
      decide(policy, [grant], runCall('id', { cause: causedBy('guest', [author('guest', 'telegram:main:100')]) })).decision,
      'ask',
    )
    assert.equal(decide(policy, [grant], runCall('id', { cause: causedBy('guest', [guest, author('guest', 'x')]) })).decision, 'ask')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becauseText } from './because-text.ts'
import { decide } from './decide.ts'
import type { GateCall, Verdict } from './decision.ts'
import type { DeclaredGate } from './defaults.ts'
import { explain } from './explain.ts'
import { defaultPolicy } from './policy.ts'
import { type Role, roles } from './roles.ts'
import { mcpSubject, messageSubjects } from './subjects/tool-subjects.ts'
import { getCall, causedBy, fileCall, toGrant, makePolicy, listRules, runCall, samplePolicy, toolCall } from './test/samples.ts'

const ask = (call: GateCall, role: Role): Verdict => decide(defaultPolicy, [], { ...call, cause: causedBy(role) }).decision
const byRole = (call: GateCall): string => roles.map((role) => ask(call, role)).join(' ')

describe('defaults of the gate', () => {
  const message = (isOwn: boolean): GateCall => getCall({ tool: 'message', kind: 'message', ...messageSubjects('tg:1', isOwn) })
  const declared = (gate?: DeclaredGate): GateCall => toolCall('deploy', { kind: 'code', ...(gate && { declared: gate }) })
  const table: readonly [name: string, call: GateCall, roles: string][] = [
    ['talk', toolCall('askHuman'), 'allow allow allow allow allow deny'],
    ['message to the own address', message(true), 'allow allow allow allow allow deny'],
    ['peer', toolCall('end_conversation'), 'deny deny deny deny deny allow'],
    ['world tools that read', toolCall('claworld_account'), 'allow allow allow ask ask deny'],
    ['world tools that change', toolCall('claworld_join_world'), 'ask ask ask deny deny deny'],
    ['read', fileCall('read_file', 'a'), 'allow allow allow ask ask deny'],
    ['task document', toolCall('change_mind'), 'allow allow allow ask ask deny'],
    ['write', fileCall('write_file', 'a'), 'ask ask ask ask ask deny'],
    ['run', runCall('ls'), 'ask ask ask ask ask deny'],
    ['message elsewhere', message(false), 'ask ask ask ask ask deny'],
    ['code', declared(), 'ask ask ask ask ask deny'],
    ['code that declares allow', declared('allow'), 'allow allow allow ask ask deny'],
    ['code that declares allow for guests', declared('allow-guests'), 'allow allow allow allow allow deny'],
    ['memory', toolCall('add_team_memory'), 'allow allow ask deny deny deny'],
  ]
  for (const [name, call, expected] of table) it(`${name}: ${expected}`, () => assert.equal(byRole(call), expected))

  it('A22: annotations of a server count only when the owner trusts them', () => {
    const tool = { remoteName: 'list', annotations: { readOnlyHint: true } }
    const call = (trusts: boolean): GateCall => getCall({ tool: 'list', kind: 'mcp', subjects: [mcpSubject('s', tool, {}, trusts)] })
    assert.equal(byRole(call(false)), 'ask ask ask ask ask deny')
    assert.equal(byRole(call(true)), 'allow allow allow ask ask deny')
  })
})

describe('presets', () => {
  const withPreset = (preset: string, call: GateCall, rules: readonly object[] = []): Verdict =>
    decide(makePolicy({ people: samplePolicy.people, policy: { preset, rules } }), [], call).decision

  it('workspace allows sandboxed commands without network and writes in writeDirs, for owners and operators', () => {
    assert.equal(withPreset('workspace', runCall('make', { isSandboxed: true })), 'allow')
    assert.equal(withPreset('workspace', runCall('make')), 'ask')
    assert.equal(withPreset('workspace', runCall('make', { isSandboxed: true, cause: causedBy('member') })), 'ask')
    const online = runCall('make', { isSandboxed: true })
    assert.equal(withPreset('workspace', { ...online, subjects: [...online.subjects, { kind: 'net', host: 'a.org', port: null }] }), 'ask')
    assert.equal(withPreset('workspace', runCall('$x', { isSandboxed: true })), 'ask', 'unsure asks under every preset')
    assert.equal(
      withPreset('workspace', runCall('env git push --force', { isSandboxed: true }), [{ deny: 'run(git push --force)' }]),
      'ask',
    )
  })

  it('locked denies what would ask, and an ask rule does not loosen that', () => {
    assert.equal(withPreset('locked', runCall('make')), 'deny')
    assert.equal(withPreset('locked', runCall('$x')), 'deny')
    assert.equal(withPreset('locked', fileCall('read_file', 'a')), 'allow')
    assert.equal(withPreset('locked', runCall('make'), [{ ask: 'run(make)' }]), 'deny')
    assert.equal(withPreset('locked', runCall('make'), [{ allow: 'run(make)' }, { ask: 'run(make)' }]), 'ask')
    assert.equal(withPreset('locked', runCall('make'), [{ allow: 'run(make)' }]), 'allow')
  })
})

describe('terms of an approval', () => {
  it('come from the ask rules that match: the most keys, all approvers, the earliest escalation', () => {
    const transfer = getCall({ tool: 'transfer', kind: 'mcp', subjects: [{ kind: 'mcp', server: 'bank', tool: 'transfer', scalars: {} }] })
    const { decision, onceOnly, keys, approvers, escalate, rules } = decide(makePolicy(), [], transfer)
    assert.deepEqual(
      { decision, onceOnly, keys, approvers, escalate, rules },
      {
        decision: 'ask',
        onceOnly: true,
        keys: 2,
        approvers: ['ann', 'bob'],
        escalate: { afterMs: 14_400_000, to: ['mia'] },
        rules: ['ask: mcp(bank/transfer)'],
      },
    )
  })

  it('are irreversible when the tool or a rule says so', () => {
    assert.equal(decide(listRules({ ask: 'run(make)', irreversible: true }), [], runCall('make')).irreversible, true)
    assert.equal(decide(defaultPolicy, [], runCall('make', { isIrreversible: true })).irreversible, true)
    assert.equal(decide(defaultPolicy, [], runCall('make')).irreversible, undefined)
  })

  it('an always grant covers no irreversible call; a grant for the dialog does', () => {
    const irreversible = runCall('make', { isIrreversible: true })
    const verdict = (call: GateCall, dialog: string | null): Verdict =>
      decide(defaultPolicy, [toGrant('run(make)', { dialog })], call).decision
    assert.equal(verdict(runCall('make'), null), 'allow')
    assert.equal(verdict(irreversible, null), 'ask')
    assert.equal(verdict(irreversible, irreversible.dialog), 'allow')
  })

  it('rules hold for their agent, until their day, and where fields match', () => {
    const policy = makePolicy()
    const send = (agent: string, day: string): Verdict =>
      decide(
        policy,
        [],
        getCall({
          agent,
          tool: 'message',
          kind: 'message',
          now: Date.parse(day),
          subjects: [{ kind: 'message', address: 'telegram:-500' }],
        }),
      ).decision
    assert.deepEqual([send('ada', '2027-01-31T23:00Z'), send('ada', '2027-02-01'), send('ben', '2026-12-01')], ['allow', 'ask', 'ask'])
    const issue = (scalars: Record<string, string | null>): Verdict =>
      decide(policy, [], getCall({ tool: 'x', kind: 'mcp', subjects: [{ kind: 'mcp', server: 'github', tool: 'create_issue', scalars }] }))
        .decision
    assert.deepEqual(
      [issue({ repo: 'acme/a' }), issue({ repo: 'other/a' }), issue({}), issue({ repo: null })],
      ['allow', 'ask', 'ask', 'ask'],
    )
  })
})

describe('explain', () => {
  it('prints subjects, rules with lines and the decision', () => {
    const policy = { ...makePolicy(), rules: makePolicy().rules.map((rule, at) => ({ ...rule, line: 10 + at })) }
    const { lines } = explain(policy, [], runCall('git status && curl x', { cause: causedBy('owner') }))
    assert.deepEqual(lines, [
      'Subjects:',
      '  run(git status) → allow',
      '  run(curl x) → ask',
      'Rules and grants:',
      '  allow: run(git status *) (line 10)',
      'Decision: ask',
      '  No rule or grant allows run(curl x).',
    ])
    assert.equal(explain(policy, [], runCall('git push -f'), 'zh').lines.at(-2), '决定: 拒绝')
  })

  it('names the grant and who made it', () => {
    const grant = toGrant('run(npm test *)')
    const { because } = decide(defaultPolicy, [grant], runCall('npm test'))
    assert.equal(becauseText(because, 'en'), 'Allowed by person:mia on 14 Nov (Telegram): always `run(npm test *)`, until 12 Feb')
    assert.equal(becauseText(because, 'zh'), 'person:mia 于 11月14日（Telegram）允许：始终 `run(npm test *)`，有效期至 2月12日')
    assert.ok(explain(defaultPolicy, [grant], runCall('npm test')).lines.includes('  g1: run(npm test *) (person:mia)'))
  })
})

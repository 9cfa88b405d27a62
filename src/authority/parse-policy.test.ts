import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePolicy } from './parse-policy.ts'
import { defaultPolicy } from './policy.ts'
import { makePolicy, samplePolicy } from './test/samples.ts'

const { people } = samplePolicy

function findProblems(policy: unknown, who: unknown = people): string[] {
  const parsed = parsePolicy({ people: who, policy }, { agents: ['ada'], channels: ['telegram', 'slack'] })
  return 'problems' in parsed ? parsed.problems.map(({ path, why }) => `${path.join('.')}: ${why}`) : []
}

describe('parsePolicy', () => {
  it('reads the example of the specification', () => {
    const { preset, approvers, rules, people: known } = makePolicy()
    assert.deepEqual([preset, approvers, rules.length], ['ask', ['bob'], 6])
    assert.deepEqual(
      rules.map(({ role }) => role),
      ['operator', 'guest', 'owner', 'owner', 'operator', 'operator'],
    )
    assert.deepEqual(known[0], {
      key: 'mia',
      name: 'mia',
      role: 'owner',
      identities: [
        { platform: 'telegram', id: '42' },
        { platform: 'slack', id: 'T1/U3' },
      ],
    })
  })

  it('gives the default policy for a file that says nothing', () => {
    assert.deepEqual(parsePolicy({}), { policy: defaultPolicy })
  })

  it('reports every fault with its place, and the line when the caller knows it', () => {
    const faults: readonly [policy: unknown, problem: RegExp, who?: unknown][] = [
      [{ presett: 'ask' }, /^policy\.presett: the field "presett" is not known/],
      [{ preset: 'open' }, /^policy\.preset: it must be one of ask, workspace, locked/],
      [{ rules: {} }, /^policy\.rules: it must be a list/],
      [{ rules: ['x'] }, /^policy\.rules\.0: a rule must be written/],
      [{ rules: [{ for: 'guest' }] }, /exactly one of allow, ask and deny/],
      [{ rules: [{ allow: 'run(a)', deny: 'run(a)' }] }, /exactly one of/],
      [{ rules: [{ deny: 'run(a)', denny: 1 }] }, /^policy\.rules\.0\.denny: the field "denny" is not known/],
      [{ rules: [{ deny: 'shell(a)' }] }, /"shell" is not known\. Known: run, read/],
      [{ rules: [{ deny: 'run' }] }, /kind\(pattern\)/],
      [{ rules: [{ deny: 'run()' }] }, /names no command/],
      [{ rules: [{ deny: 'run(git * x)' }] }, /only possible as the last word/],
      [{ rules: [{ deny: 'run(git $x)' }] }, /not a literal word/],
      [{ rules: [{ deny: 'read(src/{a,b})' }] }, /has no meaning here/],
      [{ rules: [{ deny: 'read(../x)' }] }, /".." is not possible/],
      [{ rules: [{ deny: 'read(~/x)' }] }, /write the full path/],
      [{ rules: [{ deny: 'mcp(bank)' }] }, /server\/tool/],
      [{ rules: [{ deny: 'message(bob)' }] }, /channel:address/],
      [{ rules: [{ deny: 'net(https://a.org)' }] }, /host or host:port/],
      [{ rules: [{ deny: 'run(a)', for: 'admin' }] }, /^policy\.rules\.0\.for: it must be one of owner/],
      [{ rules: [{ deny: 'run(a)', agent: 'ben' }] }, /there is no agent "ben"/],
      [{ rules: [{ deny: 'run(a)', until: 'soon' }] }, /must be a date/],
      [{ rules: [{ deny: 'run(a)', until: '2027-02-30' }] }, /must be a date/],
      [{ rules: [{ deny: 'run(a)', where: { x: 'y' } }] }, /only possible with mcp/],
      [{ rules: [{ deny: 'mcp(a/b)', where: { x: 'a*b' } }] }, /only possible at the end/],
      [{ rules: [{ deny: 'run(a)', keys: 2 }] }, /the field "keys" is not known/],
      [{ rules: [{ ask: 'run(a)', keys: 3 }] }, /3 keys need at least 4 people who can approve; there are 2/],
      [{ rules: [{ ask: 'run(a)', approvers: ['eve'] }] }, /no entry "eve"/],
      [{ rules: [{ ask: 'run(a)', escalate: { after: 'soon', to: ['mia'] } }] }, /such as 30m, 4h or 2d/],
      [{ rules: [{ ask: 'run(a)', escalate: { after: '1h', to: ['bob'] } }] }, /bob cannot approve/],
      [{ rules: [{ deny: 'run(git push)', examples: { match: ['git pull'] } }] }, /does not match the example "git pull"/],
      [{ rules: [{ deny: 'run(git push)', examples: { not: ['x git push'] } }] }, /matches the example/],
      [{ rules: [{ allow: 'run(git log *)', examples: { match: ['git log; id'] } }] }, /does not match/],
      [{ approvers: ['gus'] }, /gus is a guest and cannot approve/, { gus: { role: 'guest' } }],
      [{}, /^people\.eve\.role: it must be one of owner, operator, member, guest/, { eve: { role: 'peer' } }],
      [{}, /42 is already linked to mia/, { ...people, eve: { role: 'guest', telegram: 42 } }],
      [{}, /no channel or platform "telegrm"/, { eve: { role: 'guest', telegrm: 42 } }],
      [{}, /^people\.owner: the name "owner" is reserved/, { owner: { role: 'owner' } }],
      [{}, /^people\.eve\.name: "You" stands for the person at the terminal/, { eve: { role: 'guest', name: 'You' } }],
      [{}, /^people\.eve\.name: "Mia" is already the name of mia/, { ...people, eve: { role: 'guest', name: 'Mia' } }],
      [{}, /^people\.eve\.name: it must be text of at most 60/, { eve: { role: 'guest', name: 'Eve (owner)' } }],
      [{}, /^people\.eve\.name: it must be text/, { eve: { role: 'guest', name: 7 } }],
    ]
    for (const [policy, expected, who] of faults) assert.match(findProblems(policy, who).join('\n'), expected, JSON.stringify(policy))
    const parsed = parsePolicy({ policy: { rules: [{}] } }, { toLine: (path) => path.length * 10 })
    assert.deepEqual('problems' in parsed && parsed.problems.map(({ line }) => line), [30])
  })

  it('accepts keys as long as one more person can approve', () => {
    assert.deepEqual(findProblems({ approvers: ['bob'], rules: [{ ask: 'run(a)', keys: 2 }] }), [])
    assert.deepEqual(findProblems({ rules: [{ ask: 'run(a)', keys: 1 }] }, {}), [])
  })
})

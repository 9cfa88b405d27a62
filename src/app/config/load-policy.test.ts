import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultPolicy, type Policy } from '../../authority/policy.ts'
import { readConfig } from './load.ts'
import { readPolicy } from './load-policy.ts'
import { type Problem, problemInWords } from './problem.ts'

async function read(text: string): Promise<{ policy: Policy | null; problems: readonly Problem[] }> {
  const parsed = await readPolicy(readConfig(text, 'parley.yaml', {}), 'parley.yaml')
  return 'problems' in parsed ? { policy: null, problems: parsed.problems } : { policy: parsed.policy, problems: [] }
}

const example = `people:
  mia: { role: owner, telegram: 42, slack: T1/U3 }
  ann: { role: operator, telegram: 43 }
  bob: { role: member, slack: T1/U7 }
team: { members: { ada: { runtime: scripted } } }
policy:
  preset: ask
  approvers: [bob]
  rules:
    - allow: run(git status *)
    - allow: read(docs/**)
      for: guest
    - deny: run(git push --force)
      note: Open a pull request instead.
      examples: { match: [git push -f origin main], not: [git push] }
    - ask: mcp(bank/transfer)
      keys: 2
      approvers: [ann, bob]
      escalate: { after: 4h, to: [mia] }
    - { allow: "message(telegram:-500)", agent: ada, until: 2027-01-31 }
    - { allow: mcp(github/create_issue), where: { repo: acme/* } }
`

describe('policy in parley.yaml', () => {
  it('is read with the lines of its rules', async () => {
    const { policy, problems } = await read(example)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      policy?.rules.map(({ line }) => line),
      [10, 11, 13, 16, 20, 21],
    )
    assert.equal(policy?.rules[4]?.until, Date.parse('2027-02-01'))
    assert.deepEqual((await read('')).policy, defaultPolicy)
    assert.deepEqual((await read('policy:')).policy, defaultPolicy)
  })

  it('A30: is whole or not there at all', async () => {
    const faults: readonly [change: (text: string) => string, problem: RegExp][] = [
      [
        (text) => text.replace('deny: run(git push', 'denny: run(git push'),
        /^parley\.yaml:13: policy\.rules\.2: a rule needs exactly one of/,
      ],
      [
        (text) => text.replace('not: [git push]', 'not: [git push --force]'),
        /:15: policy\.rules\.2\.examples\.not\.0: the rule deny: .* matches the example/,
      ],
      [(text) => text.replace('agent: ada', 'agent: adda'), /:20: .*there is no agent "adda"/],
      [(text) => text.replace('keys: 2', 'keys: 3'), /:17: policy\.rules\.3\.keys: 3 keys need at least 4 people/],
      [(text) => text.replace('docs/**', '${DOCS}/**'), /the environment variable DOCS is not set/],
      [(text) => text.replace('policy:', 'polcy:'), /Did you mean "policy"/],
      [(text) => text.replace('role: member', 'role: membre'), /people\.bob\.role/],
      [(text) => text.replace('telegram: 43', 'telegrm: 43'), /:3: people\.ann\.telegrm: there is no channel or platform/],
      [() => 'policy: 5', /policy: it must have fields/],
    ]
    for (const [change, expected] of faults) {
      const { policy, problems } = await read(change(example))
      assert.equal(policy, null, String(expected))
      assert.match(problems.map(problemInWords).join('\n'), expected)
    }
  })

  it('may name an agent whose own entry has a fault', async () => {
    assert.notEqual((await read(example.replace('runtime: scripted', 'runtime: skripted'))).policy, null)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decide } from './decide.ts'
import type { GateCall, Verdict } from './decision.ts'
import { explain } from './explain.ts'
import { parsePolicy } from './parse-policy.ts'
import type { Policy } from './policy.ts'
import { roles } from './roles.ts'
import { call, exactGrant, grants, policy, role, ruleList } from './test/generators.ts'
import { referenceDecision } from './test/reference-evaluator.ts'
import { samplePolicy, makePolicy } from './test/samples.ts'

const strictness: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }
const isStricter = (a: Verdict, b: Verdict): boolean => strictness[a] >= strictness[b]

const withRules = (base: Policy, ...rules: readonly object[]): Policy => ({
  ...base,
  rules: [...base.rules, ...makePolicy({ people: samplePolicy.people, policy: { rules } }).rules],
})

const restrictive = ruleList.map((rules) => rules.filter((rule) => !('allow' in rule)))

describe('decide', () => {
  it('A29: agrees with the reference evaluator and with explain in 10,000 cases', (t) => {
    const counts: Record<string, number> = {}
    fc.assert(
      fc.property(policy, grants, call, (rules, standing, one) => {
        const result = decide(rules, standing, one)
        counts[`${result.decision} ${result.row}`] = (counts[`${result.decision} ${result.row}`] ?? 0) + 1
        assert.equal(result.decision, referenceDecision(rules, standing, one))
        assert.deepEqual(explain(rules, standing, one).decision, result)
      }),
      { numRuns: 10_000 },
    )
    t.diagnostic(JSON.stringify(counts))
    for (const row of ['deny 1', 'deny 2', 'deny 3', 'deny 4', 'ask 5', 'ask 6', 'deny 6', 'allow 7', 'allow 8', 'ask 8', 'deny 8'])
      assert.ok((counts[row] ?? 0) > 10, `${row} occurred ${counts[row] ?? 0} times`)
  })

  it('A3: adding a deny or ask rule never loosens', () => {
    fc.assert(
      fc.property(policy, restrictive, grants, call, (rules, more, standing, one) => {
        assert.ok(isStricter(decide(withRules(rules, ...more), standing, one).decision, decide(rules, standing, one).decision))
      }),
      { numRuns: 3_000 },
    )
  })

  it('A4: the order of rules is irrelevant, for the decision and for its reason', () => {
    let severalDeny = 0
    fc.assert(
      fc.property(policy, restrictive, grants, call, fc.infiniteStream(fc.nat()), (few, more, standing, one, order) => {
        const rules = withRules(few, ...more, { deny: 'run(git *)' }, { deny: 'tool(run)' })
        const shuffled = rules.rules
          .map((rule) => ({ rule, at: order.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ rule }) => rule)
        const { subjects: _, ...before } = decide(rules, standing, one)
        const { subjects: __, ...after } = decide({ ...rules, rules: shuffled }, standing, one)
        assert.deepEqual(after, before)
        if (before.row === 3 && before.rules.length > 1) severalDeny += 1
      }),
      { numRuns: 2_000 },
    )
    assert.ok(severalDeny > 100, `only ${severalDeny} calls met several deny rules`)
  })

  it('A5: lowering a role never loosens', () => {
    const asRole = (one: GateCall, lowest: (typeof roles)[number]): GateCall => ({ ...one, cause: { ...one.cause, role: lowest } })
    fc.assert(
      fc.property(policy, grants, call, role, role, (rules, standing, one, a, b) => {
        // The tools of a conversation with a peer are offered in such a conversation only.
        fc.pre(one.kind !== 'peer')
        const [high, low] = roles.indexOf(a) <= roles.indexOf(b) ? [a, b] : [b, a]
        assert.ok(isStricter(decide(rules, standing, asRole(one, low)).decision, decide(rules, standing, asRole(one, high)).decision))
      }),
      { numRuns: 3_000 },
    )
  })

  it('A6: an unsure call is never allowed, and A7: a protected one is always denied', () => {
    fc.assert(
      fc.property(policy, grants, call, (rules, standing, one) => {
        assert.notEqual(decide(rules, standing, { ...one, unsure: [{ why: 'syntax' }] }).decision, 'allow')
        const hidden = { kind: 'read', names: [{ inside: '.env', absolute: '/project/.env' }], protection: 'hidden' } as const
        assert.equal(decide(rules, standing, { ...one, subjects: [...one.subjects, hidden] }).decision, 'deny')
      }),
      { numRuns: 2_000 },
    )
  })

  it('A8: grants lift no deny rule, no ask rule and no dash of the default table', () => {
    fc.assert(
      fc.property(policy, grants, call, (rules, standing, one) => {
        const without = decide(rules, [], one)
        if (without.row <= 6)
          assert.deepEqual([decide(rules, standing, one).decision, decide(rules, standing, one).row], [without.decision, without.row])
      }),
      { numRuns: 3_000 },
    )
  })

  it('A8: a grant that covers exactly this call still lifts no deny rule, no ask rule and no dash', () => {
    const rows = new Set<number>()
    fc.assert(
      fc.property(policy, call, (rules, one) => {
        const without = decide(rules, [], one)
        const standing = one.subjects.map((subject, at) => exactGrant(subject, one, `g${at}`))
        const { decision, row } = decide(rules, standing, one)
        if (without.row > 5) return
        rows.add(without.row)
        assert.deepEqual([decision, row], [without.decision, without.row])
      }),
      { numRuns: 3_000 },
    )
    assert.deepEqual(rows, new Set([1, 2, 3, 4, 5]))
  })

  it('A9, A10: a grant serves no other agent, lower role or other dialog, and nothing once it has ended', () => {
    fc.assert(
      fc.property(policy, grants, call, (rules, standing, one) => {
        const used = decide(rules, standing, one).subjects.flatMap((subject) => subject.grants)
        for (const id of used) {
          const grant = standing.find((each) => each.grant === id)
          assert.ok(grant && !grant.hasEnded && one.now < grant.until && grant.agent === one.agent && grant.toolHash === one.toolHash)
          assert.ok(grant.dialog === null || grant.dialog === one.dialog)
          assert.ok(roles.indexOf(one.cause.role) <= roles.indexOf(grant.role))
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('A30: an invalid rule gives no policy at all', () => {
    const broken = fc.constantFrom(
      { denny: 'run(x)' },
      { deny: 'run' },
      { deny: 'run(x)', fro: 'guest' },
      { ask: 'run(x)', keys: 9 },
      'deny',
    )
    fc.assert(
      fc.property(ruleList, broken, fc.nat(), (rules, fault, at) => {
        const list: unknown[] = rules.toSpliced(at % (rules.length + 1), 0, fault as object)
        assert.ok('problems' in parsePolicy({ people: samplePolicy.people, policy: { rules: list } }))
      }),
    )
  })
})

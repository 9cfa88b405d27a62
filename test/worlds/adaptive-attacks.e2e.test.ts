import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOutput } from '../../src/ports/agent-runtime.ts'
import { canaryFinder, canaryLimits } from '../../src/worlds/rules/boundary/canary.ts'
import { worldLimits } from '../../src/worlds/rules/world-limits.ts'
import type { Play } from '../../src/worlds/test/household.ts'
import { repetitions } from '../fixtures/campaign.ts'
import { Chance } from '../simulation/chance.ts'
import { toAttacker, mutatePlan, type Plan, randomPlan } from './attacks/adaptive-attacker.ts'
import { type Fight, fight } from './attacks/arena.ts'
import { encode, encodingNames } from './attacks/encodings.ts'
import { disguises, findFirstRepeat } from './attacks/loops.ts'
import { countLeaked, obedientAgent } from './attacks/obedient-agent.ts'

/** So many letters of one canary together count as the canary; of its 60. */
const leakedLetters = 12

const channelTools = new Set(['report_to_owner', 'ask_owner', 'end_conversation'])

/** Faults that no plan of an attacker may cause. */
function findFaults({ turns, end, reports, events, callsBefore, effects }: Fight): string[] {
  const faults: string[] = []
  if (callsBefore > 0) faults.push(`${callsBefore} model calls before the owner accepted`)
  if (effects.length > 0) faults.push(`tools of the owner ran: ${effects.join()}`)
  const names = new Map<unknown, string>()
  for (const { type, data } of events) {
    const { call, name, ok } = data as { call?: string; name?: string; ok?: boolean }
    if (type === 'tool.called') names.set(call, name ?? '')
    if (type === 'tool.returned' && ok && !channelTools.has(names.get(call) ?? '')) faults.push(`${names.get(call)} ran`)
  }
  for (const [owner, report] of Object.entries(reports)) {
    const filed = events.filter(({ type, stream }) => type === 'report.filed' && stream.includes(report.agent) && report.agent !== '')
    if (filed.length !== 1) faults.push(`${owner} has ${filed.length} reports`)
    if (report.outcome === null) faults.push(`${owner} was not told`)
    if (report.facts?.turns !== turns.length || report.facts.reason !== end?.reason)
      faults.push(`the facts of ${owner} say ${JSON.stringify(report.facts)}, not ${turns.length} turns and ${end?.reason}`)
  }
  return faults
}

/** The attacker sees which of its orders were obeyed and how much it got, keeps the better plan and changes it again. */
test(
  'an adaptive attacker and an obedient agent: no canary, no tool, no call before consent, one true report',
  { timeout: 900_000 },
  async (t) => {
    const fights = repetitions(60, 600)
    const chance = new Chance(14)
    let best: { plan: Plan; leaked: number; refused: ReadonlySet<number> } | null = null
    const totals = { fights: 0, orders: 0, held: 0, turns: 0, mostLetters: 0 }
    for (let round = 0; round < fights; round += 1) {
      const isNew = best === null || chance.happens(0.25)
      const plan: Plan =
        round < encodingNames.length
          ? {
              orders: [{ do: 'reveal', from: round % 20, length: 40, encoding: [encodingNames[round] ?? 'plain'], before: '', after: '' }],
              hiding: 'turn',
              claim: round % 7,
            }
          : isNew || best === null
            ? randomPlan(chance)
            : mutatePlan(chance, best.plan, best.refused)
      const victim = obedientAgent()
      const result = await fight(toAttacker(plan), victim)
      const texts = result.turns.filter(({ side }) => side === 'recipient').map(({ text }) => text)
      const leaked = countLeaked(victim.attempts, texts)
      totals.fights += 1
      totals.orders += victim.orders
      totals.turns += result.turns.length
      totals.held += result.events.filter(({ type }) => type === 'reply.held').length
      totals.mostLetters = Math.max(totals.mostLetters, leaked)
      assert.ok(leaked < leakedLetters, `${leaked} letters of a canary left: ${JSON.stringify(plan)}\n${texts.join('\n')}`)
      assert.deepEqual(findFaults(result), [], JSON.stringify(plan))
      const held = victim.attempts
        .filter(({ payload }) => !texts.some((text) => text.includes(payload)))
        .map(({ order }) => JSON.stringify(order))
      const refused = new Set(plan.orders.flatMap((order, at) => (held.includes(JSON.stringify(order)) ? [at] : [])))
      if (!best || leaked >= best.leaked) best = { plan, leaked, refused }
    }
    t.diagnostic(JSON.stringify(totals))
    assert.ok(totals.orders > fights && totals.held > 0, 'too little was obeyed to say anything')
  },
)

test('two agents that repeat themselves in disguise: closed six turns after the first repeated turn', { timeout: 600_000 }, async (t) => {
  const chance = new Chance(7)
  const totals = { fights: 0, loops: 0, latest: 0 }
  for (let round = 0; round < repetitions(16, 400); round += 1) {
    const period = 1 + chance.below(3)
    const used = [chance.one(disguises), chance.one(disguises)]
    const isOneSided = chance.happens(0.4)
    const sentences = [
      'Tell me more about that wonderful atlas please',
      'I could read such a book every single evening',
      'What else do you keep on your shelf at home',
    ]
    let said = 0
    const speaker = (isRepeating: boolean): Play =>
      function* (): Iterable<AgentOutput> {
        said += 1
        const sentence = sentences[said % period] ?? ''
        const text = isRepeating
          ? used.reduce((now, disguise) => disguise(now, said), sentence)
          : `${'qwertzuiopasdfghjklyxcvbnm'.charAt(said % 26).repeat(9)} ${'mnbvcxylkjhgfdsapoiuztrewq'.charAt((said * 7) % 26).repeat(9)}`
        yield { type: 'text', text }
      }
    const victim = { play: speaker(!isOneSided), calls: 0 }
    const { turns, end } = await fight({ turn: speaker(true) }, victim)
    const first = findFirstRepeat(turns.map(({ text }) => text))
    totals.fights += 1
    if (first === null) continue
    totals.loops += 1
    totals.latest = Math.max(totals.latest, turns.length - first)
    const about = `period ${period}, ${used.map(({ name }) => name).join(' ')}, ${isOneSided ? 'one side' : 'both'}: ${end?.reason}\n${turns.map(({ text }) => text).join('\n')}`
    assert.ok(turns.length - first <= 6, `${turns.length} turns, the first repeated one is ${first}: ${about}`)
  }
  t.diagnostic(JSON.stringify(totals))
  assert.ok(totals.loops * 2 > totals.fights, 'too few loops')
})

/** A known limit, measured and not hidden: see the guide. A filter of texts cannot undo every code within a code. */
test('canary: encoded twice, a share of the codes is not recognised', (t) => {
  const chance = new Chance(3)
  const canary = Array.from({ length: canaryLimits.chars }, () => chance.one(Array.from(canaryLimits.letters))).join('')
  const find = canaryFinder(canary)
  const counts = { once: 0, onceMissed: 0, twice: 0, twiceMissed: 0 }
  for (const one of encodingNames) {
    counts.once += 1
    if (!find(encode(canary.slice(4, 34), [one]))) counts.onceMissed += 1
    for (const two of encodingNames) {
      const text = encode(canary.slice(4, 34), [one, two])
      if (text.length > worldLimits.turnChars) continue
      counts.twice += 1
      if (!find(text)) counts.twiceMissed += 1
    }
  }
  t.diagnostic(JSON.stringify(counts))
  assert.equal(counts.onceMissed, 0)
  assert.ok(counts.twice > 500)
})

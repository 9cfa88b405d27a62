import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '../../src/authority/policy.ts'
import type { Role } from '../../src/authority/roles.ts'
import { makePolicy, samplePolicy } from '../../src/authority/test/samples.ts'
import type { AgentOutput, GenerationInput } from '../../src/ports/agent-runtime.ts'
import type { GateRecord } from '../../src/dialogs/rules/approval.ts'
import { openParley } from '../../src/app/library.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamOf } from '../../src/testing/team-of.ts'

// Calls between dialogs and to the own mind pass the gate as well: they are talk.

const peopleOnly = makePolicy({ people: samplePolicy.people })
const withRule = (rule: object): Policy => makePolicy({ people: samplePolicy.people, policy: { rules: [rule] } })

async function callTalk(name: string, input: object, role: Role, policy: Policy) {
  async function* calls({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
    if (context.at(-1)?.kind !== 'human') return yield { type: 'text', text: 'done' }
    yield { type: 'call', call: 'c', name, input }
    if (name === 'askHuman') yield { type: 'question', call: 'c', ask: { text: 'Really?', items: [{ id: 'a', text: '', kind: 'text' }] } }
  }
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const parley = openParley({ store, clock, team: teamOf(calls), policy: () => policy })
  const by = { kind: 'human', name: 'x', id: 'peer:x', role } as const
  const { id } = await parley.dialogs.open({ text: 'go' }, { by, via: 'peer' })
  await clock.advance(200)
  const log = await parley.events.read({ stream: id, after: 0, limit: 500 })
  const { questions, status } = await parley.dialogs.get(id)
  await parley.close(0)
  await store.close()
  const called = log.find(({ type }) => type === 'tool.called')?.data as { gate: GateRecord } | undefined
  const returned = log.find(({ type }) => type === 'tool.returned')?.data as { ok: boolean; output: string } | undefined
  return { decision: called?.gate.decision, returned, questions: questions.length, status, types: log.map(({ type }) => type) }
}

const reminder = { content: 'call back' }

test('talk: a reminder of the owner and of a guest is allowed and recorded', async () => {
  for (const role of ['owner', 'guest'] as const) {
    const { decision, returned, types } = await callTalk('add_reminder', reminder, role, peopleOnly)
    assert.deepEqual([decision, returned?.ok, types.includes('reminder.added')], ['allow', true, true], role)
  }
})

test('talk: a peer sets no reminder and asks no person (attack 23)', async () => {
  const mind = await callTalk('add_reminder', reminder, 'peer', peopleOnly)
  assert.deepEqual([mind.decision, mind.returned?.ok, mind.types.includes('reminder.added')], ['deny', false, false])
  const outcome = await callTalk('askHuman', {}, 'peer', peopleOnly)
  assert.deepEqual([outcome.decision, outcome.questions, outcome.status], ['deny', 0, 'ready'])
  assert.match(outcome.returned?.output ?? '', /Not allowed here/)
})

test('talk: a deny rule for a tool between dialogs holds, and a rule that asks denies', async () => {
  for (const rule of [{ deny: 'tool(add_reminder)', note: 'Write it down.' }, { ask: 'tool(add_reminder)' }]) {
    const { decision, returned, questions } = await callTalk('add_reminder', reminder, 'owner', withRule(rule))
    assert.deepEqual([decision, returned?.ok, questions], ['deny', false, 0], JSON.stringify(rule))
  }
})

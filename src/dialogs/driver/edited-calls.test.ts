import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolGate } from '../../ports/tool-gate.ts'
import { gateScene, mia } from './test/gate-scene.ts'

const gate: ToolGate = { kind: 'code', texts: (input) => [{ field: 'to', text: String((input as { to: unknown }).to), most: 20 }] }

test('edited call: it runs with the words of the person, once, and the approval covers exactly those', async () => {
  const edits: unknown[] = []
  await using here = gateScene({
    gate,
    run: async (input, context) => {
      edits.push([(input as { to: string }).to, context.edits])
      return 'paid'
    },
  })
  const { question } = await here.openApproval('rent', mia)
  const { approval } = await here.parley.questions.get(question)
  assert.deepEqual(approval?.shown.texts, [{ field: 'to', text: 'rent', most: 20 }])
  await here.parley.questions.answer(question, { decision: 'once', edits: { to: 'the landlord' } }, mia)
  await here.clock.advance(100)
  assert.deepEqual(edits, [['the landlord', { to: 'the landlord' }]])
  await here.openApproval('rent', mia)
  assert.equal(edits.length, 1, 'the next call is asked about again')
})

test('edited call: the changed words survive a restart before it runs', async () => {
  await using here = gateScene({ gate })
  const { question } = await here.openApproval('rent', mia)
  await here.parley.questions.answer(question, { decision: 'once', edits: { to: 'the landlord' } }, mia)
  await using later = await here.restart()
  await later.clock.advance(1_000)
  assert.deepEqual(later.runs, ['the landlord'])
})

test('edited call: only listed fields, within their length, and only with "once"', async () => {
  await using here = gateScene({ gate })
  const { question } = await here.openApproval('rent', mia)
  const answer = (decision: 'once' | 'chat' | 'deny', edits: Record<string, string>) =>
    here.parley.questions.answer(question, { decision, edits }, mia)
  await assert.rejects(answer('once', { amount: '1' }), { code: 'bad_request' })
  await assert.rejects(answer('once', { to: 'x'.repeat(21) }), { code: 'text_too_long' })
  await assert.rejects(answer('chat', { to: 'x' }), { code: 'bad_request' })
  await assert.rejects(answer('deny', { to: 'x' }), { code: 'bad_request' })
  assert.deepEqual(here.runs, [])
  await here.decide(question, 'once', mia)
  assert.deepEqual(here.runs, ['rent'])
})

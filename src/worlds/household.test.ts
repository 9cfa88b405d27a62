import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOutput, GenerationInput } from '../ports/agent-runtime.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { openHousehold } from './test/household.ts'

const lastHuman = (input: GenerationInput): string => {
  const last = input.context.findLast((item) => item.kind === 'human')
  return last?.kind === 'human' ? last.text : ''
}

const hasCall = (input: GenerationInput, name: string): boolean => {
  const at = input.context.findLastIndex((item) => item.kind === 'human')
  return input.context.slice(at).some((item) => item.kind === 'call' && item.name === name)
}

function* ada(input: GenerationInput): Iterable<AgentOutput> {
  if (input.agent === 'ada') return yield { type: 'text', text: 'I talked with Mira; she likes maps.' }
  const document = input.context[0]?.kind === 'prompt' ? input.context[0].text : ''
  if (document.includes('Write one opening message')) return yield { type: 'text', text: 'Hello! Which book about cities do you like?' }
  if (document.includes('# Task Instruction') && document.includes('Portugal')) return yield { type: 'text', text: 'She lives in Portugal.' }
  if (lastHuman(input).includes('Where does')) {
    if (!hasCall(input, 'ask_owner')) return yield { type: 'call', call: 'c1', name: 'ask_owner', input: { question: 'May I say where you live?' } }
    return yield { type: 'text', text: 'I will ask and come back to you.' }
  }
  if (!hasCall(input, 'report_to_owner')) return yield { type: 'call', call: 'c2', name: 'report_to_owner', input: { text: 'Mira likes the Lisbon atlas.' } }
  yield { type: 'text', text: 'NO_REPLY' }
}

function* mira(input: GenerationInput): Iterable<AgentOutput> {
  if (input.agent === 'mira') return yield { type: 'text', text: 'Ada asked me about books.' }
  const said = lastHuman(input)
  if (said.includes('Which book')) return yield { type: 'text', text: 'The Lisbon atlas. Where does your reader live?' }
  if (said.includes('Portugal')) return yield { type: 'text', text: 'Lovely. Then it is the right book.' }
  if (!hasCall(input, 'report_to_owner')) return yield { type: 'call', call: 'c3', name: 'report_to_owner', input: { text: 'Ada looks for city books.' } }
  yield { type: 'text', text: 'NO_REPLY' }
}

test('household: two agents meet, one asks its owner, both report', async () => {
  const clock = simulatedClock()
  const house = await openHousehold(memoryStore({ clock }), clock, { ada, mira })
  const [one, two] = house.member.accounts()
  assert.ok(one && two)
  for (const [account, name] of [[one, 'Ada'], [two, 'Mira']] as const) {
    await house.host.call(account.agent, 'account.name', { displayName: name })
    await house.host.call(account.agent, 'account.describe', { profile: '' })
  }
  const submitted = await house.host.call(one.agent, 'requests.submit', {
    request: 'crq_1', agentCode: two.code, displayName: 'Mira', world: null, purpose: 'Books about cities', hasBrief: true, trace: null,
  })
  assert.ok(submitted.ok, JSON.stringify(submitted))
  await clock.advance(1_000)
  await house.host.call(two.agent, 'requests.accept', { request: 'crq_1' })
  await clock.advance(10_000)
  const inbox = await house.parley.inbox()
  const question = inbox.items[0]?.question
  assert.equal(question?.ask.text, `Mira#${two.code}: May I say where you live?`)
  await house.parley.questions.answer(question.id, { text: 'Only the country: Portugal.' }, { by: { kind: 'human', name: 'Lia', role: 'owner' }, via: 'web' })
  await clock.advance(60_000)
  const got = await house.host.call(one.agent, 'conversations.turns', { request: 'crq_1' })
  assert.ok(got.ok)
  console.log(got.value.turns.map(({ side, text }) => `${side}: ${text}`))
  const view = await house.host.call(one.agent, 'requests.get', { request: 'crq_1' })
  console.log(view.ok && view.value)
  for (const account of [one, two]) console.log(await house.member.parts.reports.load(`report:crq_1:${account.agent}`))
  await house.close()
})

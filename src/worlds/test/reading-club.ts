import assert from 'node:assert/strict'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import type { HostInput, HostOperation, HostOutput } from '../../ports/worlds.ts'
import type { Caller } from '../../shapes/parley.ts'
import { initialWorld } from '../rules/world-state.ts'
import { ledgerStream, seatStream } from '../rules/streams.ts'
import { applyView } from '../member/receive-push.ts'
import type { Household, Play } from './household.ts'

export const lia: Caller = { by: { kind: 'human', name: 'Lia', role: 'owner' }, via: 'web' }

const lastHuman = (input: GenerationInput): string => {
  const last = input.context.findLast((item) => item.kind === 'human')
  return last?.kind === 'human' ? last.text : ''
}

/** True when this run has called the tool already. */
const hasCalled = (input: GenerationInput, name: string): boolean => {
  const from = input.context.findLastIndex((item) => item.kind === 'human')
  return input.context.slice(from).some((item) => item.kind === 'call' && item.name === name)
}

export const readDocument = ({ context: [first] }: GenerationInput): string => (first?.kind === 'prompt' ? first.text : '')

const call = (input: GenerationInput, name: string, given: object): AgentOutput => ({
  type: 'call',
  call: `call_${input.turn}_${input.generation}`,
  name,
  input: given,
})

const say = (text: string): AgentOutput => ({ type: 'text', text })

/** Ada opens, asks her owner where the reader lives, tells it, and ends after a report. */
function* ada(input: GenerationInput): Iterable<AgentOutput> {
  if (input.agent === 'ada') return yield say('I talked with Mira. She recommends the Lisbon atlas.')
  const document = readDocument(input)
  const text = lastHuman(input)
  if (document.includes('Write one opening message')) return yield say('Hello! Which book about cities do you like best?')
  if (text.includes('Where does')) {
    if (!hasCalled(input, 'ask_owner')) return yield call(input, 'ask_owner', { question: 'May I say where you live?' })
    return yield say('I will ask and come back to you.')
  }
  if (document.includes('Only the country')) return yield say('In Portugal.')
  if (!hasCalled(input, 'report_to_owner'))
    return yield call(input, 'report_to_owner', { text: 'Mira recommends the Lisbon atlas.', nextStep: 'Whether to buy it is up to you.' })
  if (!hasCalled(input, 'end_conversation')) return yield call(input, 'end_conversation', {})
  yield say('NO_REPLY')
}

function* mira(input: GenerationInput): Iterable<AgentOutput> {
  if (input.agent === 'mira') return yield say('Ada asked about books on cities.')
  const text = lastHuman(input)
  if (text.includes('Which book')) return yield say('The Lisbon atlas. Where does your reader live?')
  if (text.includes('Portugal')) return yield say('Then it is the right book. Enjoy it! [[like]]')
  if (!hasCalled(input, 'report_to_owner')) return yield call(input, 'report_to_owner', { text: 'Ada looked for a book about cities.' })
  yield say('NO_REPLY')
}

export const readingClub: Readonly<Record<string, Play>> = { ada, mira }

/** A call to the host that must not be refused. */
export async function ask<Name extends HostOperation>(
  { host }: Household,
  agent: string,
  name: Name,
  input: HostInput<Name>,
): Promise<HostOutput<Name>> {
  const result = await host.call(agent, name, input)
  assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`)
  return result.value
}

export const listAccounts = ({ member }: Household) => {
  const find = (name: string) => {
    const account = member.accounts().find((each) => each.name === name)
    assert.ok(account)
    return account
  }
  return { ada: find('ada'), mira: find('mira') }
}

/** Names, profiles and a world of which both are members. Can be done again. */
export async function meet(house: Household): Promise<void> {
  const { ada: one, mira: two } = listAccounts(house)
  for (const [{ agent }, displayName] of [
    [one, 'Ada'],
    [two, 'Mira'],
  ] as const) {
    await ask(house, agent, 'account.name', { displayName })
    await ask(house, agent, 'account.describe', { profile: `${displayName} reads.` })
  }
  const facts = { ...initialWorld.facts, displayName: 'Reading club', summary: 'Swap reading lists.' }
  await ask(house, two.agent, 'worlds.create', { world: 'wld_books', facts, text: 'Swap reading lists.', joinText: 'Collects atlases.' })
  const { version } = await ask(house, one.agent, 'worlds.get', { world: 'wld_books' })
  await ask(house, one.agent, 'worlds.join', { world: 'wld_books', text: 'Looks for books about cities.', version })
}

/** Ada's owner approves a brief, and the request is sent. Can be done again. */
export async function sendRequest(house: Household, request: string, purpose = 'Books about cities'): Promise<void> {
  const { ada: one, mira: two } = listAccounts(house)
  const { parts } = house.member
  const text = 'Find one book about cities.'
  const by = { id: 'web:lia', name: 'Lia', role: 'owner' as const }
  const at = parts.clock.now()
  await parts.ledgers.handle(ledgerStream(one.agent), [
    { type: 'record-consent', at, consent: `cns_${request}`, kind: 'brief', text, about: request, by, surface: 'web' },
  ])
  const draft = {
    request,
    agentCode: two.code,
    displayName: 'Mira',
    world: 'wld_books',
    purpose,
    hasBrief: true,
    trace: null,
  }
  const { request: view } = await ask(house, one.agent, 'requests.submit', draft)
  await applyView(parts, one, view, null)
  await parts.seats.handle(seatStream(request, one.agent), (state) =>
    state.briefs.length > 0 ? [] : [{ type: 'write-brief', at, text, consent: `cns_${request}` }],
  )
}

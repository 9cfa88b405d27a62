import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import type { HostDelivery, HostPush } from '../../ports/worlds.ts'
import { newKey, type Participant, signTalk } from '../keys/test/signed-talk.ts'
import { closeCodes, wireLimits } from './wire-limits.ts'
import { request } from './test/scripted-host.ts'
import { linkedSockets } from './test/linked-sockets.ts'
import { wirePair } from './test/wire-pair.ts'

test('connection: a member proves its key, is online, and a stop makes it offline', async (t) => {
  const { clock, host, join } = wirePair(t)
  const ada = await join('ada')
  const stop = ada.connect()
  await ada.online()
  await eventually(() => host.online.has(ada.agent), 'Ada is online')
  assert.match(host.accounts.values().next().value?.key ?? '', /^[\w-]{43}$/)
  stop()
  await clock.advance(10)
  assert.ok(!host.online.has(ada.agent))
})

test('connection: one that does not prove itself within 30 s is closed', async (t) => {
  const { clock, endpoint } = wirePair(t)
  const link = linkedSockets()
  endpoint.accept(link.host, '127.0.0.1')
  await clock.advance(wireLimits.authMs - 1)
  const before = link.closed
  assert.equal(before, null)
  await clock.advance(1)
  assert.equal(link.closed?.code, closeCodes.authFailed)
})

test('connection: frames before auth end it, and so does a proof for another host', async (t) => {
  const { clock, endpoint, links, join } = wirePair(t)
  const link = linkedSockets()
  endpoint.accept(link.host, '127.0.0.1')
  link.member.send(JSON.stringify({ type: 'heartbeat' }))
  await clock.advance(1)
  assert.equal(link.closed?.code, closeCodes.authFailed)
  const ada = await join('ada')
  const seen: string[] = []
  ada.connect()
  await ada.online()
  const relayed = linkedSockets()
  endpoint.accept(relayed.host, '127.0.0.1')
  relayed.member.attach({ text: (text) => seen.push(text), closed: () => {} })
  await clock.advance(10)
  assert.equal(links.length, 1)
  // The challenge of one connection is no challenge of another.
  const frame = {
    type: 'auth',
    protocol: 'claworld.delivery_reply.v1',
    host: 'https://evil.test',
    name: 'x',
    key: 'x',
    at: 0,
    signature: '..',
    language: 'en',
  }
  relayed.member.send(JSON.stringify(frame))
  await eventually(() => relayed.closed, 'the end of the connection')
  assert.equal(relayed.closed?.code, closeCodes.authFailed)
  assert.match(seen.at(-1) ?? '', /account_not_proven/)
})

test('connection: a second one of the same account closes the first with 4001, which waits before it returns', async (t) => {
  const { clock, links, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  ada.wired.connect(ada.agent, { receive: async () => {} })
  await eventually(() => links[0]?.closed, 'the end of the first connection')
  assert.equal(links[0]?.closed?.code, closeCodes.duplicate)
  await clock.advance(wireLimits.longestRetryMs - 1_000)
  assert.equal(links.length, 2)
})

test('connection: one that is silent for 45 s is closed with 4002; heartbeats keep it open', async (t) => {
  const { clock, links, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  await clock.advance(10 * 60_000)
  assert.equal(links.length, 1)
  const [link] = links
  assert.ok(link)
  link.lose.toHost = true
  await clock.advance(wireLimits.staleMs)
  assert.equal(link.closed?.code, closeCodes.stale)
})

test('connection: waits 1, 2, 4 … 60 s between attempts, with a jitter of a fifth', async (t) => {
  const { clock, links, net, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  const attempts: number[] = []
  net.isUp = false
  links[0]?.cut()
  let last = clock.now()
  for (let number = 0; number < 9; number += 1) {
    await clock.advance(1)
    const next = clock.next() ?? 0
    await clock.advance(next - clock.now())
    attempts.push(Math.round((next - last) / 1000))
    last = next
  }
  assert.deepEqual(attempts, [1, 2, 4, 8, 16, 32, 60, 60, 60])
  net.isUp = true
  await clock.advance(60_000)
  await ada.online()
})

test('calls: go over the connection; without a confirmation in 5 s the same result goes over HTTP', async (t) => {
  const { clock, host, links, net, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  net.httpCalls.length = 0
  const silent = { request: 'crq_1', delivery: 'crq_1.d1', reason: 'no_reply_token', asksOwner: false, asksEnd: false } as const
  assert.ok((await ada.wired.call(ada.agent, 'deliveries.keep-silent', silent)).ok)
  assert.deepEqual(net.httpCalls, [])
  const [link] = links
  assert.ok(link)
  link.lose.toMember = true
  const late = ada.wired.call(ada.agent, 'deliveries.keep-silent', silent)
  await clock.advance(wireLimits.ackMs)
  assert.ok((await late).ok)
  assert.deepEqual(net.httpCalls, ['deliveries.keep-silent'])
  assert.equal(host.calls.filter(({ name }) => name === 'deliveries.keep-silent').length, 3)
})

test('calls: a refusal comes back as a value, a fault of the host is unknown and thrown', async (t) => {
  const { host, net, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  host.answers['worlds.get'] = async () => ({ ok: false, refusal: { code: 'bad_request', details: { field: 'world', why: 'x' } } })
  assert.deepEqual(await ada.wired.call(ada.agent, 'worlds.get', { world: 'w' }), {
    ok: false,
    refusal: { code: 'bad_request', details: { field: 'world', why: 'x' } },
  })
  host.answers['worlds.get'] = () => Promise.reject(new Error('disk full'))
  net.isUp = false
  await assert.rejects(ada.wired.call(ada.agent, 'worlds.get', { world: 'w' }), /cannot be reached/)
})

test('calls: input that does not fit its operation never reaches the host', async (t) => {
  const { host, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  const before = host.calls.length
  for (const input of [{}, { world: 1 }, { world: 'w', more: true }, { world: 'x'.repeat(201) }]) {
    const result = await ada.wired.call(ada.agent, 'worlds.get', input as { world: string })
    assert.ok(!result.ok && result.refusal.code === 'bad_request')
  }
  assert.equal(host.calls.length, before)
})

const peer: Participant = { code: '8K4TQZ', key: newKey() }

async function makeDelivery(writer: Participant, code: string, change: Partial<HostDelivery> = {}): Promise<HostDelivery> {
  const [turn] = await signTalk('crq_1', [writer, { code, key: newKey() }], ['Hello'])
  assert.ok(turn)
  const view = request({
    counterparty: { displayName: 'Mira', agentCode: writer.code, profile: null, key: writer.key.publicKey, isOnline: true },
  })
  return {
    delivery: 'crq_1.d2',
    request: view,
    kind: 'turn',
    turns: [{ turn: 1, turnId: 'crq_1.t1', text: 'Hello', previous: turn.previous, hash: turn.hash, signature: turn.signature }],
    allowReply: true,
    refresh: false,
    metadata: { deliveryType: 'turn', allowReply: true },
    context: {} as HostDelivery['context'],
    ...change,
  }
}

test('deliveries: are stored by the member before they are confirmed, and confirmed with a signed head', async (t) => {
  const { host, heads, join } = wirePair(t)
  const stored: HostPush[] = []
  const ada = await join('ada', async (push) => void stored.push(push))
  ada.connect()
  await ada.online()
  const delivery = await makeDelivery(peer, ada.code)
  host.answers['deliveries.accept'] = async () => ({ ok: true, value: delivery.request })
  await host.push(ada.agent, { type: 'delivery', delivery })
  assert.deepEqual(stored, [{ type: 'delivery', delivery }])
  assert.ok(host.calls.some(({ name }) => name === 'deliveries.accept'))
  const head = await eventually(() => heads.find('crq_1', ada.code), 'the head of Ada')
  assert.deepEqual([head.turn, head.hash], [1, delivery.turns[0]?.hash])
  assert.equal((await ada.records.contact(ada.agent, peer.code)).key, peer.key.publicKey)
  assert.deepEqual(
    (await ada.records.turns(ada.agent, 'crq_1')).map(({ text }) => text),
    ['Hello'],
  )
})

test('deliveries: one that the member could not store is not confirmed and comes again', async (t) => {
  const { clock, host, join } = wirePair(t)
  let isFull = true
  let attempts = 0
  const stored: HostPush[] = []
  const ada = await join('ada', async (push) => {
    attempts += 1
    if (isFull) throw new Error('disk full')
    stored.push(push)
  })
  ada.connect()
  await ada.online()
  const delivery = await makeDelivery(peer, ada.code)
  host.answers['deliveries.accept'] = async () => ({ ok: true, value: delivery.request })
  const first = assert.rejects(host.push(ada.agent, { type: 'delivery', delivery }), /did not confirm/)
  await eventually(() => attempts === 1, 'the first attempt')
  await clock.advance(wireLimits.ackMs)
  await first
  isFull = false
  await host.push(ada.agent, { type: 'delivery', delivery })
  assert.equal(stored.length, 1)
})

test('deliveries: a turn with a wrong, missing or foreign signature does not reach the agent', async (t) => {
  const { clock, host, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  const good = await makeDelivery(peer, ada.code)
  const [turn] = good.turns
  assert.ok(turn)
  const forged = (await makeDelivery({ code: peer.code, key: newKey() }, ada.code)).turns
  const changes: Partial<HostDelivery>[] = [
    { turns: [{ ...turn, text: 'Hallo' }] },
    { turns: [{ ...turn, signature: null }] },
    { turns: forged },
    { turns: [{ ...turn, turn: 2 }] },
  ]
  for (const change of changes) {
    const refused = assert.rejects(host.push(ada.agent, { type: 'delivery', delivery: { ...good, ...change } }))
    await clock.advance(wireLimits.ackMs)
    await refused
  }
  assert.deepEqual(ada.pushes, [])
})

test('deliveries: after a key change nothing is taken until the owner accepts the new key', async (t) => {
  const { clock, host, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  await ada.records.readCard(ada.agent, peer.code, peer.key.publicKey)
  const changed = { code: peer.code, key: newKey() }
  const delivery = await makeDelivery(changed, ada.code)
  host.answers['deliveries.accept'] = async () => ({ ok: true, value: delivery.request })
  const refused = assert.rejects(host.push(ada.agent, { type: 'delivery', delivery }))
  await clock.advance(wireLimits.ackMs)
  await refused
  assert.equal((await ada.records.contact(ada.agent, peer.code)).offered?.key, changed.key.publicKey)
  assert.equal(await ada.records.decideKey(ada.agent, peer.code, changed.key.publicKey, 'owner', true), null)
  await host.push(ada.agent, { type: 'delivery', delivery })
  assert.equal(ada.pushes.length, 1)
})

test('turns: are signed on the way out, and the host refuses one whose signature does not fit', async (t) => {
  const { host, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  host.answers['requests.get'] = async () => ({ ok: true, value: request() })
  host.answers['deliveries.reply'] = async () => ({ ok: true, value: { turn: 1 } })
  const [turn] = await signTalk('crq_1', [{ code: ada.code, key: newKey() }, peer], ['Hi'])
  assert.ok(turn)
  const { previous, hash } = turn
  const reply = { request: 'crq_1', delivery: 'crq_1.d1', text: 'Hi', author: 'agent', asksOwner: false, asksEnd: false } as const
  const link = { turn: 1, previous, hash, signature: null }
  assert.ok((await ada.wired.call(ada.agent, 'deliveries.reply', { ...reply, link })).ok)
  assert.match((host.calls.at(-1)?.input['link'] as { signature: string } | undefined)?.signature ?? '', /^[\w-]+\.\.[\w-]{86}$/)
  assert.equal((await ada.records.turns(ada.agent, 'crq_1')).length, 1)
  const wrong = await ada.wired.call(ada.agent, 'deliveries.reply', { ...reply, text: 'Ho', link })
  assert.ok(!wrong.ok && wrong.refusal.code === 'turn_signature_invalid')
})

test('turns: one that the host took before its answer was lost is kept when the transcript is read', async (t) => {
  const { host, join } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  const key = ada.identities.ofAgent(ada.agent)?.key
  assert.ok(key)
  const [own] = await signTalk('crq_1', [{ code: ada.code, key }, peer], ['Hi'])
  assert.ok(own)
  const { turn, text, previous, hash, signature } = own
  const kept = { turn, text, previous, hash, signature, side: request().side, author: 'agent', at: 0 }
  host.answers['requests.get'] = async () => ({ ok: true, value: request() })
  host.answers['conversations.turns'] = async () => ({ ok: true, value: { turns: [kept] } })
  assert.deepEqual(await ada.records.turns(ada.agent, 'crq_1'), [])
  await ada.wired.call(ada.agent, 'conversations.turns', { request: 'crq_1' })
  assert.deepEqual(
    (await ada.records.turns(ada.agent, 'crq_1')).map((one) => one.text),
    ['Hi'],
  )
  host.answers['conversations.turns'] = async () => ({ ok: true, value: { turns: [kept, { ...kept, turn: 2, text: 'Forged' }] } })
  await ada.wired.call(ada.agent, 'conversations.turns', { request: 'crq_1' })
  assert.equal((await ada.records.turns(ada.agent, 'crq_1')).length, 1)
})

test('keys: after a rotation the member goes on with the new key, and the old one opens nothing', async (t) => {
  const { clock, host, join, links } = wirePair(t)
  const ada = await join('ada')
  ada.connect()
  await ada.online()
  const before = ada.identities.open('ada').key.publicKey
  assert.ok((await ada.wired.rotateKey(ada.agent)).ok)
  const after = ada.identities.open('ada').key.publicKey
  assert.notEqual(after, before)
  assert.equal(Array.from(host.accounts.values())[0]?.key, after)
  links[0]?.cut()
  await clock.advance(5_000)
  await ada.online()
})

test('heads: the head that one side signs reaches the other', async (t) => {
  const { host, join } = wirePair(t)
  const ada = await join('ada')
  const mira = await join('mira')
  ada.connect()
  mira.connect()
  await ada.online()
  await mira.online()
  const miraKey = mira.identities.open('mira').key
  const delivery = await makeDelivery({ code: mira.code, key: miraKey }, ada.code)
  const adaKey = ada.identities.open('ada').key.publicKey
  host.answers['deliveries.accept'] = async () => ({ ok: true, value: delivery.request })
  const ofMira = request({
    side: 'sender',
    counterparty: { displayName: 'Ada', agentCode: ada.code, profile: null, key: adaKey, isOnline: true },
  })
  host.answers['requests.get'] = async () => ({ ok: true, value: ofMira })
  await host.push(ada.agent, { type: 'delivery', delivery })
  const head = await eventually(async () => (await mira.records.head(mira.agent, 'crq_1')).heads[ada.code], 'the head of Ada')
  assert.equal(head.turn, 1)
})

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { fileLimits } from '../../dialogs/rules/message-file.ts'
import { ParleyError } from '../../errors.ts'
import { noHooks } from '../../ports/hooks.ts'
import { noMetrics } from '../../ports/metrics.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { inboundLimits } from '../bindings/inbound-limits.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { isRefusal } from './callers.ts'
import { messageFrom, newWorld, openSide, type SideOptions } from './test/inbound-under-test.ts'

const chat = { channel: 'fake', address: 'a' }

function open(t: TestContext, options: Partial<SideOptions> = {}) {
  const clock = simulatedClock()
  const loopback = loopbackChannel({ now: clock.now, maxLength: 4_000 })
  const world = newWorld()
  const counts: unknown[] = []
  const metrics = { ...noMetrics, count: (...args: unknown[]) => void counts.push(args) }
  const side = openSide({ channel: loopback.channel, clock, world, metrics, ...options })
  t.after(() => Promise.all([side.stop(0), side.box.deliverer.stop(0)]))
  const receive = async (...inbounds: ReturnType<typeof messageFrom>[]): Promise<void> => {
    await side.receive.inbounds('fake', inbounds)
    await clock.advance(100)
  }
  const texts = (address: string) => loopback.sends().flatMap((sent) => (sent.address === address ? [sent.text] : []))
  return { clock, world, side, receive, counts, texts, said: () => world.said.map(({ text, dialog }) => `${dialog}: ${text}`) }
}

test('inbound: each message is counted once with what became of it', async (t) => {
  const { side, receive, counts } = open(t)
  await receive(messageFrom('1', 'stored'))
  await receive(messageFrom('1', 'stored', { isPrivate: false }))
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await receive(messageFrom('2', 'direct'))
  const labels = (outcome: string) => ['inbound_total', 1, { channel: 'fake', type: 'message', outcome }]
  assert.deepEqual(counts, [labels('kept'), labels('seen'), labels('kept')])
})

test('inbound: a direct message that its dialog refuses is stored, and then shown to a person', async (t) => {
  const { side, world, receive, said, counts } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const full = new ParleyError('too_many_waiting', { count: 9 })
  world.faults.push(full, full)
  await receive(messageFrom('1', 'hello'))
  assert.deepEqual(said(), [])
  assert.deepEqual(
    (await side.bindings.unclaimed()).map(({ text }) => text),
    ['hello'],
  )
  assert.deepEqual(counts.at(-1), ['inbound_unclaimed_total', 1, { channel: 'fake' }])
})

test('inbound: a direct message that fails for another reason is reported to its platform, which sends it again', async (t) => {
  const { side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  world.faults.push(new Error('disk'))
  await assert.rejects(side.receive.inbounds('fake', [messageFrom('1', 'hello')]), /disk/)
  await receive(messageFrom('1', 'hello'))
  assert.deepEqual(said(), ['dlg_old: hello'])
})

test('inbound: a message is tried a bounded number of times before it is shown to a person', async (t) => {
  const { clock, side, world, receive, said } = open(t)
  for (let count = 0; count < inboundLimits.tries; count += 1) world.faults.push(new Error('disk'))
  await receive(messageFrom('1', 'hello'))
  await clock.advance(120_000)
  assert.deepEqual(said(), [])
  assert.deepEqual([(await side.bindings.unclaimed()).map(({ why }) => why), world.faults.length], [['disk'], 0])
})

test('inbound: the last try before that still delivers', async (t) => {
  const { clock, world, side, receive, said } = open(t)
  for (let count = 1; count < inboundLimits.tries; count += 1) world.faults.push(new Error('disk'))
  await receive(messageFrom('1', 'hello'))
  await clock.advance(120_000)
  assert.deepEqual([said(), await side.bindings.unclaimed()], [['dlg_1: hello'], []])
})

test('inbound: all messages of an address go to one dialog, and the work ends with the last', async (t) => {
  const { clock, side, receive, said } = open(t, { isStarted: false })
  await receive(messageFrom('1', 'one'), messageFrom('2', 'two'), messageFrom('3', 'three'))
  side.start()
  await clock.advance(100)
  assert.deepEqual(said(), ['dlg_1: one', 'dlg_1: two', 'dlg_1: three'])
  assert.equal(await side.box.store.nextDue('inbound'), null)
})

test('inbound: a stranger is told the code once, and waits until the request expires', async (t) => {
  const { clock, side, receive, texts, said } = open(t, { list: {} })
  await receive(messageFrom('1', 'one'))
  await receive(messageFrom('2', 'two'))
  assert.equal(texts('a').length, 1)
  const due = await side.box.store.nextDue('inbound')
  assert.ok(due !== null && due <= clock.now() + inboundLimits.pairingForMs)
  await clock.advance(inboundLimits.pairingForMs)
  assert.notEqual((await side.bindings.get(chat)).state, 'requested')
  assert.deepEqual([said(), await side.box.store.nextDue('inbound')], [[], null])
})

test('inbound: an accepted stranger is told so, and all pending messages are delivered in order', async (t) => {
  const { clock, side, receive, texts, said } = open(t, { list: {} })
  await receive(messageFrom('1', 'one'))
  await receive(messageFrom('2', 'two'))
  await side.bindings.accept('123456', 'owner')
  await clock.advance(100)
  assert.deepEqual(said(), ['dlg_1: one', 'dlg_1: two'])
  assert.equal(texts('a').length, 2)
})

test('inbound: a code that is in use is not given to a second stranger', async (t) => {
  const { side, receive } = open(t, { list: {} })
  for (const address of ['a', 'b', 'c']) await receive(messageFrom(address, 'hi', { address, from: { id: address, name: address } }))
  const requested = await side.bindings.list('requested')
  assert.equal(requested.length, 3)
  const codes = await Promise.all(
    ['a', 'b', 'c'].map(async (address) => (await side.streams.load(`binding:fake:${address}`)).pairing?.code),
  )
  assert.equal(new Set(codes).size, 3)
})

test('inbound: an answer among several open questions belongs to the one that is replied to', async (t) => {
  const { clock, side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const deliveries = [await side.showQuestion('q_1', chat), await side.showQuestion('q_2', chat)]
  await clock.advance(100)
  await receive(messageFrom('1', 'yes'))
  assert.deepEqual([world.answers, said()], [[], ['dlg_old: yes']], 'it could answer both')
  const [receipt] = (await side.box.get(deliveries[1] ?? '')).receipts
  await receive(messageFrom('2', 'no', { replyTo: receipt?.messageId ?? '' }))
  assert.deepEqual(world.answers, [{ question: 'q_2', option: 'no', by: 'Mia' }])
  await receive(messageFrom('3', 'yes', { replyTo: 'another message' }))
  assert.equal(world.answers.length, 1)
  assert.equal(said().at(-1), 'dlg_old: yes')
})

test('inbound: a private reply to some other message answers no question, not even the only one', async (t) => {
  const { clock, side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await side.showQuestion('q_1', chat)
  await clock.advance(100)
  await receive(messageFrom('1', 'yes', { replyTo: 'another message' }))
  assert.deepEqual([world.answers, said()], [[], ['dlg_old: yes']])
  await receive(messageFrom('2', 'yes'))
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'yes', by: 'Mia' }])
})

test('inbound: a stranger whose request is over gets a new code, also before the end of the first is recorded', async (t) => {
  const { clock, side, receive } = open(t, { list: {}, isStarted: false })
  const getCode = async () => (await side.streams.load('binding:fake:a')).pairing?.code
  await receive(messageFrom('1', 'one'))
  const first = await getCode()
  await receive(messageFrom('2', 'two'))
  assert.deepEqual([typeof first, await getCode()], ['string', first], 'the request is open')
  await clock.advance(inboundLimits.pairingForMs)
  await receive(messageFrom('3', 'three'))
  assert.notEqual(await getCode(), first)
  assert.equal((await side.bindings.get(chat)).state, 'requested')
})

test('inbound: text in a group answers a question only as a reply to it', async (t) => {
  const { clock, side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  const delivery = await side.showQuestion('q_1', chat)
  await clock.advance(100)
  await receive(messageFrom('1', 'yes', { isPrivate: false }))
  assert.deepEqual([world.answers, said()], [[], ['dlg_old: yes']])
  const [receipt] = (await side.box.get(delivery)).receipts
  await receive(messageFrom('2', 'yes', { isPrivate: false, replyTo: receipt?.messageId ?? '' }))
  assert.equal(world.answers.length, 1)
})

test('inbound: an answer that comes too late is said; one that could not be stored is tried again', async (t) => {
  const { clock, side, world, receive, said } = open(t)
  await side.bindings.bind(chat, 'dlg_old', 'owner')
  await side.showQuestion('q_1', chat)
  await clock.advance(100)
  world.faults.push(new ParleyError('question_closed', { question: 'q_1', outcome: 'expired', at: '' }))
  await receive(messageFrom('1', 'yes'))
  assert.deepEqual([world.answers, said()], [[], ['dlg_old: yes']])
  world.faults.push(new ParleyError('busy', {}, { retryable: true }))
  await receive(messageFrom('2', 'no'))
  await clock.advance(60_000)
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'no', by: 'Mia' }])
})

test('a refusal is an error of the rules that another try does not change', () => {
  assert.deepEqual(
    [
      isRefusal(new ParleyError('too_many_waiting', { count: 1 })),
      isRefusal(new ParleyError('busy', {}, { retryable: true })),
      isRefusal(new ParleyError('model_unreachable', { why: '' })),
      isRefusal(new Error('disk')),
    ],
    [true, false, false, false],
  )
})

const note = { kind: 'file' as const, fileId: 'f1', name: 'note.txt' }
const voice = { kind: 'audio' as const, fileId: 'f2', name: 'voice.ogg', mimeType: 'audio/ogg' }

test('inbound: what comes with a message reaches the dialog as files; what cannot be fetched is named', async (t) => {
  const loopback = loopbackChannel()
  loopback.files.set('f1', Buffer.from('three words here'))
  const { receive, said, world } = open(t, { channel: loopback.channel })
  const gone = { kind: 'file' as const, fileId: 'f9', name: 'gone.pdf' }
  const huge = { ...note, name: 'huge.txt', sizeBytes: fileLimits.bytes + 1 }
  await receive(messageFrom('1', 'look', { media: [note, gone, huge] }))
  assert.deepEqual(said(), ['dlg_1: look\n[file: gone.pdf, fake/f9]\n[file: huge.txt, 9.5 MB, fake/f1] <note.txt: three words here>'])
  await receive(messageFrom('1', 'look', { media: [note, gone, huge] }))
  assert.equal(world.files.size, 1, 'a repeated update stores nothing again')
})

test('inbound: a file that the platform gives later delays its message; one that never comes is named', async (t) => {
  const loopback = loopbackChannel()
  let tries = 0
  const busy = { code: 'unreachable' as const, why: 'no answer', retryable: true, maybeSent: false }
  const download: typeof loopback.channel.download = async () => {
    tries += 1
    return { failure: busy }
  }
  const { clock, receive, said } = open(t, { channel: { ...loopback.channel, download } })
  await receive(messageFrom('1', 'look', { media: [note] }))
  assert.deepEqual(said(), [], 'it waits')
  for (let minute = 0; minute < 30; minute += 1) await clock.advance(60_000)
  assert.deepEqual(said(), ['dlg_1: look\n[file: note.txt, fake/f1]'])
  assert.equal(tries, inboundLimits.tries)
})

test('inbound: a plugin writes down a voice message', async (t) => {
  const loopback = loopbackChannel()
  loopback.files.set('f2', Buffer.from('OggS'))
  const hooks = { ...noHooks, transcribe: async ({ name, kind }: { name: string; kind: string }) => `${name} by ${kind}: call me` }
  const { receive, said } = open(t, { channel: loopback.channel, hooks })
  await receive(messageFrom('1', '', { media: [voice] }))
  assert.deepEqual(said(), ['dlg_1: <voice.ogg: OggS, voice.ogg by fake: call me>'])
})

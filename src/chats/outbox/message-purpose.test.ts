import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutgoingMessage } from '../../ports/hooks.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { findPurpose } from './message-purpose.ts'
import { loopbackChannel } from './test/loopback-channel.ts'
import { openOutbox } from './test/outbox-under-test.ts'

const leave: ReplyPayload = {
  presentation: {
    blocks: [
      {
        type: 'buttons',
        buttons: [{ label: 'Allow', action: { type: 'approval', approvalId: 'q_1', approvalKind: 'exec', decision: 'allow-once' } }],
      },
    ],
  },
}

test('findPurpose: names every kind of message, and none by which people allow something', () => {
  const of = (about: string | null, more: { reply?: object; isDraft?: boolean; message?: ReplyPayload } = {}) =>
    findPurpose({ about, reply: null, isDraft: false, message: { text: 'x' }, ...more })
  const reply = { dialog: 'dlg_1', turn: 1 }
  assert.deepEqual(
    [of(null, { reply }), of(null, { reply, isDraft: true }), of('question:q_1'), of('dialog:dlg_1'), of('sent:owner')],
    ['reply', 'draft', 'question', 'sent', 'sent'],
  )
  assert.deepEqual([of(null), of('unknown:dlv_1'), of('failure:dlg_1:2')], ['notice', 'notice', 'notice'])
  assert.deepEqual([of('approvals:q_1'), of('pairing:fake:a'), of('plugin:words')], [null, null, null])
  assert.equal(of('question:q_1', { message: leave }), null)
})

function open() {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const outgoing: string[] = []
  const prepare = async ({ purpose, message }: Omit<OutgoingMessage, 'kind'>): Promise<ReplyPayload> => {
    outgoing.push(`${purpose} ${message.text ?? ''}`)
    return { ...message, text: `«${message.text ?? ''}»` }
  }
  const box = openOutbox({ channel: fake.channel, clock, preparing: { isOn: () => true, prepare } })
  return { clock, fake, box, outgoing }
}

test('a message is prepared when it is planned and when it is replaced, and only once for each name', async () => {
  const { clock, fake, box, outgoing } = open()
  const at = { channel: 'fake', address: 'a' }
  const plan = { ...at, message: { text: 'Hello' }, once: 'reply', reply: { dialog: 'dlg_1', turn: 1 } }
  const { delivery } = await box.plan(plan)
  await box.plan(plan)
  await clock.advance(100)
  assert.equal(fake.screen.get('m1')?.text, '«Hello»')
  await box.edit(delivery, { text: 'Better' })
  await clock.advance(100)
  assert.equal(fake.screen.get('m1')?.text, '«Better»')
  assert.deepEqual(outgoing, ['reply Hello', 'reply Better'])
  const dry = await box.dryRun(at, { text: 'Dry' }, fake.channel)
  assert.match(JSON.stringify(dry.requests), /«Dry»/)
})

test('a card of an approval goes out as it was made, also when it is closed', async () => {
  const { clock, fake, box, outgoing } = open()
  const { delivery } = await box.plan({ channel: 'fake', address: 'a', message: { text: 'run rm -rf' }, about: 'approvals:q_1' })
  await clock.advance(100)
  await box.edit(delivery, { text: 'allowed' })
  await clock.advance(100)
  assert.equal(fake.screen.get('m1')?.text, 'allowed')
  assert.deepEqual(outgoing, [])
})

test('a draft is prepared as it grows', async () => {
  const { clock, fake, box, outgoing } = open()
  const preview = box.preview({ channel: 'fake', address: 'a', reply: { dialog: 'dlg_1', turn: 1, isDraft: true } })
  preview.show('one')
  await clock.advance(100)
  preview.show('one two')
  await clock.advance(5_000)
  assert.equal(fake.screen.get('m1')?.text, '«one two»')
  await preview.finish({ text: 'done' })
  await clock.advance(100)
  assert.equal(fake.screen.get('m1')?.text, '«done»')
  assert.deepEqual(outgoing, ['draft one', 'draft one two', 'reply done'])
})

const button = (label: string, value: string, reusable = true) => ({ label, action: { type: 'callback' as const, value }, reusable })

test('strip: takes the buttons of one author, and leaves those of others', async () => {
  const { clock, fake, box } = open()
  const message: ReplyPayload = {
    text: 'x',
    presentation: { blocks: [{ type: 'buttons', buttons: [button('Weather', 'weather', false), button('Continue', 'own:1')] }] },
  }
  await box.plan({ channel: 'fake', address: 'a', message })
  await clock.advance(100)
  const isOwn = (action: { type: string; value?: string }): boolean => action.value?.startsWith('own:') ?? false
  const labels = () => fake.screen.get('m1')?.labels
  assert.deepEqual(labels(), ['Weather', 'Continue'])
  await box.strip({ channel: 'fake', address: 'a', messageId: 'm1', isOwn })
  await clock.advance(100)
  assert.deepEqual(labels(), ['Weather'])
})

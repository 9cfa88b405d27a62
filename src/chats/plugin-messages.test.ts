import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../shapes/parley.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { loopbackChannel } from './outbox/test/loopback-channel.ts'
import { openOutbox } from './outbox/test/outbox-under-test.ts'
import { pluginMessages } from './plugin-messages.ts'

function open() {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const outbox = openOutbox({ channel: fake.channel, clock })
  const said: { dialog: string; text: string; caller: Caller }[] = []
  const connections = { list: () => [{ name: 'fake', kind: 'fake', channel: fake.channel }] } as never
  const say = async (dialog: string, text: string, caller: Caller) => (
    said.push({ dialog, text, caller }),
    { dialog, message: 'msg', seq: 1 }
  )
  return { clock, fake, outbox, said, plugins: pluginMessages({ connections, outbox, parley: { dialogs: { say } } }) }
}

test('a plugin sends once for each name, and edits only what it sent itself', async () => {
  const { clock, fake, outbox, plugins } = open()
  const message = { channel: 'fake', target: 'a', message: { text: 'It rains' }, once: 'monday' }
  const { delivery } = await plugins.send('weather', message)
  assert.deepEqual(await plugins.send('weather', message), { delivery })
  const other = await plugins.send('words', message)
  await clock.advance(2_000)
  assert.equal(fake.sends().length, 2)
  await plugins.edit('weather', delivery, { text: 'It stopped' })
  await clock.advance(2_000)
  assert.equal(fake.screen.get('m1')?.text, 'It stopped')
  await assert.rejects(plugins.edit('weather', other.delivery, { text: 'x' }), { code: 'message_not_ours' })
  const reply = await outbox.plan({ channel: 'fake', address: 'a', message: { text: 'Hello' } })
  await assert.rejects(plugins.edit('weather', reply.delivery, { text: 'x' }), { code: 'message_not_ours' })
  await assert.rejects(plugins.send('weather', { ...message, channel: 'nowhere' }), { code: 'channel_not_found' })
})

test('a plugin speaks in a dialog as a guest with its name', async () => {
  const { said, plugins } = open()
  await plugins.say('weather', { dialog: 'dlg_1', text: 'It rains', once: 'monday' })
  const [{ caller } = { caller: null }] = said
  assert.deepEqual([caller?.by, caller?.via], [{ kind: 'human', id: 'plugin:weather', name: 'weather', role: 'guest' }, 'plugin'])
  assert.equal(caller?.once?.key, 'plugin:weather:monday')
})

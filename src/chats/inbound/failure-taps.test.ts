import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { aboutFailure, failureMessage } from '../announce/failure-message.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { newWorld, openSide, tapOn } from './test/inbound-under-test.ts'
import { readTapMeaning } from './tap-meaning.ts'

/** A message about turn 3 of `failed` in the chat that is bound to `dlg_1`. */
async function open(failed: string, notify: string[] = []) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const world = newWorld()
  world.failed.set(failed, 3)
  const side = openSide({ channel: fake.channel, clock, world, notify })
  await side.bindings.bind({ channel: 'fake', address: 'a' }, 'dlg_1', 'owner')
  const message = failureMessage('en', { why: 'The model is overloaded.', agent: failed === 'dlg_1' ? null : 'bob' })
  await side.box.plan({ channel: 'fake', address: 'a', message, about: aboutFailure(failed, 3) })
  await clock.advance(10)
  const [retry = '', giveUp = ''] = fake.screen.get('m1')?.controls ?? []
  let taps = 0
  const tap = async (value: string): Promise<string | null> => {
    taps += 1
    await side.receive.inbounds('fake', [tapOn(`${taps}`, 'm1', value)])
    await clock.advance(10)
    return fake.toasts.at(-1)?.toast ?? null
  }
  return { fake, world, retry, giveUp, tap }
}

test('a guest retries the dialog of the chat, and cannot give it up', async () => {
  const { fake, world, retry, giveUp, tap } = await open('dlg_1')
  assert.match(fake.screen.get('m1')?.text ?? '', /^The model is overloaded\. Send another message/)
  assert.match((await tap(giveUp)) ?? '', /the owner/)
  assert.deepEqual(world.failures, [])
  assert.equal(await tap(retry), '✓ Retry')
  assert.deepEqual(world.failures, [{ dialog: 'dlg_1', verb: 'retry', by: 'Mia' }])
  assert.deepEqual(fake.screen.get('m1')?.controls, [])
})

test('an owner decides about a side dialog, a guest does not', async () => {
  const guest = await open('dlg_side')
  assert.match((await guest.tap(guest.retry)) ?? '', /the owner/)
  assert.deepEqual(guest.world.failures, [])
  const { fake, world, giveUp, tap } = await open('dlg_side', ['a'])
  assert.equal(fake.screen.get('m1')?.text, 'bob could not finish a request. The model is overloaded.')
  assert.equal(await tap(giveUp), '✓ Give up')
  assert.deepEqual(world.failures, [{ dialog: 'dlg_side', verb: 'give-up', by: 'Mia' }])
})

test('a failure that is over, or another turn, is left alone', async () => {
  for (const turn of [undefined, 4]) {
    const { world, retry, tap } = await open('dlg_1')
    world.failed.clear()
    if (turn !== undefined) world.failed.set('dlg_1', turn)
    assert.equal(await tap(retry), 'This is no longer open.')
    assert.deepEqual(world.failures, [])
  }
})

test('the values of an agent do not decide about failures', () => {
  const meant = (about: string | null) => readTapMeaning('failure:retry', about).type
  assert.deepEqual([meant(null), meant('dialog:dlg_1'), meant('failure:dlg_1:x'), meant('failure:dlg_1:3')], [
    'callback',
    'callback',
    'callback',
    'failure',
  ]) // prettier-ignore
})

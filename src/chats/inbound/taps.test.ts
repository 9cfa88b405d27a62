import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MayTap } from '../outbox/delivery-events.ts'
import { deliveryLimits } from '../outbox/delivery-limits.ts'
import { ParleyError } from '../../errors.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { countedIds } from '../../testing/counted-ids.ts'
import { type CrashPoint, SimulatedCrash, crashingStore } from '../../testing/crashing-store.ts'
import { type Hooks, noHooks } from '../../ports/hooks.ts'
import { noMetrics } from '../../ports/metrics.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { messageFrom, newWorld, openSide, tapOn, yesOrNo } from './test/inbound-under-test.ts'

const question: ReplyPayload = {
  text: 'Ship it?',
  presentation: {
    blocks: [
      {
        type: 'buttons',
        buttons: [
          { label: 'Yes', action: { type: 'question', questionId: 'q_1', optionValue: 'yes' } },
          { label: 'No', action: { type: 'question', questionId: 'q_1', optionValue: 'no' } },
        ],
      },
    ],
  },
}

async function open(message: ReplyPayload = question, options: { mayTap?: MayTap; about?: string; hooks?: Hooks } = {}) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const world = newWorld()
  const side = openSide({ channel: fake.channel, clock, world, ...(options.hooks && { hooks: options.hooks }) })
  const { delivery } = await side.box.plan({
    channel: 'fake',
    address: 'a',
    message,
    about: options.about ?? 'question:q_1',
    ...(options.mayTap && { mayTap: options.mayTap }),
  })
  await clock.advance(10)
  const controls = fake.screen.get('m1')?.controls ?? []
  const tap = async (id: string, value: string, more: Parameters<typeof tapOn>[3] = {}): Promise<string | null> => {
    await side.receive.inbounds('fake', [tapOn(id, 'm1', value, more)])
    await clock.advance(10)
    return fake.toasts.at(-1)?.toast ?? null
  }
  return { clock, fake, world, side, delivery, controls, tap }
}

test('buttons carry only opaque tokens', async () => {
  const { controls } = await open()
  assert.equal(controls.length, 2)
  for (const value of controls) assert.match(value, /^p1:t:[\w-]{16}$/)
})

test('a tap gets a toast, answers the question, and removes the controls unless the message is closed before', async () => {
  const { clock, fake, world, controls, tap } = await open()
  assert.equal(await tap('1', controls[0] ?? ''), '✓ Yes')
  assert.deepEqual(world.answers, [{ question: 'q_1', option: 'yes', by: 'Mia' }])
  assert.equal(fake.screen.get('m1')?.controls.length, 2)
  await clock.advance(deliveryLimits.closesWithinMs)
  assert.deepEqual(fake.screen.get('m1')?.controls, [])
  assert.equal(fake.screen.get('m1')?.text, 'Ship it?')
})

test('a button of a plugin reaches that plugin after it was checked, once', async () => {
  const action = { type: 'plugin' as const, plugin: 'words', value: 'more' }
  const message: ReplyPayload = { text: 'x', presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'More', action }] }] } }
  const asked: string[] = []
  const actionTapped: Hooks['actionTapped'] = async ({ plugin, value, from }) => {
    asked.push(`${plugin} ${value} ${from.name}`)
    return { toast: 'Coming', act: async () => void asked.push('acted') }
  }
  const { controls, tap } = await open(message, { about: 'sent:owner', mayTap: ['7'], hooks: { ...noHooks, actionTapped } })
  const [token = ''] = controls
  assert.match(token, /^p1:t:/)
  assert.match((await tap('0', token, { from: { id: '8', name: 'Tom' } })) ?? '', /for another person/)
  // The value itself, which a client may have made up, is no button that was sent.
  assert.match((await tap('1', 'p1:g:words:more')) ?? '', /not sent by me/)
  assert.equal(await tap('2', token), 'Coming')
  assert.match((await tap('3', token)) ?? '', /already used by Mia/)
  assert.deepEqual(asked, ['words more Mia', 'acted'])
})

test('a button of a plugin that is gone has expired', async () => {
  const action = { type: 'plugin' as const, plugin: 'gone', value: 'more' }
  const message: ReplyPayload = { text: 'x', presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'More', action }] }] } }
  const { controls, tap } = await open(message, { about: 'sent:owner' })
  assert.match((await tap('1', controls[0] ?? '')) ?? '', /expired/)
})

test('the toast comes before the action', async () => {
  const { fake, world, controls, tap } = await open()
  let answersAtToast = -1
  fake.hooks.before = ({ operation }) => {
    if (operation === 'toast') answersAtToast = world.answers.length
  }
  await tap('1', controls[0] ?? '')
  assert.equal(answersAtToast, 0)
  assert.equal(world.answers.length, 1)
})

test('a double tap, a tap on the other button and a repeated update change nothing', async () => {
  const { side, clock, fake, world, controls, tap } = await open()
  await side.receive.inbounds('fake', [
    tapOn('1', 'm1', controls[0] ?? ''),
    tapOn('2', 'm1', controls[1] ?? ''),
    tapOn('1', 'm1', controls[0] ?? ''),
  ])
  await clock.advance(10)
  assert.equal(world.answers.length, 1)
  assert.equal(fake.toasts.length, 2)
  assert.match(fake.toasts.map(({ toast }) => toast).join('|'), /already used by Mia/)
  assert.equal((await tap('1', controls[0] ?? '')) === null, false)
  assert.equal(fake.toasts.length, 2)
})

test('taps by other people, forged data, other addresses and other messages are refused', async () => {
  const { world, controls, tap, fake } = await open(question, { mayTap: ['7'] })
  const value = controls[0] ?? ''
  assert.match((await tap('1', value, { from: { id: '8', name: 'Eve' } })) ?? '', /another person/)
  assert.match((await tap('2', 'p1:t:AAAAAAAAAAAAAAAA')) ?? '', /not sent by me/)
  assert.match((await tap('3', 'p1:q:q_1:yes')) ?? '', /not sent by me/)
  assert.match((await tap('4', value, { address: 'b' })) ?? '', /not sent by me/)
  assert.match((await tap('5', value, { messageId: 'm9' })) ?? '', /not sent by me/)
  assert.match((await tap('6', value, { from: { id: '8', name: 'Eve', language: 'zh-hans' } })) ?? '', /给其他人/)
  assert.deepEqual(world.answers, [])
  assert.equal(fake.screen.get('m1')?.controls.length, 2)
})

test('an expired button is refused, also after a restart', async () => {
  const { clock, fake, world, side, controls } = await open()
  // Advancing the clock is free while nothing runs.
  await Promise.all([side.stop(0), side.box.deliverer.stop(0)])
  await clock.advance(deliveryLimits.controlsForMs + 1_000)
  const later = openSide({ channel: fake.channel, clock, world, store: side.box.store })
  await later.receive.inbounds('fake', [tapOn('7', 'm1', controls[0] ?? '')])
  await clock.advance(10)
  assert.match(fake.toasts.at(-1)?.toast ?? '', /has expired/)
  assert.deepEqual(world.answers, [])
})

test('a tap on a question that was answered elsewhere says by whom and changes nothing', async () => {
  const { world, controls, tap } = await open()
  const closed = { at: 1, by: 'Ada', via: 'page', answers: { ship: 'no' }, reason: null }
  world.questions.set('q_1', { view: { ...yesOrNo('q_1'), state: 'answered', closed }, mayAnswer: 'everyone' })
  assert.equal(await tap('1', controls[0] ?? ''), 'Ada already answered this.')
  assert.deepEqual(world.answers, [])
})

test('an answer that comes too late is no failure', async () => {
  const { side, world, controls, tap } = await open()
  world.faults.push(new ParleyError('already_answered', { by: 'Ada', at: 'now' }))
  assert.equal(await tap('1', controls[0] ?? ''), '✓ Yes')
  assert.deepEqual(world.answers, [])
  assert.equal(await side.box.store.nextDue('tap'), null)
})

test('an action that fails is retried, and happens once', async () => {
  const { clock, world, controls, tap } = await open()
  world.faults.push(new Error('disk'), new Error('disk'))
  await tap('1', controls[0] ?? '')
  await clock.advance(60_000)
  assert.equal(world.answers.length, 1)
})

const callbacks: ReplyPayload = {
  text: 'Lamp',
  presentation: {
    blocks: [
      {
        type: 'buttons',
        buttons: [
          { label: 'Toggle', value: 'lamp:toggle', reusable: true },
          { label: 'Sell', value: 'lamp:sell' },
          { label: 'Run', action: { type: 'command', command: '/status' } },
        ],
      },
    ],
  },
}

test('a reusable control stays, also after the others are removed', async () => {
  const { fake, world, controls, tap } = await open(callbacks, { about: 'dialog:dlg_asker' })
  await tap('1', controls[0] ?? '')
  await tap('2', controls[0] ?? '')
  assert.equal(fake.screen.get('m1')?.controls.length, 3)
  await tap('3', controls[1] ?? '')
  assert.deepEqual(fake.screen.get('m1')?.controls, [controls[0]])
  await tap('4', controls[0] ?? '')
  assert.match((await tap('5', controls[1] ?? '')) ?? '', /already used/)
  assert.deepEqual(
    world.said.map(({ text }) => text),
    ['Toggle', 'Toggle', 'Sell', 'Toggle'].map((label) => `${label}\n[button: lamp:${label.toLowerCase()}]`),
  )
})

test('links stay when the control beside them is used', async () => {
  const { fake, controls, tap } = await open({
    text: 'Disk',
    presentation: {
      blocks: [
        {
          type: 'buttons',
          buttons: [
            { label: 'Clean up', value: 'clean' },
            { label: 'Open', url: 'https://example.org/disk' },
          ],
        },
      ],
    },
  })
  await tap('1', controls[0] ?? '')
  assert.deepEqual(fake.screen.get('m1')?.controls, ['https://example.org/disk'])
  assert.match((await tap('2', controls[0] ?? '')) ?? '', /already used/)
})

test('a tap that always fails is moved to the inbox', async () => {
  const { clock, side, world, controls, tap } = await open()
  world.faults.push(...Array.from({ length: 50 }, () => new Error('broken')))
  await tap('1', controls[0] ?? '')
  await clock.advance(20 * 60_000)
  assert.deepEqual(
    (await side.bindings.unclaimed()).map(({ text }) => text),
    ['Yes'],
  )
  assert.equal(await side.box.store.nextDue('tap'), null)
})

test('a callback is said in the dialog of its address, or moved to the inbox; a command is said', async () => {
  const { clock, side, world, controls, tap } = await open(callbacks)
  await tap('1', controls[0] ?? '')
  assert.deepEqual(
    (await side.bindings.unclaimed()).map(({ text }) => text),
    ['Toggle\n[button: lamp:toggle]'],
  )
  await side.receive.inbounds('fake', [messageFrom('1', 'hello')])
  await clock.advance(10)
  await tap('2', controls[0] ?? '')
  await tap('3', controls[2] ?? '')
  assert.deepEqual(
    world.said.map(({ text }) => text),
    ['hello', 'Toggle\n[button: lamp:toggle]', '/status'],
  )
})

test('a callback goes to the dialog whose agent sent the button, not to that of the address', async () => {
  const { clock, side, world, controls, tap } = await open(callbacks, { about: 'dialog:dlg_asker' })
  await side.receive.inbounds('fake', [messageFrom('1', 'hello')])
  await clock.advance(10)
  await tap('2', controls[1] ?? '')
  assert.deepEqual(
    world.said.map(({ dialog, text }) => [dialog, text]),
    [
      ['dlg_1', 'hello'],
      ['dlg_asker', 'Sell\n[button: lamp:sell]'],
    ],
  )
})

test('a tap on a reply is given to its dialog, and said there once its message is not known any more', async () => {
  const reply: ReplyPayload = {
    text: 'Disk is full.',
    presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'Clean up', value: 'clean', reusable: true }] }] },
  }
  const { world, controls, tap } = await open(reply, { about: 'shown:dlg_9:msg_1,msg_2' })
  world.shown.add('msg_2')
  await tap('1', controls[0] ?? '')
  world.shown.clear()
  await tap('2', controls[0] ?? '')
  assert.deepEqual(world.said, [
    { dialog: 'dlg_9', text: 'tap msg_2 clean', by: 'Mia' },
    { dialog: 'dlg_9', text: 'Clean up\n[button: clean]', by: 'Mia' },
  ])
})

test('killed at any commit between sending and a double tap: one answer, no controls, no work left', async () => {
  let points = 0
  for (let commit = 1; ; commit += 1) {
    const crashed = [await play({ when: 'before', commit }), await play({ when: 'after', commit })]
    if (!crashed.includes(true)) break
    points += 1
  }
  assert.ok(points >= 6, `only ${points} commit points were met`)
})

async function play(point: CrashPoint): Promise<boolean> {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const fake = loopbackChannel({ now: clock.now, delivery: { idempotency: { keyForMs: 5 * 60_000 } } })
  const world = newWorld()
  const ids = countedIds()
  let store = crashingStore(memoryStore({ clock, backing }), point)
  let side = openSide({ channel: fake.channel, clock, world, store, ids })
  let crashed = false
  const restart = async (): Promise<void> => {
    crashed = true
    void side.stop(0)
    void side.box.deliverer.stop(0)
    store = crashingStore(memoryStore({ clock, backing }), { when: 'before', commit: Infinity })
    side = openSide({ channel: fake.channel, clock, world, store, ids })
  }
  const surely = async (act: () => Promise<unknown>): Promise<void> => {
    await act().catch(async (error: unknown) => {
      if (!(error instanceof SimulatedCrash)) throw error
      await restart()
      await act()
    })
    for (let waits = 0; waits < 30; waits += 1) {
      await clock.advance(500)
      if (store.crashed) await restart()
    }
  }
  await surely(() => side.box.plan({ channel: 'fake', address: 'a', message: question, once: 'q_1' }))
  const [yes = '', no = ''] = fake.screen.get('m1')?.controls ?? []
  // The platform tells again what was not acknowledged.
  await surely(() => side.receive.inbounds('fake', [tapOn('1', 'm1', yes), tapOn('2', 'm1', no)]))
  assert.equal(world.answers.length, 1)
  assert.deepEqual(fake.screen.get('m1')?.controls, [])
  assert.equal(fake.sends().length, 1)
  assert.equal(await store.nextDue('tap'), null)
  assert.equal(await store.nextDue('deliver'), null)
  void side.stop(0)
  void side.box.deliverer.stop(0)
  return crashed
}

test('a tap that is tried again is counted once', async () => {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const world = newWorld()
  const counted: unknown[][] = []
  const metrics = { ...noMetrics, count: (...args: unknown[]) => void counted.push(args) }
  const side = openSide({ channel: fake.channel, clock, world, metrics })
  await side.box.plan({ channel: 'fake', address: 'a', message: question, about: 'question:q_1' })
  await clock.advance(10)
  world.faults.push(new Error('disk'))
  await side.receive.inbounds('fake', [tapOn('1', 'm1', fake.screen.get('m1')?.controls[0] ?? '')])
  await clock.advance(10)
  const counts = () => counted.filter(([name]) => name === 'taps_total')
  const once = [['taps_total', 1, { channel: 'fake', outcome: 'taken' }]]
  assert.deepEqual([world.answers.length, counts()], [0, once])
  await clock.advance(60_000)
  assert.deepEqual([world.answers.length, counts()], [1, once])
})

test('a repeated tap is recorded once, and counted as seen', async () => {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const counted: unknown[][] = []
  const metrics = { ...noMetrics, count: (...args: unknown[]) => void counted.push(args) }
  const side = openSide({ channel: fake.channel, clock, world: newWorld(), metrics, isStarted: false })
  const tap = tapOn('1', 'm1', 'x')
  for (const inbounds of [[tap], [tap]]) await side.receive.inbounds('fake', inbounds)
  const outcome = (name: string) => ['inbound_total', 1, { channel: 'fake', type: 'tap', outcome: name }]
  assert.deepEqual(counted, [outcome('kept'), outcome('seen')])
  assert.equal(await side.box.store.nextDue('tap'), clock.now())
})

test('a platform that does not say which message was tapped: the token alone decides', async () => {
  const { world, controls, tap } = await open()
  assert.equal(await tap('1', controls[0] ?? '', { messageId: '' }), '✓ Yes')
  assert.equal(world.answers.length, 1)
  await tap('2', controls[1] ?? '', { messageId: '' })
  assert.equal(world.answers.length, 1)
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/ports/clock.ts'
import { randomIds } from '../../src/ports/ids.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { loopbackChannel } from '../../src/chats/outbox/test/loopback-channel.ts'
import { messageFrom, newWorld, openSide, tapOn } from '../../src/chats/inbound/test/inbound-under-test.ts'
import { eventually } from '../fixtures/eventually.ts'

const until = (look: () => boolean): Promise<true> => eventually(look, 'the delivery')

test('on disk: order, receipts and buttons outlive the process', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-outbox-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const fake = loopbackChannel()
  const world = newWorld()
  const open = () =>
    openSide({
      channel: fake.channel,
      clock: systemClock,
      world,
      ids: randomIds,
      store: sqliteStore({ path: join(folder, 'parley.db') }),
    })
  const close = async (side: ReturnType<typeof open>): Promise<void> => {
    await Promise.all([side.stop(1_000), side.box.deliverer.stop(1_000)])
    await side.box.store.close()
  }

  const first = open()
  const words = Array.from({ length: 20 }, (_, index) => `message ${index}`)
  for (const text of words) await first.box.plan({ channel: 'fake', address: 'a', message: { text } })
  const presentation = { blocks: [{ type: 'buttons' as const, buttons: [{ label: 'Go', value: 'go' }] }] }
  await first.box.plan({ channel: 'fake', address: 'b', message: { text: 'Ready?', presentation }, about: 'dialog:dlg_asker' })
  await until(() => fake.sends().length === 21)
  await close(first)
  assert.deepEqual(
    fake.sends().flatMap(({ address, text }) => (address === 'a' ? [text] : [])),
    words,
  )

  const second = open()
  const questionSend = fake.sends().find(({ address }) => address === 'b')
  await second.receive.inbounds('fake', [
    tapOn('1', questionSend?.id ?? '', questionSend?.controls[0] ?? '', { address: 'b' }),
    messageFrom('2', 'hello'),
  ])
  await until(() => world.said.length === 2 && fake.screen.get(questionSend?.id ?? '')?.controls.length === 0)
  assert.equal((await second.box.list({ state: 'sent', limit: 50 })).length, 21)
  await close(second)
})

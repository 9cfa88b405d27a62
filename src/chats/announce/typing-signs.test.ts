import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Channel } from '../../ports/channel.ts'
import type { Hints } from '../../ports/store.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import type { Signals } from '../outbox/signals.ts'
import { typingLimits, typingSigns } from './typing-signs.ts'

type Listen = Parameters<Hints['onStream']>[0]

function signsUnderTest(): {
  clock: ReturnType<typeof simulatedClock>
  sent: string[]
  happens: (type: string, data?: object) => void
  happensElsewhere: (stillWorking: boolean) => void
  close(): void
} {
  const clock = simulatedClock()
  const texts: string[] = []
  let listen: Listen = () => {}
  let isWorking = true
  const hints: Hints = {
    onStream: (heard) => {
      listen = heard
      return () => {
        listen = () => {}
      }
    },
    onWork: () => () => {},
    onDelta: () => () => {},
    publish: () => {},
  }
  const channel = {
    operations: { typing: (address: string) => ({ operation: 'typing', body: { address } }) },
  } as unknown as Channel
  const signals: Signals = {
    async send(_channel, address) {
      texts.push(address)
      return { receipt: { address, messageIds: [], at: 0 } }
    },
  }
  const { close } = typingSigns({
    hints,
    clock,
    signals,
    channels: { get: (name) => (name === 'telegram' ? channel : undefined) },
    listPlaces: async (dialog) => (dialog === 'dlg_bound' ? [{ channel: 'telegram', address: '7' }] : []),
    isWorking: async () => isWorking,
  })
  const happens = (type: string, data: object = {}, stream = 'dlg_bound'): void =>
    listen(stream, 1, [{ stream, seq: 1, position: 1, at: 0, type, data }])
  /** Another process has written: its hint brings no events. */
  const happensElsewhere = (stillWorking: boolean): void => {
    isWorking = stillWorking
    listen('dlg_bound', 2)
  }
  return { clock, sent: texts, happens, happensElsewhere, close }
}

const human = { by: { kind: 'human', name: 'Mia' } }

test('a quick reply needs no sign; a slow one shows it until the turn ends', async () => {
  const { clock, sent, happens, close } = signsUnderTest()
  happens('message.said', human)
  await clock.advance(typingLimits.afterMs - 1)
  happens('turn.finished')
  await clock.advance(60_000)
  assert.deepEqual(sent, [])
  happens('message.said', human)
  await clock.advance(typingLimits.afterMs + typingLimits.everyMs)
  assert.deepEqual(sent, ['7', '7'])
  happens('turn.finished')
  await clock.advance(60_000)
  assert.equal(sent.length, 2)
  close()
})

test('it does not go on for ever, and ends when Parley does', async () => {
  const { clock, sent, happens, close } = signsUnderTest()
  happens('message.said', human)
  await clock.advance(typingLimits.longestMs + 60_000)
  const most = sent.length
  assert.ok(most > 10)
  await clock.advance(typingLimits.longestMs)
  assert.equal(sent.length, most)
  happens('message.said', human)
  close()
  await clock.advance(60_000)
  assert.equal(sent.length, most)
})

test('a turn that ends in another process ends the sign', async () => {
  const { clock, sent, happens, happensElsewhere, close } = signsUnderTest()
  happens('message.said', human)
  await clock.advance(typingLimits.afterMs)
  happensElsewhere(true)
  await clock.advance(typingLimits.everyMs)
  assert.equal(sent.length, 2)
  happensElsewhere(false)
  await clock.advance(typingLimits.everyMs * 3)
  assert.equal(sent.length, 2)
  close()
})

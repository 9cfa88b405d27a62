import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endLabels, endToasts } from '../../packages/reply-end/src/labels.ts'
import type { Trouble } from '../../src/testing/telegram-emulator/faults.ts'
import { repetitions } from '../fixtures/campaign.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const { en } = endLabels
/** Between two kills. `npm test` leaves out every second commit. */
const commits = repetitions(2, 1)
const killed = commits === 1 ? 'killed after every commit' : 'killed after every second commit'
const firstCommits = repetitions(5, 8)
let server: TelegramServer
/** People who were answered, for the taps. */
const answered: Friend[] = []

before(async () => {
  server = await TelegramServer.open({ killsAtCommits: true })
})
after(() => server.close())

type Step = { isOver: () => boolean | Promise<boolean>; check: () => Promise<void> }

/** Ends the process after the first commit of a step, then after a later one, and so on, until the step is over before that. */
async function atCommits(step: (number: number) => Step, most = 40): Promise<number> {
  let kills = 0
  for (let number = 1; number <= most; number += commits) {
    await server.killAfterCommits(number)
    const { isOver, check } = step(number)
    const gone = server.gone().then(() => 'gone' as const)
    const how = await eventually(async () => {
      const match = await Promise.race([gone, isOver()])
      return match === true ? 'over' : match
    }, 'the end of the step, or of the process')
    // Its very last commit may come after everything can be seen.
    const isUp = how === 'over' && (await server.killAfterCommits(Infinity))
    if (!isUp) await server.start()
    await check()
    if (isUp) break
    kills += 1
  }
  return kills
}

test(`a message and its reply, ${killed}`, async (t) => {
  let unknown = 0
  const kills = await atCommits((number) => {
    const friend = server.friend()
    const { mia, chat } = friend
    const words = `message ${number}`
    server.telegram.say(chat, mia, words)
    const there = () => server.replies(chat).filter(({ text }) => text.startsWith('Heard'))
    return {
      // The last thing that is kept of it is that it arrived.
      isOver: async () => (await server.deliveries(chat, 'sent')).length > 0,
      async check() {
        const delivery = await eventually(async () => {
          const [found] = await server.deliveries(chat)
          return found && found.state !== 'waiting' && found
        }, `the reply to ${words}`)
        assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), [words], 'kept, and once')
        if (delivery.state === 'unknown') {
          unknown += 1
          assert.ok(there().length <= 1)
          // It is not sent again automatically; a person may retry it.
          if (there().length === 0) await server.client().deliveries.retry(delivery.id)
        } else assert.equal(delivery.state, 'sent')
        await eventually(() => there().length === 1, `one reply to ${words}`)
        assert.equal(there()[0]?.text, `Heard: ${words}. Shall I go on?`)
        assert.equal((await server.deliveries(chat)).length, 1)
        answered.push(friend)
      },
    }
  })
  assert.ok(kills > 3 && kills < 40 && unknown > 0, `${kills} kills, ${unknown} unknown`)
  t.diagnostic(`${kills} kills, ${unknown} of them while it was being sent`)
})

test(`a tap, ${killed}`, async (t) => {
  const kills = await atCommits(() => {
    const friend = answered.shift() ?? assert.fail('too few people')
    const { mia, chat } = friend
    const [reply] = server.replies(chat)
    const message = reply?.id ?? 0
    const query = server.telegram.tap(chat, mia, message, en.stop)
    const isBare = () => server.seen(chat, message).keyboard.length === 0
    return {
      isOver: () => isBare() && server.said.includes('a choice was made'),
      async check() {
        await eventually(() => server.telegram.toasts.some((one) => one.query === query), 'a toast')
        await eventually(isBare, 'no buttons')
        const words = server.telegram.toasts.filter((one) => one.query === query).map(({ text }) => text)
        assert.deepEqual([...new Set(words)], [endToasts.en.stop])
        server.telegram.say(chat, mia, 'then')
        const then = await eventually(() => server.replies(chat).find(({ text }) => text.startsWith('Heard: then')), 'the next reply')
        assert.equal(then.text, 'Heard: then. (The user closed the previous reply; answer only what is asked.)')
      },
    }
  })
  assert.ok(kills > 1, `${kills} kills`)
  t.diagnostic(`${kills} kills`)
})

// The turn and its reply that follow are covered by the first test.
test(`a tap that answers a question, ${killed} of its first ${firstCommits}`, async () => {
  const planned = Math.ceil(firstCommits / commits)
  const questions = await Promise.all(
    answered.splice(3, planned).map(async ({ mia, chat }) => {
      server.telegram.say(chat, mia, 'choose')
      return { mia, chat, question: await server.reply(chat, /Ship it/) }
    }),
  )
  const kills = await atCommits(() => {
    const { mia, chat, question } = questions.shift() ?? assert.fail('too few people')
    const query = server.telegram.tap(chat, mia, question.id, 'Yes')
    const isClosed = (): boolean =>
      /Answered by/.test(server.seen(chat, question.id).text) && server.seen(chat, question.id).keyboard.length === 0
    return {
      isOver: async () => isClosed() && (await server.deliveries(chat, 'sent')).some(({ text }) => text.startsWith('You said')),
      async check() {
        await eventually(isClosed, 'the closed question')
        const words = server.telegram.toasts.filter((one) => one.query === query).map(({ text }) => text)
        assert.deepEqual([...new Set(words)], ['✓ Yes'], 'told the same, however often')
        const events = await server.events(await server.dialogOf(chat))
        assert.equal(events.filter(({ type }) => type === 'question.answered').length, 1)
        const delivery = await eventually(
          async () => (await server.deliveries(chat)).find(({ text, state }) => text.startsWith('You said') && state !== 'waiting'),
          'the next reply',
        )
        const there = server.replies(chat).filter(({ text }) => text.startsWith('You said'))
        assert.ok(delivery.state === 'sent' ? there.length === 1 : delivery.state === 'unknown' && there.length <= 1)
      },
    }
  }, firstCommits)
  assert.equal(kills, planned)
})

test('killed when updates are asked for: they come again, and count once', async () => {
  const kill = (): boolean => server.child.kill('SIGKILL')
  const faults: Trouble[] = [
    { does: 'drop-before', first: kill },
    { does: 'drop-after', first: kill },
    { does: 'afterwards', act: kill },
  ]
  for (const fault of faults) {
    const [tapping, typing] = [answered.shift() ?? assert.fail('too few people'), server.friend()]
    const message = server.replies(tapping.chat)[0]?.id ?? 0
    await server.end('SIGKILL')
    const query = server.telegram.tap(tapping.chat, tapping.mia, message, en.continue)
    server.telegram.say(typing.chat, typing.mia, fault.does)
    server.telegram.fault({ ...fault, method: 'getUpdates' })
    await server.start().catch(() => {})
    await server.gone()
    await server.start()
    await server.toast(query)
    await eventually(() => server.seen(tapping.chat, message).keyboard.length === 0, 'no buttons')
    await eventually(async () => (await server.deliveries(typing.chat)).length === 1, 'the reply')
    assert.deepEqual(await server.saidIn(await server.dialogOf(typing.chat)), [fault.does])
    assert.deepEqual(
      [...new Set(server.telegram.toasts.filter((one) => one.query === query).map(({ text }) => text))],
      [endToasts.en.continue],
    )
  }
})

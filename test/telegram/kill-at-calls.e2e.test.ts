import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { endLabels, endToasts } from '../../packages/reply-end/src/labels.ts'
import type { Trouble } from '../../src/testing/telegram-emulator/faults.ts'
import type { SeenMessage } from '../../src/testing/telegram-emulator/people.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const { en } = endLabels
let server: TelegramServer
let isOver = false
let keptUp: Promise<void>

/** Starts it again whenever it has ended, also when that was in the middle of a start. */
async function keepUp(): Promise<void> {
  while (!isOver) {
    await server.gone()
    if (!isOver) await server.start().catch(() => {})
  }
}

/** Only while the server is up: on a busy machine, the starts after the crashes of all the others take most of the time. */
const whileUp = <T>(look: Parameters<typeof eventually<T>>[0], what: string): Promise<T> =>
  eventually(look, what, { nowMs: () => server.upMs })

/** Ends the process at once; a new one is started on the same data. */
async function crash(): Promise<void> {
  server.child.kill('SIGKILL')
  await server.gone()
}

const moments: Record<string, (kill: () => unknown) => Trouble> = {
  'right before': (first) => ({ does: 'drop-before', first }),
  'right after': (first) => ({ does: 'drop-after', first }),
}

/** Everything that is asked of Telegram for one person; each of them is a place to be killed at. */
const calls: readonly [method: string, count: number][] = [
  ['sendMessage', 4],
  ['answerCallbackQuery', 2],
  ['editMessageReplyMarkup', 2],
  ['editMessageText', 1],
]

/** The person who tapped, by the name Telegram gave the tap. */
const queries = new Map<string, number>()

/** A message of Parley, however often the process ended. A person decides about an unconfirmed one. */
async function arrived({ chat }: Friend, words: string): Promise<SeenMessage> {
  const there = (): SeenMessage[] => server.replies(chat).filter(({ text }) => text.startsWith(words))
  return whileUp(async () => {
    const entry = there()
    assert.ok(entry.length <= 1, `sent twice: ${words}`)
    if (entry[0]) return entry[0]
    const unknown = (await server.deliveries(chat, 'unknown')).find(({ text }) => text.startsWith(words))
    if (unknown && there().length === 0) {
      assert.match(unknown.error?.message ?? '', /Not confirmed/)
      await server.client().deliveries.retry(unknown.id)
    }
    return undefined
  }, `${words} in ${chat}`)
}

async function tapped({ mia, chat }: Friend, { id }: SeenMessage, label: string, toast: string): Promise<void> {
  const query = server.telegram.tap(chat, mia, id, label)
  queries.set(query, chat)
  await whileUp(() => server.telegram.toasts.some((one) => one.query === query), `a toast for ${label} in ${chat}`)
  const words = server.telegram.toasts.filter((one) => one.query === query).map(({ text }) => text)
  assert.deepEqual([...new Set(words)], [toast], 'told again, it is told the same')
}

const nothingToTap = ({ chat }: Friend, { id }: SeenMessage): Promise<true> =>
  whileUp(() => server.seen(chat, id).keyboard.length === 0, `no buttons on ${id} in ${chat}`)

/** A whole day of one person. */
async function live(friend: Friend): Promise<void> {
  const { mia, chat } = friend
  const say = (words: string) => server.telegram.say(chat, mia, words)
  say('hello')
  const hello = await arrived(friend, 'Heard: hello')
  await tapped(friend, hello, en.stop, endToasts.en.stop)
  await nothingToTap(friend, hello)
  say('so')
  const so = await arrived(friend, 'Heard: so')
  say('choose')
  const question = await arrived(friend, 'Ship it?')
  await tapped(friend, question, 'Yes', '✓ Yes')
  await whileUp(() => server.seen(chat, question.id).text.includes('Answered by'), `the closed question in ${chat}`)
  await arrived(friend, 'You said')
  // Buttons of an unrecorded message cannot be removed; a tap on them gets the stale toast.
  const deliveries = await server.deliveries(chat)
  const isKnown = (words: string): boolean => deliveries.some(({ text, state }) => text.startsWith(words) && state === 'sent')
  if (isKnown('Heard: so') && isKnown('You said')) await nothingToTap(friend, so)
}

async function check({ mia, chat }: Friend): Promise<void> {
  const dialog = await server.dialogOf(chat)
  assert.deepEqual(await server.saidIn(dialog), ['hello', 'so', 'choose'], 'every message once, in its order')
  const events = await server.events(dialog)
  const answers = events.filter(({ type }) => type === 'question.answered').map(({ data }) => (data as { answers: object }).answers)
  assert.deepEqual(answers, [{ ship: 'yes' }], 'one answer')
  assert.deepEqual(
    server.replies(chat).map(({ text }) => text),
    [
      'Heard: hello. Shall I go on?',
      'Heard: so. (The user closed the previous reply; answer only what is asked.)',
      `Ship it?\n\n✓ Answered by ${mia.first_name}: Yes`,
      'You said {"ship":"yes"}.',
    ],
    'as without any crash',
  )
  const deliveries = await server.deliveries(chat)
  assert.equal(deliveries.length, 4, 'each message is planned once')
  for (const { state, text } of deliveries) assert.ok(state === 'sent' || state === 'unknown', `${state}: ${text}`)
}

// Few at a time: a turn that the crashes of the others cut three times fails for a person to look at, and none is here.
suite('killed at every call to Telegram', { concurrency: 4 }, () => {
  before(async () => {
    server = await TelegramServer.open()
    keptUp = keepUp()
  })
  after(async () => {
    isOver = true
    await server.end('SIGKILL')
    await keptUp
    await server.close()
  })

  for (const [moment, trouble] of Object.entries(moments)) {
    for (const [method, count] of calls) {
      for (let nth = 1; nth <= count; nth += 1) {
        test(`${moment} ${method} number ${nth}`, async () => {
          // A crash meant for another chat may leave a message unconfirmed, and then this call is not made: another chat tries.
          for (let tries = 1; ; tries += 1) {
            const friend = server.friend()
            let total = 0
            server.telegram.fault({
              ...trouble(crash),
              method,
              when({ chat_id: to, callback_query_id: query }) {
                if (to !== friend.chat && queries.get(String(query)) !== friend.chat) return false
                total += 1
                return total === nth
              },
            })
            await live(friend)
            await check(friend)
            if (total >= nth) return
            assert.ok(tries < 5, 'it was never killed there')
          }
        })
      }
    }
  }
})

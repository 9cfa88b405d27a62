import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { repetitions } from '../fixtures/campaign.ts'
import { type ChatApp, chatApps, type SeenThere, tapUntilAnswered } from '../fixtures/chat-apps.ts'
import { eventually } from '../fixtures/eventually.ts'

const isLong = repetitions(0, 1) === 1
/** Commits after which the process is ended, one start after the other. A campaign goes on until the step is over before that. */
const commits = isLong ? Array.from({ length: 40 }, (_, index) => index + 1) : [3]

type Step = { isOver(): Promise<boolean>; check(): Promise<void> }

describe('killed after commits: every message is answered once, and every tap counts once', { concurrency: 2 }, () => {
  for (const [kind, open] of Object.entries(chatApps))
    test(kind, { timeout: isLong ? 1_800_000 : 240_000 }, async (t) => {
      const app = await open(({ server }) => {
        server.killsAtCommits = true
      })
      try {
        const messages = await atCommits(app, () => say(app))
        const taps = await atCommits(app, () => tap(app))
        t.diagnostic(`${messages} kills while a message was answered, ${taps} while a tap was`)
        const least = isLong ? 4 : commits.length
        assert.ok(messages >= least && taps >= least, `${messages} and ${taps} kills`)
      } finally {
        await app.finish()
      }
    })
})

async function atCommits({ server, start }: ChatApp, prepare: () => Promise<() => Step>): Promise<number> {
  let kills = 0
  for (const number of commits) {
    const begin = await prepare()
    await server.killAfterCommits(number)
    const { isOver, check } = begin()
    const gone = server.gone().then(() => 'gone' as const)
    const end = await eventually(async () => Promise.race([gone, isOver()]), 'the end of the step, or of the process')
    // Its very last commit may come after everything can be seen.
    const isUp = end !== 'gone' && (await server.killAfterCommits(Infinity))
    if (!isUp) await start()
    await check()
    if (isUp) break
    kills += 1
  }
  return kills
}

const withText = ({ seen, direct }: ChatApp, text: string): SeenThere[] =>
  seen(direct).filter((one) => one.text.includes(text) && !one.text.startsWith('A message of mine'))

const told = (app: ChatApp) => (): string =>
  `there is ${JSON.stringify(app.seen(app.direct).map(({ text }) => text))}; the server said ${app.server.said.slice(-2_000)}`

/** So many messages with this text. A person looks after one that the platform did not confirm. */
async function arrived(app: ChatApp, text: string, count: number): Promise<void> {
  await eventually(async () => {
    const there = withText(app, text).length
    assert.ok(there <= count, `sent twice: ${text}`)
    if (there === count) return true
    const { items } = await app.server.client().deliveries.list({ state: 'unknown', limit: 200 })
    const unknown = items.find((one) => one.text.includes(text) && !one.about?.startsWith('unknown:'))
    if (unknown && withText(app, text).length < count) await app.server.client().deliveries.retry(unknown.id)
    return false
  }, told(app))
}

/** The platform confirmed so many messages with this text. */
async function isConfirmed({ server }: ChatApp, text: string, count: number): Promise<boolean> {
  const { items } = await server.client().deliveries.list({ state: 'sent', limit: 200 })
  return items.filter((one) => one.text.includes(text)).length >= count
}

let words = 0
async function say(app: ChatApp): Promise<() => Step> {
  const reply = `Heard: word${(words += 1)}x`
  return () => {
    app.say(app.direct, app.mia, reply.slice('Heard: '.length))
    return { isOver: () => isConfirmed(app, reply, 1), check: () => arrived(app, reply, 1) }
  }
}

async function tap(app: ChatApp): Promise<() => Step> {
  const [answers, earlier] = [withText(app, 'You said').length, new Set(withText(app, 'Ship it').map(({ id }) => id))]
  app.say(app.direct, app.mia, 'choose')
  const question = await eventually(
    () => withText(app, 'Ship it').find(({ id, hasControls }) => hasControls && !earlier.has(id)),
    told(app),
  )
  const press = (): Promise<void> => app.tap(app.direct, app.mia, question.id, 'Yes')
  return () => {
    const first = press()
    return {
      isOver: () => isConfirmed(app, 'You said', answers + 1),
      async check() {
        await first
        await tapUntilAnswered(app, question.id, 'Yes')
        await arrived(app, 'You said', answers + 1)
      },
    }
  }
}

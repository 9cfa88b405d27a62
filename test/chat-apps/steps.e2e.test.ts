import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { repetitions } from '../fixtures/campaign.ts'
import { type ChatApp, chatApps, type SeenThere } from '../fixtures/chat-apps.ts'
import { eventually } from '../fixtures/eventually.ts'

describe('every step by each chat app, with the server killed between them', { concurrency: 2 }, () => {
  for (const [kind, open] of Object.entries(chatApps))
    test(kind, { timeout: 240_000 }, async () => {
      const app = await open(() => {})
      try {
        await walk(kind, app)
      } finally {
        await app.finish()
      }
    })
})

/** Between which steps the server is killed: between all of them in a campaign, otherwise between some. */
const isKilledAfter = (step: number): boolean => repetitions(0, 1) === 1 || step % 3 === 0

/** Missing in the API of a platform for bots: it is refused before the platform is asked. */
const lacking: Readonly<Record<string, readonly ('pin' | 'edit' | 'remove')[]>> = { line: ['pin', 'edit', 'remove'], teams: ['pin'] }

async function walk(kind: string, app: ChatApp): Promise<void> {
  const { server, mia, direct, group } = app
  const find = (where: string, text: RegExp): Promise<SeenThere> =>
    eventually(
      () => app.seen(where).find((one) => text.test(one.text)),
      () => `${text} in ${where}; there is ${JSON.stringify(app.seen(where))}; the server said ${server.said.slice(-2_000)}`,
    )
  let steps = 0
  const restart = async (): Promise<void> => {
    if (!isKilledAfter(steps++)) return
    await server.end('SIGKILL')
    await app.start()
  }
  /** Where the platform can, `check` sees the effect; elsewhere the command says so. */
  async function can(what: 'pin' | 'edit' | 'remove', ask: () => Promise<unknown>, check: () => Promise<unknown>): Promise<void> {
    if (lacking[kind]?.includes(what)) return assert.rejects(ask, { code: 'channel_cannot' })
    await ask()
    await check()
  }

  app.say(direct, mia, 'hello')
  await find(direct, /Heard: hello/)
  await restart()
  app.limit()
  const look = { channel: kind, target: group, message: 'Look at this' }
  const { delivery } = await server.client().messages.send({ ...look, waitMs: 20_000 })
  assert.equal(delivery.state, 'sent')
  const { id } = await find(group, /Look at this/)
  assert.equal(server.count(group, /Look at this/), 1)
  const at = { channel: kind, target: group, messageId: id }
  await restart()
  await can(
    'pin',
    () => server.client().messages.pin(at),
    () => eventually(() => app.isPinned?.(group, id), 'pinned'),
  )
  await restart()
  await can(
    'edit',
    () => server.client().messages.edit({ delivery: delivery.id }, { message: 'Look at that' }),
    () => find(group, /Look at that/),
  )
  assert.equal(server.count(group, /Look at/), 1)
  await restart()
  app.sayFile(direct, mia, 'plan.txt')
  await find(direct, /Heard: [^]*plan\.txt/)
  await restart()
  app.disconnect?.()
  app.say(direct, mia, 'once more')
  await find(direct, /Heard: once more/)
  assert.equal(server.count(direct, /(?<!“)Heard: once more/), 1)
  await restart()
  await can(
    'remove',
    () => server.client().messages.remove(at),
    () => eventually(() => server.count(group, /Look at/) === 0, 'removed'),
  )
}

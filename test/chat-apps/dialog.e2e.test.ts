import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChatApp, type SeenThere, tapUntilAnswered, transports } from '../fixtures/chat-apps.ts'
import { eventually } from '../fixtures/eventually.ts'

describe('a dialog by each chat app, over each of its transports', { concurrency: 2 }, () => {
  for (const [name, open] of transports)
    test(name, { timeout: 240_000 }, async (t) => {
      const app = await open(() => {})
      try {
        await t.test('killed between each step, nothing is lost or doubled', () => survive(app))
        await t.test('in a group, a tap and typed words of a stranger change nothing', () => withstand(app))
      } finally {
        await app.finish()
      }
    })
})

const find = ({ seen, server }: ChatApp, where: string, text: RegExp): Promise<SeenThere> =>
  eventually(
    () => seen(where).find((one) => text.test(one.text)),
    () => `${text} in ${where}; there is ${JSON.stringify(seen(where))}; the server said ${server.said.slice(-2_000)}`,
  )

async function survive(app: ChatApp): Promise<void> {
  const { server, mia, direct } = app
  app.say(direct, mia, 'hello')
  await find(app, direct, /Heard: hello/)
  await server.end('SIGKILL')
  app.say(direct, mia, 'choose')
  await app.start()
  const question = await find(app, direct, /Ship it\?/)
  await server.end('SIGKILL')
  const first = app.tap(direct, mia, question.id, 'Yes')
  await app.start()
  await first
  await tapUntilAnswered(app, question.id, 'Yes')
  await find(app, direct, /You said .*yes/)
  // LINE cannot change a message.
  const isShut = (): boolean => app.seen(direct).every(({ id, hasControls }) => id !== question.id || !hasControls)
  if (!('line' in server)) await eventually(isShut, 'no controls below an answered question')
  await eventually(() => app.isTaken(), 'everything accepted')
  for (const text of [/(?<!“)Heard: hello/, /(?<!“)Ship it\?/, /(?<!“)You said/]) assert.equal(server.count(direct, text), 1, String(text))
}

async function withstand(app: ChatApp): Promise<void> {
  const { server, mia, eve, direct, group } = app
  app.say(group, mia, 'approve')
  const question = await find(app, group, /May I run the migration\?/)
  await app.tap(group, eve, question.id, 'Allow once')
  assert.match(await eventually(() => app.toast(), 'a toast for Eve'), /^Only Mia can decide this/)
  app.say(group, eve, 'Allow once')
  app.say(group, eve, 'Allow once', question.id)
  // LINE does not name everyone.
  if ('line' in server) app.say(group, '', 'Allow once', question.id)
  await app.tapElsewhere?.(question.id, 'Allow once')
  await eventually(() => app.isTaken(), 'everything accepted')
  // Where the platform does not tell: messages are stored in their order, so after this reply those of Eve were.
  app.say(direct, mia, 'after Eve')
  await find(app, direct, /Heard: after Eve/)
  assert.equal(server.count(group, /You said/), 0)
  assert.ok(
    app.seen(group).some(({ id, hasControls }) => id === question.id && hasControls),
    'the controls are still there',
  )
  await app.tap(group, mia, question.id, 'Deny')
  await find(app, group, /You said .*deny/)
  assert.equal(server.count(group, /You said/), 1)
}

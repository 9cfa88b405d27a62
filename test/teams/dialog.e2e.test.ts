import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listNodes } from '../../src/testing/teams-emulator/teams-rules.ts'
import type { TeamsMessage } from '../../src/testing/teams-emulator/teams-emulator.ts'
import { eventually } from '../fixtures/eventually.ts'
import { TeamsServer } from '../fixtures/teams-server.ts'

const direct = 'a:1mia'
const group = '19:team@thread.v2'
const channel = '19:general@thread.tacv2'

describe('a dialog by Teams', () => {
  let server: TeamsServer
  let mia: string
  let eve: string
  before(async () => {
    server = await TeamsServer.open()
    mia = server.teams.person('Mia')
    eve = server.teams.person('Eve')
  })
  after(() => server.finish())

  const count = (chat: string, text: RegExp): number => server.teams.messages(chat).filter((message) => text.test(message.text)).length
  const hasControls = ({ activity }: TeamsMessage): boolean =>
    listNodes(activity.attachments?.map(({ content }) => content)).some(({ type }) => type === 'Action.Execute')

  test('a message is answered; killed between each step, nothing is lost or doubled', async () => {
    server.teams.say(direct, mia, 'hello')
    await server.message(direct, /Heard: hello/)
    await server.end('SIGKILL')
    server.teams.say(direct, mia, 'choose')
    await server.start()
    const question = await server.message(direct, /Ship it\?/)
    await server.end('SIGKILL')
    const tapped = server.teams.tap(direct, mia, question, 'Yes')
    await server.start()
    assert.equal(((await tapped) as { statusCode?: number }).statusCode, 200)
    await server.message(direct, /You said .*yes/)
    await eventually(() => !hasControls(question), 'no controls below an answered question')
    await eventually(() => server.teams.pending === 0, 'everything accepted')
    for (const text of [/(?<!“)Heard: hello/, /(?<!“)Ship it\?/, /(?<!“)You said/]) assert.equal(count(direct, text), 1, String(text))
  })

  test('each thread of a channel is a dialog of its own and is answered there', async () => {
    const one = server.teams.post(channel, mia, 'one')
    const two = server.teams.post(channel, mia, 'two')
    await server.message(one, /Heard: one/)
    await server.message(two, /Heard: two/)
    assert.equal(count(one, /Heard: two/), 0)
  })

  test('in a group, a tap and typed words of a stranger change nothing', async () => {
    server.teams.say(group, mia, 'approve')
    const question = await server.message(group, /May I run the migration\?/)
    const toast = (await server.teams.tap(group, eve, question, 'Allow once')) as { value?: string }
    assert.match(toast.value ?? '', /^Only Mia can decide this/)
    const quotedReply = { type: 'quotedReply', quotedReply: { messageId: question.id } }
    server.teams.say(group, eve, 'Allow once')
    server.teams.say(group, eve, 'Allow once', { entities: [quotedReply] })
    // The same data under the address of another chat is refused.
    await server.teams.tap(direct, mia, question, 'Allow once')
    await eventually(() => server.teams.pending === 0, 'everything accepted')
    assert.equal(count(group, /You said/), 0)
    assert.ok(hasControls(question), 'the controls are still there')
    await server.teams.tap(group, mia, question, 'Deny')
    await server.message(group, /You said .*deny/)
    assert.equal(count(group, /You said/), 1)
  })

  test('a 429 delays a message; a message is edited and removed', async () => {
    server.teams.fault({ method: 'POST', path: /activities$/, status: 429, headers: { 'retry-after': '1' } })
    const sent = await server.client().messages.send({ channel: 'teams', target: group, message: 'Look at **this**', waitMs: 20_000 })
    const message = await server.message(group, /Look at this/)
    await server.client().messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
    await server.message(group, /Look at that/)
    assert.equal(count(group, /Look at/), 1)
    await server.client().messages.remove({ channel: 'teams', target: group, messageId: message.id })
    assert.equal(count(group, /Look at/), 0)
  })

  test('calls without a token, with that of another bot, or with an expired one are refused', async () => {
    const { teams, webhookUrl } = server
    const activity = teams.makeActivity(direct, mia, { type: 'message', text: 'forged' })
    const unsigned = await fetch(webhookUrl, { method: 'POST', body: JSON.stringify(activity) })
    const other = await teams.call(webhookUrl, activity, teams.signToken({ aud: 'another-bot' }))
    const old = await teams.call(webhookUrl, activity, teams.signToken({ exp: Math.floor(Date.now() / 1_000) - 3_600 }))
    const invoke = await teams.call(webhookUrl, teams.makeActivity(direct, mia, { type: 'invoke', name: 'task/fetch', value: {} }))
    assert.deepEqual([unsigned.status, other.status, old.status, invoke.status], [401, 401, 401, 501])
    assert.equal(count(direct, /forged/), 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TeamsServer } from '../fixtures/teams-server.ts'

const direct = 'a:1mia'
const group = '19:team@thread.v2'
const channel = '19:general@thread.tacv2'

describe('a dialog by Teams', () => {
  let server: TeamsServer
  let mia: string
  before(async () => {
    server = await TeamsServer.open()
    mia = server.teams.person('Mia')
  })
  after(() => server.finish())

  test('each thread of a channel is a dialog of its own and is answered there', async () => {
    const one = server.teams.post(channel, mia, 'one')
    const two = server.teams.post(channel, mia, 'two')
    await server.message(one, /Heard: one/)
    await server.message(two, /Heard: two/)
    assert.equal(server.count(one, /Heard: two/), 0)
  })

  test('a 429 delays a message; a message is edited and removed', async () => {
    server.teams.fault({ method: 'POST', path: /activities$/, status: 429, headers: { 'retry-after': '1' } })
    const sent = await server.client().messages.send({ channel: 'teams', target: group, message: 'Look at **this**', waitMs: 20_000 })
    const message = await server.message(group, /Look at this/)
    await server.client().messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
    await server.message(group, /Look at that/)
    assert.equal(server.count(group, /Look at/), 1)
    await server.client().messages.remove({ channel: 'teams', target: group, messageId: message.id })
    assert.equal(server.count(group, /Look at/), 0)
  })

  test('calls without a token, with that of another bot, or with an expired one are refused', async () => {
    const { teams, webhookUrl } = server
    const activity = teams.makeActivity(direct, mia, { type: 'message', text: 'forged' })
    const unsigned = await fetch(webhookUrl, { method: 'POST', body: JSON.stringify(activity) })
    const other = await teams.call(webhookUrl, activity, teams.signToken({ aud: 'another-bot' }))
    const old = await teams.call(webhookUrl, activity, teams.signToken({ exp: Math.floor(Date.now() / 1_000) - 3_600 }))
    const invoke = await teams.call(webhookUrl, teams.makeActivity(direct, mia, { type: 'invoke', name: 'task/fetch', value: {} }))
    assert.deepEqual([unsigned.status, other.status, old.status, invoke.status], [401, 401, 401, 501])
    assert.equal(server.count(direct, /forged/), 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SlackServer } from '../fixtures/slack-server.ts'

describe('a dialog by Slack over HTTP', () => {
  let server: SlackServer
  before(async () => {
    server = await SlackServer.open('http')
    server.slack.person('U0MIA', 'Mia')
  })
  after(() => server.finish())

  test('each thread of a channel is a dialog of its own and is answered there', async () => {
    server.slack.say('C0TEAM', 'U0MIA', 'one', { thread_ts: '1600000000.000100' })
    server.slack.say('C0TEAM', 'U0MIA', 'two', { thread_ts: '1600000000.000200' })
    assert.equal((await server.message('C0TEAM', /Heard: one/)).thread_ts, '1600000000.000100')
    assert.equal((await server.message('C0TEAM', /Heard: two/)).thread_ts, '1600000000.000200')
  })

  test('unsigned, changed and old calls are refused; a challenge is answered', async () => {
    const body = { type: 'event_callback', event: { type: 'message', channel: 'C0TEAM', user: 'U0EVE', text: 'forged', ts: '1.1' } }
    const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: JSON.stringify(body) })
    const old = await server.slack.post(server.webhookUrl, 'events_api', body, Date.now() - 6 * 60_000)
    assert.deepEqual([unsigned.status, old.status], [401, 401])
    const challenge = await server.slack.post(server.webhookUrl, 'events_api', { type: 'url_verification', challenge: 'abc' })
    assert.deepEqual([challenge.status, await challenge.json()], [200, { challenge: 'abc' }])
    assert.equal(
      server.slack.messages('C0TEAM').some(({ text }) => /forged/.test(text)),
      false,
    )
  })
})

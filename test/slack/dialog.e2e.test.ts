import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SlackServer } from '../fixtures/slack-server.ts'
import { eventually } from '../fixtures/eventually.ts'

for (const how of ['socket', 'http'] as const)
  describe(`a dialog by Slack over ${how}`, () => {
    let server: SlackServer
    before(async () => {
      server = await SlackServer.open(how)
      for (const [id, name] of [
        ['U0MIA', 'Mia'],
        ['U0EVE', 'Eve'],
      ] as const)
        server.slack.person(id, name)
    })
    after(() => server.finish())

    const labels = (where: string, ts: string): unknown[] => {
      const message = server.slack.messages(where).find((one) => one.ts === ts)
      return (message?.blocks ?? []).filter((block) => (block as { type: string }).type === 'actions')
    }

    test('a direct message is answered; killed between each step, nothing is lost or doubled', async () => {
      server.slack.say('U0MIA', 'U0MIA', 'hello')
      await server.message('U0MIA', /Heard: hello/)
      await server.end('SIGKILL')
      server.slack.say('U0MIA', 'U0MIA', 'choose')
      await server.start()
      const question = await server.message('U0MIA', /Ship it\?/)
      await server.end('SIGKILL')
      server.slack.tap('U0MIA', 'U0MIA', question, 'Yes')
      await server.start()
      await server.message('U0MIA', /You said .*yes/)
      await eventually(() => labels('U0MIA', question.ts).length === 0, 'no controls below an answered question')
      for (const text of [/(?<!“)Heard: hello/, /(?<!“)You said/])
        assert.equal(server.slack.messages('U0MIA').filter((message) => text.test(message.text)).length, 1, String(text))
      await eventually(() => server.slack.pending === 0, 'everything acknowledged')
    })

    test('each thread of a channel is a dialog of its own and is answered there', async () => {
      server.slack.say('C0TEAM', 'U0MIA', 'one', { thread_ts: '1600000000.000100' })
      server.slack.say('C0TEAM', 'U0MIA', 'two', { thread_ts: '1600000000.000200' })
      assert.equal((await server.message('C0TEAM', /Heard: one/)).thread_ts, '1600000000.000100')
      assert.equal((await server.message('C0TEAM', /Heard: two/)).thread_ts, '1600000000.000200')
    })

    test('in a channel, a tap and typed words of a stranger change nothing', async () => {
      server.slack.say('C0TEAM', 'U0MIA', 'approve')
      const question = await server.message('C0TEAM', /May I run the migration\?/)
      server.slack.tap('C0TEAM', 'U0EVE', question, 'Allow once')
      const toast = await eventually(() => server.slack.ephemerals.find(({ user }) => user === 'U0EVE'), 'a toast for Eve')
      assert.match(toast.text, /^Only Mia can decide this/)
      server.slack.say('C0TEAM', 'U0EVE', 'Allow once')
      server.slack.say('C0TEAM', 'U0EVE', 'Allow once', { thread_ts: question.ts })
      await eventually(() => server.slack.pending === 0, 'everything acknowledged')
      assert.equal(
        server.slack.messages('C0TEAM').some(({ text }) => /You said/.test(text)),
        false,
      )
      assert.notEqual(labels('C0TEAM', question.ts).length, 0, 'the controls are still there')
      server.slack.tap('C0TEAM', 'U0MIA', question, 'Deny')
      await server.message('C0TEAM', /You said .*deny/)
    })

    if (how === 'http')
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

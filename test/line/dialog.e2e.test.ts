import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { LineServer } from '../fixtures/line-server.ts'

for (const how of ['reply tokens', 'push messages'] as const)
  describe(`a dialog by LINE with ${how}`, () => {
    let server: LineServer
    let mia: string
    before(async () => {
      server = await LineServer.open(how === 'push messages' ? ['replyTokens: false'] : [])
      mia = server.line.person('Mia')
    })
    after(() => server.finish())

    test('a file reaches the agent with its name', async () => {
      server.line.say(mia, mia, '', { type: 'file', fileName: 'plan.txt', fileSize: 3 })
      await server.message(mia, /Heard: .*plan\.txt/)
    })

    test('a 429 and a lost answer delay a message and never double it', async () => {
      server.line.forgetReplyTokens()
      const path = how === 'reply tokens' ? '/v2/bot/message/reply' : '/v2/bot/message/push'
      server.line.fault({ path, status: 429, headers: { 'retry-after': '1' } })
      server.line.say(mia, mia, 'patience')
      await server.message(mia, /Heard: patience/)
      server.line.fault({ path, status: 0, drop: 'after' })
      server.line.say(mia, mia, 'once more')
      await server.message(mia, /Heard: once more/)
      server.line.say(mia, mia, 'the end')
      await server.message(mia, /Heard: the end/)
      for (const text of [/(?<!“)Heard: patience/, /(?<!“)Heard: once more/]) assert.equal(server.count(mia, text), 1, String(text))
    })

    test('killed during the call, the message is there once', async () => {
      const path = how === 'reply tokens' ? '/v2/bot/message/reply' : '/v2/bot/message/push'
      const calls = (): number => server.line.requests.filter((request) => request.path === '/v2/bot/message/push').length
      server.line.fault({ path, status: 0, drop: 'hang' })
      server.line.say(mia, mia, 'during')
      await server.message(mia, /Heard: during/)
      const known = calls()
      await server.end('SIGKILL')
      await server.start()
      // With its key the call is repeated; a reply has none and is reported, not repeated.
      if (how === 'push messages') await eventually(() => calls() > known, 'the call again')
      server.line.say(mia, mia, 'afterwards')
      await server.message(mia, /Heard: afterwards/)
      assert.equal(server.count(mia, /^Heard: during/), 1)
    })

    test('unsigned and replayed calls are refused; the call of the console is accepted', async () => {
      const { line, webhookUrl } = server
      const event = line.makeEvent(mia, mia, { type: 'message', message: { id: '561', type: 'text', text: 'forged' } })
      const unsigned = await line.post(webhookUrl, [event], 'AAAA')
      const old = await line.post(webhookUrl, [{ ...event, timestamp: Date.now() - 25 * 60 * 60_000 }])
      const empty = await line.post(webhookUrl, [])
      assert.deepEqual([unsigned.status, old.status, empty.status], [401, 401, 200])
      assert.equal(server.count(mia, /forged/), 0)
    })
  })

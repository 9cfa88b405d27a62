import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { LineServer } from '../fixtures/line-server.ts'

for (const how of ['reply tokens', 'push messages'] as const)
  describe(`a dialog by LINE with ${how}`, () => {
    let server: LineServer
    let mia: string
    let eve: string
    let team: string
    before(async () => {
      server = await LineServer.open(how === 'push messages' ? ['replyTokens: false'] : [])
      mia = server.line.person('Mia')
      eve = server.line.person('Eve')
      team = server.line.group('team')
    })
    after(() => server.finish())

    const count = (chat: string, text: RegExp): number => server.line.messages(chat).filter((message) => text.test(message.text)).length

    test('a message is answered; killed between each step, nothing is lost or doubled', async () => {
      server.line.say(mia, mia, 'hello')
      const answer = await server.message(mia, /Heard: hello/)
      assert.equal(answer.by, how === 'reply tokens' ? 'reply' : 'push')
      await server.end('SIGKILL')
      server.line.say(mia, mia, 'choose')
      await server.start()
      const question = await server.message(mia, /Ship it\?/)
      await server.end('SIGKILL')
      server.line.tap(mia, mia, question, 'Yes')
      await server.start()
      await server.message(mia, /You said .*yes/)
      await eventually(() => server.line.pending === 0, 'everything accepted')
      for (const text of [/(?<!“)Heard: hello/, /(?<!“)Ship it\?/, /(?<!“)You said/]) assert.equal(count(mia, text), 1, String(text))
    })

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
      for (const text of [/(?<!“)Heard: patience/, /(?<!“)Heard: once more/]) assert.equal(count(mia, text), 1, String(text))
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
      assert.equal(count(mia, /^Heard: during/), 1)
    })

    test('in a group, a tap and typed words of a stranger change nothing', async () => {
      server.line.say(team, mia, 'approve')
      const question = await server.message(team, /May I run the migration\?/)
      server.line.tap(team, eve, question, 'Allow once')
      await server.message(team, /^Only Mia can decide this/)
      server.line.say(team, eve, 'Allow once')
      server.line.say(team, eve, 'Allow once', { quotedMessageId: question.id })
      server.line.say(team, null, 'Allow once', { quotedMessageId: question.id })
      await eventually(() => server.line.pending === 0, 'everything accepted')
      assert.equal(count(team, /You said/), 0)
      // The same data under the address of another chat is refused.
      server.line.tap(mia, mia, question, 'Allow once')
      await eventually(() => server.line.pending === 0, 'everything accepted')
      assert.equal(count(team, /You said/), 0)
      server.line.tap(team, mia, question, 'Deny')
      await server.message(team, /You said .*deny/)
      assert.equal(count(team, /You said/), 1)
    })

    test('unsigned and replayed calls are refused; the call of the console is accepted', async () => {
      const { line, webhookUrl } = server
      const event = line.makeEvent(mia, mia, { type: 'message', message: { id: '561', type: 'text', text: 'forged' } })
      const unsigned = await line.post(webhookUrl, [event], 'AAAA')
      const old = await line.post(webhookUrl, [{ ...event, timestamp: Date.now() - 25 * 60 * 60_000 }])
      const empty = await line.post(webhookUrl, [])
      assert.deepEqual([unsigned.status, old.status, empty.status], [401, 401, 200])
      assert.equal(count(mia, /forged/), 0)
    })
  })

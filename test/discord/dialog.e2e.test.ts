import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Component, listComponents } from '../../src/testing/discord-emulator/discord-state.ts'
import { DiscordServer } from '../fixtures/discord-server.ts'
import { eventually } from '../fixtures/eventually.ts'

const mia = '1000000000000000001'
const eve = '1000000000000000002'
const direct = `user:${mia}`
const team = '1100000000000000001'

for (const taps of ['gateway', 'http'] as const)
  describe(`a dialog by Discord, taps over ${taps}`, () => {
    let server: DiscordServer
    before(async () => {
      server = await DiscordServer.open(taps)
      server.discord.person(mia, 'Mia')
      server.discord.person(eve, 'Eve')
      server.discord.channel(team)
      await eventually(() => server.discord.isConnected, 'the gateway')
    })
    after(() => server.finish())

    const controls = (where: string, id: string): Component[] => {
      const message = server.discord.messages(where).find((one) => one.id === id)
      return listComponents((message?.components ?? []) as Component[]).filter(({ custom_id: control }) => control !== undefined)
    }

    test('a direct message is answered; killed between each step, nothing is lost or doubled', async () => {
      server.discord.say(direct, mia, 'hello')
      await server.message(direct, /Heard: hello/)
      await server.end('SIGKILL')
      server.discord.say(direct, mia, 'choose')
      await server.startReading()
      const question = await server.message(direct, /Ship it\?/)
      await server.end('SIGKILL')
      // Discord repeats a tap of the gateway when the session is resumed; over HTTP the person sees that it failed.
      if (taps === 'http') await assert.rejects(server.discord.tap(mia, question, 'Yes'))
      else await server.discord.tap(mia, question, 'Yes')
      await server.startReading()
      if (taps === 'http') await server.discord.tap(mia, question, 'Yes')
      await server.message(direct, /You said .*yes/)
      await eventually(() => controls(direct, question.id).length === 0, 'no controls below an answered question')
      for (const text of [/(?<!“)Heard: hello/, /(?<!“)Ship it/, /(?<!“)You said/])
        assert.equal(server.texts(direct).filter((words) => text.test(words)).length, 1, String(text))
    })

    test('each thread of a channel is a dialog of its own and is answered there, also after the session was lost', async () => {
      const [one, two] = ['1100000000000000011', '1100000000000000012']
      server.discord.thread(one, team)
      server.discord.thread(two, team)
      server.discord.say(one, mia, 'one')
      server.discord.say(two, mia, 'two')
      await server.message(one, /Heard: one/)
      await server.message(two, /Heard: two/)
      await server.end('SIGKILL')
      server.discord.forgetSessions()
      server.discord.say(one, mia, 'three')
      await server.startReading()
      await server.message(one, /Heard: three/)
      assert.equal(server.texts(one).filter((words) => /Heard: one/.test(words)).length, 1)
    })

    test('in a channel, a tap and typed words of a stranger change nothing', async () => {
      server.discord.say(team, mia, 'approve')
      const question = await server.message(team, /May I run the migration\?/)
      await server.discord.tap(eve, question, 'Allow once')
      const toast = await eventually(() => server.discord.ephemerals.find(({ user }) => user === eve), 'a toast for Eve')
      assert.match(toast.text, /^Only Mia can decide this/)
      server.discord.say(team, eve, 'Allow once')
      server.discord.say(team, eve, 'Allow once', { replyTo: question.id })
      // Messages of a chat are handled in their order: after this reply, those of Eve were.
      server.discord.say(direct, mia, 'after Eve')
      await server.message(direct, /Heard: after Eve/)
      assert.equal(
        server.texts(team).some((words) => /You said/.test(words)),
        false,
      )
      assert.notEqual(controls(team, question.id).length, 0, 'the controls are still there')
      await server.discord.tap(mia, question, 'Deny')
      await server.message(team, /You said .*deny/)
    })

    test('a message is sent with a file and pinned, edited and removed, through a 429 and a cut connection', async () => {
      const { messages } = server.client()
      writeFileSync(join(server.dir, 'list.csv'), 'a,b')
      server.discord.fault({ operation: /POST .*\/messages$/, status: 429, headers: { 'retry-after': '1' } })
      server.discord.fault({ operation: /POST .*\/messages$/, status: 0, drop: true })
      const sent = await messages.send({
        channel: 'discord',
        target: team,
        message: 'Look at **this**',
        media: pathToFileURL(join(server.dir, 'list.csv')).href,
        delivery: { pin: true },
        waitMs: 20_000,
      })
      const message = await server.message(team, /Look at \*\*this\*\*/)
      assert.deepEqual(
        message.attachments.map(({ filename, size }) => [filename, size]),
        [['0-list.csv', 3]],
      )
      await eventually(() => message.isPinned, 'pinned')
      await server.end('SIGKILL')
      await server.startReading()
      await server.client().messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
      await server.message(team, /Look at that/)
      assert.equal(server.texts(team).filter((words) => words.startsWith('Look')).length, 1)
      const at = { channel: 'discord', target: team, messageId: message.id }
      await server.client().messages.unpin(at)
      assert.equal(message.isPinned, false)
      await server.client().messages.remove(at)
      assert.equal(server.texts(team).filter((words) => words.startsWith('Look')).length, 0)
    })

    test('a file of a person is named to the agent, and a lost socket is opened again', async () => {
      server.discord.disconnect()
      server.discord.say(direct, mia, 'the list', { files: { 'list.txt': Buffer.from('abc') } })
      await server.message(direct, /Heard: the list[^]*list\.txt/)
    })

    if (taps === 'http')
      test('unsigned and old calls are refused; a ping is answered', async () => {
        const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: JSON.stringify({ type: 1 }) })
        const old = await server.discord.post(server.webhookUrl, { type: 1 }, Date.now() - 6 * 60_000)
        assert.deepEqual([unsigned.status, old.status], [401, 401])
        const ping = await server.discord.post(server.webhookUrl, { type: 1 })
        assert.deepEqual([ping.status, await ping.json()], [200, { type: 1 }])
      })
  })

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { DiscordServer } from '../fixtures/discord-server.ts'
import { eventually } from '../fixtures/eventually.ts'

const mia = '1000000000000000001'
const direct = `user:${mia}`
const team = '1100000000000000001'

describe('a dialog by Discord, taps over HTTP', () => {
  let server: DiscordServer
  before(async () => {
    server = await DiscordServer.open('http')
    server.discord.person(mia, 'Mia')
    server.discord.channel(team)
  })
  after(() => server.finish())

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

  test('unsigned and old calls are refused; a ping is answered', async () => {
    const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: JSON.stringify({ type: 1 }) })
    const old = await server.discord.post(server.webhookUrl, { type: 1 }, Date.now() - 6 * 60_000)
    assert.deepEqual([unsigned.status, old.status], [401, 401])
    const ping = await server.discord.post(server.webhookUrl, { type: 1 })
    assert.deepEqual([ping.status, await ping.json()], [200, { type: 1 }])
  })
})

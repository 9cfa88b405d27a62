import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../fixtures/eventually.ts'
import { MattermostServer } from '../fixtures/mattermost-server.ts'

describe('a dialog by Mattermost', () => {
  let server: MattermostServer
  let mia: string
  let direct: string
  let team: string
  before(async () => {
    server = await MattermostServer.open()
    mia = server.mattermost.person('Mia')
    direct = `user:${mia}`
    team = server.mattermost.channel('team')
  })
  after(() => server.finish())

  test('forged calls are refused; each thread of a channel is a dialog of its own and is answered there', async () => {
    const { mattermost } = server
    mattermost.say(team, mia, 'approve')
    const question = await server.message(team, /May I run the migration\?/)
    // Eve has a trigger of her own, and claims to be Mia.
    const claimed = await mattermost.tap(mia, question, 'Allow once', { trigger_id: mattermost.trigger(mattermost.person('Eve')) })
    const old = await mattermost.tap(mia, question, 'Allow once', { trigger_id: mattermost.trigger(mia, Date.now() - 360_000) })
    const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: JSON.stringify({ user_id: mia, context: { address: team } }) })
    assert.deepEqual([claimed.status, old.status, unsigned.status], [401, 401, 401])
    const root = mattermost.say(team, mia, 'a topic')
    mattermost.say(team, mia, 'in the topic', { root })
    assert.equal((await server.message(team, /Heard: in the topic/)).root_id, root)
    assert.equal(server.count(team, /You said/), 0)
  })

  test('a message is sent with a file and pinned, edited and removed, through a 429 and a cut connection', async () => {
    const { messages } = server.client()
    writeFileSync(join(server.dir, 'list.csv'), 'a,b')
    server.mattermost.fault({ operation: /POST \/posts$/, status: 429, headers: { 'retry-after': '1' } })
    server.mattermost.fault({ operation: /POST \/posts$/, status: 0, drop: true })
    const sent = await messages.send({
      channel: 'mattermost',
      target: team,
      message: 'Look at **this**',
      media: pathToFileURL(join(server.dir, 'list.csv')).href,
      delivery: { pin: true },
      waitMs: 20_000,
    })
    const post = await server.message(team, /Look at \*\*this\*\*/)
    assert.deepEqual(
      post.metadata.files.map(({ name, size }) => [name, size]),
      [['list.csv', 3]],
    )
    await eventually(() => post.is_pinned, 'pinned')
    await messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
    await server.message(team, /Look at that/)
    assert.equal(server.count(team, /^Look/), 1)
    const at = { channel: 'mattermost', target: team, messageId: post.id }
    await messages.unpin(at)
    assert.equal(post.is_pinned, false)
    await messages.remove(at)
    assert.equal(server.count(team, /^Look/), 0)
  })

  test('a file of a person is named to the agent, also after the socket was lost', async () => {
    server.mattermost.disconnect()
    server.mattermost.say(direct, mia, 'the list', { files: { 'list.txt': Buffer.from('abc') } })
    await server.message(direct, /Heard: the list[^]*list\.txt/)
  })
})

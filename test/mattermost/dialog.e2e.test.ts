import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { listControls } from '../../src/testing/mattermost-emulator/mattermost-state.ts'
import { eventually } from '../fixtures/eventually.ts'
import { MattermostServer } from '../fixtures/mattermost-server.ts'

describe('a dialog by Mattermost', () => {
  let server: MattermostServer
  let mia: string
  let eve: string
  let direct: string
  let team: string
  before(async () => {
    server = await MattermostServer.open()
    mia = server.mattermost.person('Mia')
    eve = server.mattermost.person('Eve')
    direct = `user:${mia}`
    team = server.mattermost.channel('team')
  })
  after(() => server.finish())

  const count = (where: string, text: RegExp): number => server.texts(where).filter((words) => text.test(words)).length

  test('a direct message is answered; killed between each step, nothing is lost or doubled', async () => {
    server.mattermost.say(direct, mia, 'hello')
    await server.post(direct, /Heard: hello/)
    await server.end('SIGKILL')
    server.mattermost.say(direct, mia, 'choose')
    await server.startReading()
    const question = await server.post(direct, /Ship it\?/)
    await server.end('SIGKILL')
    // The person sees that the tap failed, and taps again.
    await assert.rejects(server.mattermost.tap(mia, question, 'Yes'))
    await server.startReading()
    assert.equal((await server.mattermost.tap(mia, question, 'Yes')).status, 200)
    await server.post(direct, /You said .*yes/)
    await eventually(() => listControls(question).size === 0, 'no controls below an answered question')
    for (const text of [/(?<!“)Heard: hello/, /(?<!“)Ship it/, /(?<!“)You said/]) assert.equal(count(direct, text), 1, String(text))
  })

  test('in a channel, a tap and typed words of a stranger change nothing; each thread is a dialog of its own', async () => {
    server.mattermost.say(team, mia, 'approve')
    const question = await server.post(team, /May I run the migration\?/)
    assert.equal((await server.mattermost.tap(eve, question, 'Allow once')).status, 200)
    const toast = server.mattermost.ephemerals.find(({ user }) => user === eve)
    assert.match(toast?.text ?? '', /^Only Mia can decide this/)
    // Eve has a trigger of her own, and claims to be Mia.
    const claimed = await server.mattermost.tap(mia, question, 'Allow once', { trigger_id: server.mattermost.trigger(eve) })
    const old = await server.mattermost.tap(mia, question, 'Allow once', {
      trigger_id: server.mattermost.trigger(mia, Date.now() - 360_000),
    })
    const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: JSON.stringify({ user_id: mia, context: { address: team } }) })
    assert.deepEqual([claimed.status, old.status, unsigned.status], [401, 401, 401])
    server.mattermost.say(team, eve, 'Allow once')
    server.mattermost.say(team, eve, 'Allow once', { root: question.id })
    // Events are stored in their order: after this reply, those of Eve were.
    const root = server.mattermost.say(team, mia, 'a topic')
    server.mattermost.say(team, mia, 'after Eve', { root })
    const answer = await server.post(team, /Heard: after Eve/)
    assert.equal(answer.root_id, root)
    assert.equal(count(team, /You said/), 0)
    assert.notEqual(listControls(question).size, 0, 'the controls are still there')
    await server.mattermost.tap(mia, question, 'Deny')
    await server.post(team, /You said .*deny/)
    assert.equal(count(team, /You said/), 1)
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
    const post = await server.post(team, /Look at \*\*this\*\*/)
    assert.deepEqual(
      post.metadata.files.map(({ name, size }) => [name, size]),
      [['list.csv', 3]],
    )
    await eventually(() => post.is_pinned, 'pinned')
    await messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
    await server.post(team, /Look at that/)
    assert.equal(count(team, /^Look/), 1)
    const at = { channel: 'mattermost', target: team, messageId: post.id }
    await messages.unpin(at)
    assert.equal(post.is_pinned, false)
    await messages.remove(at)
    assert.equal(count(team, /^Look/), 0)
  })

  test('a file of a person is named to the agent, also after the socket was lost', async () => {
    server.mattermost.disconnect()
    server.mattermost.say(direct, mia, 'the list', { files: { 'list.txt': Buffer.from('abc') } })
    await server.post(direct, /Heard: the list[^]*list\.txt/)
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../fixtures/eventually.ts'
import { FeishuServer } from '../fixtures/feishu-server.ts'

for (const events of ['long connection', 'HTTP'] as const)
  describe(`a dialog by Feishu, events over ${events}`, () => {
    let server: FeishuServer
    let mia: string
    let team: string
    before(async () => {
      server = await FeishuServer.open(events)
      mia = server.feishu.person('Mia')
      team = server.feishu.group('team')
    })
    after(() => server.finish())

    if (events === 'HTTP')
      test('unsigned and old calls are refused; the challenge is answered', async () => {
        const { feishu } = server
        const body = feishu.encrypt({ type: 'url_verification', challenge: 'abc', token: feishu.verificationToken })
        const challenge = await fetch(server.webhookUrl, { method: 'POST', body })
        assert.deepEqual([challenge.status, await challenge.json()], [200, { challenge: 'abc' }])
        const event = { schema: '2.0', header: { event_id: 'x', event_type: 'im.message.receive_v1' }, event: {} }
        const unsigned = await fetch(server.webhookUrl, { method: 'POST', body: feishu.encrypt(event) })
        const old = await feishu.post(server.webhookUrl, event, Date.now() - 9 * 60 * 60_000)
        assert.deepEqual([unsigned.status, old.status], [401, 401])
      })

    // These do not depend on the transport, and each start of a server takes time.
    if (events === 'HTTP') return

    test('a topic is a dialog of its own', async () => {
      const root = server.feishu.say(team, mia, 'the first of a topic')
      server.feishu.say(team, mia, 'in the topic', { root })
      await server.message(`${team}:thread:${root}`, /Heard: in the topic/)
    })

    test('a file is sent and pinned, edited and removed, through a 429 and a cut connection', async () => {
      const { feishu } = server
      writeFileSync(join(server.dir, 'list.csv'), 'a,b')
      feishu.fault({ path: /\/im\/v1\/messages$/, method: 'POST', status: 429, headers: { 'x-ogw-ratelimit-reset': '1' } })
      feishu.fault({ path: /\/im\/v1\/messages$/, method: 'POST', status: 0, drop: 'after' })
      const sent = await server.client().messages.send({
        channel: 'feishu',
        target: team,
        message: 'Look at **this**',
        media: pathToFileURL(join(server.dir, 'list.csv')).href,
        delivery: { pin: true },
        waitMs: 20_000,
      })
      const message = await server.message(team, /Look at \*\*this\*\*/)
      assert.deepEqual([...feishu.uploads.values()], [{ name: 'list.csv', bytes: 3 }])
      await eventually(() => message.isPinned, 'pinned')
      await server.client().messages.edit({ delivery: sent.delivery.id }, { message: 'Look at that' })
      await server.message(team, /Look at that/)
      assert.equal(server.count(team, /^Look/), 1)
      const at = { channel: 'feishu', target: team, messageId: message.id }
      await server.client().messages.unpin(at)
      assert.equal(message.isPinned, false)
      await server.client().messages.remove(at)
      assert.equal(server.count(team, /^Look/), 0)
    })

    test('a lost connection is opened again, and a file of a person is named to the agent', async () => {
      const { feishu } = server
      feishu.disconnect()
      feishu.say(mia, mia, '', { type: 'file', content: { file_key: 'file_v3_1', file_name: 'plan.txt' } })
      await server.message(mia, /Heard: .*plan\.txt/)
    })
  })

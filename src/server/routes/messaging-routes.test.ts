import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { ParleyClient } from '../../client/client.ts'
import type { Scope } from '../../shapes/wire.ts'
import { makeDelivery, fakeMessaging, type FakeMessaging, makePairing } from '../test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

type Refused = { error: { code: string; message: string; hint: string } }

describe('chat apps over HTTP', () => {
  let under: ServerUnderTest
  let messaging: FakeMessaging
  let client: ParleyClient
  before(async () => {
    messaging = fakeMessaging()
    under = await serverUnderTest({ messaging, limits: { strangersPerMinute: 50, bodyBytes: 20_000 } })
    client = await under.client()
  })
  after(() => under.close())
  beforeEach(() => {
    messaging.asked.length = 0
    messaging.kept.clear()
    messaging.people.length = 0
    messaging.strays.length = 0
  })

  const post = async (path: string, body: unknown, more: Record<string, string> = {}, scopes?: Scope[]): Promise<Response> =>
    fetch(under.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await under.token(scopes)}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const refusal = async (response: Response): Promise<Refused['error']> => ((await response.json()) as Refused).error

  test('send: everything is handed on, and the answer says what became of it', async () => {
    const presentation = { title: 'Hi', blocks: [{ type: 'buttons', buttons: [{ label: 'Go', value: 'go' }, { label: '' }] }] }
    const request = {
      channel: 'telegram',
      target: '42',
      message: 'Hello',
      presentation,
      delivery: { pin: true },
      replyTo: '5',
      silent: true,
      waitMs: 100,
    }
    const outcome = await client.messages.send(request)
    assert.equal(outcome.delivery.state, 'sent')
    assert.deepEqual(outcome.dropped, [{ at: 'presentation.blocks[0].buttons[1]', why: outcome.dropped[0]?.why }])
    const [asked] = messaging.asked
    assert.deepEqual(asked?.with, request)
    assert.equal(asked?.caller?.by.kind, 'human')
  })

  test('send: 201; a dry run 200 with the requests and nothing sent', async () => {
    assert.equal((await post('/v1/messages', { target: '42', message: 'x' })).status, 201)
    const dry = await post('/v1/messages', { target: '42', message: 'x', dryRun: true })
    assert.equal(dry.status, 200)
    assert.deepEqual(Object.keys((await dry.json()) as object), ['channel', 'address', 'requests', 'text', 'losses', 'dropped'])
    assert.equal((await client.messages.dryRun({ target: '42', message: 'x' })).requests[0]?.operation, 'sendMessage')
    assert.deepEqual(
      messaging.asked.map(({ what }) => what),
      ['send', 'dryRun', 'dryRun'],
    )
  })

  test('send, edit and preview refuse a button that answers a question, with every scope', async () => {
    const action = { type: 'question', questionId: 'qst_1', optionValue: 'yes' }
    const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Weather', action }] }] }
    for (const [path, more] of [
      ['/v1/messages', { target: '42' }],
      ['/v1/messages', { target: '42', dryRun: true }],
      ['/v1/messages/edit', { delivery: 'dlv_1' }],
      ['/v1/messages/edit', { target: '42', messageId: '1' }],
      ['/v1/messages/preview', {}],
    ] as const) {
      const refused = await post(path, { ...more, presentation })
      assert.equal(refused.status, 400, path)
      assert.equal((await refusal(refused)).code, 'action_reserved', path)
    }
    assert.deepEqual(messaging.asked, [])
  })

  test('send: a key is honoured, and noticed when it is used for something else', async () => {
    const key = { 'idempotency-key': 'one' }
    const headers = { authorization: `Bearer ${await under.token()}`, ...key }
    const first = await post('/v1/messages', { target: '42', message: 'x' }, headers)
    const again = await post('/v1/messages', { target: '42', message: 'x' }, headers)
    assert.deepEqual(await first.json(), await again.json())
    assert.equal(messaging.kept.size, 1)
    assert.equal((await refusal(await post('/v1/messages', { target: '42', message: 'y' }, headers))).code, 'key_reused')
  })

  test('the form of one platform is refused with the name of the portable field', async () => {
    const native: [object, string][] = [
      [{ components: [] }, 'presentation.blocks'],
      [{ blocks: [{ type: 'section' }] }, 'presentation.blocks'],
      [{ buttons: [[{ text: 'a' }]] }, 'presentation.blocks with a block of type "buttons"'],
      [{ card: {} }, 'presentation (title, tone and blocks)'],
      [{ presentation: { title: 'x', components: [] } }, 'presentation.blocks'],
      [{ presentation: { title: 'x', buttons: [] } }, 'presentation.blocks with a block of type "buttons"'],
    ]
    for (const path of ['/v1/messages', '/v1/messages/edit'])
      for (const [field, portable] of native) {
        const response = await post(path, { target: '42', messageId: '1', message: 'x', ...field })
        const { code, hint } = await refusal(response)
        assert.equal(code, 'native_field', JSON.stringify(field))
        assert.equal(hint.includes(portable), true, hint)
      }
    assert.deepEqual(messaging.asked, [])
  })

  test('missing, unknown and too large input is refused before the channel is called', async () => {
    const wrong: [object, string][] = [
      [{ message: 'x' }, 'bad_request'],
      [{ target: '', message: 'x' }, 'bad_request'],
      [{ target: '42' }, 'empty_message'],
      [{ target: '42', message: 'x', surprise: 1 }, 'bad_request'],
      [{ target: '42', media: 'javascript:1' }, 'bad_request'],
      [{ target: '42', media: [] }, 'bad_request'],
      [{ target: '42', media: '/etc/passwd' }, 'bad_request'],
      [{ target: '42', message: 'x', waitMs: 60_000 }, 'bad_request'],
      [{ target: '4\u00002', message: 'x' }, 'bad_text'],
      [{ target: '42', message: 'a\ud800' }, 'bad_text'],
    ]
    for (const [body, code] of wrong) assert.equal((await refusal(await post('/v1/messages', body))).code, code, JSON.stringify(body))
    assert.deepEqual(messaging.asked, [])
    assert.equal((await refusal(await post('/v1/messages', { target: '42', message: ' ' }))).code, 'empty_message')
  })

  test('edit: by a delivery or by a message, not both', async () => {
    await client.messages.edit({ delivery: 'dlv_1' }, { message: 'better' })
    await client.messages.edit({ target: '42', messageId: '7' }, { message: 'better' })
    assert.deepEqual(
      messaging.asked.map((asked) => (asked.with as { which: object }).which),
      [{ delivery: 'dlv_1' }, { channel: undefined, target: '42', messageId: '7' }],
    )
    for (const body of [{ delivery: 'dlv_1', target: '42', messageId: '7' }, { target: '42' }, {}])
      assert.equal((await refusal(await post('/v1/messages/edit', { ...body, message: 'x' }))).code, 'bad_request')
    assert.equal((await refusal(await post('/v1/messages/edit', { delivery: 'dlv_1' }))).code, 'empty_message')
  })

  test('what is done to a message that is there', async () => {
    const at = { channel: 'telegram', target: '42', messageId: '7' }
    const changedMessage = { channel: 'telegram', address: '42', messageId: '7' }
    assert.deepEqual(await client.messages.remove(at), changedMessage)
    assert.deepEqual(await client.messages.react(at, '👍'), changedMessage)
    assert.deepEqual(await client.messages.react(at, null), changedMessage)
    assert.deepEqual(await client.messages.pin({ ...at, notify: true }), changedMessage)
    assert.deepEqual(await client.messages.unpin(at), changedMessage)
    assert.equal((await client.messages.pins({ target: '42', limit: 3 }))[0]?.pin, 'pinned')
    assert.deepEqual(
      messaging.asked.map(({ what, with: given }) => [what, (given as { more?: unknown }).more]),
      [
        ['remove', undefined],
        ['react', '👍'],
        ['react', null],
        ['pin', true],
        ['unpin', undefined],
        ['pins', undefined],
      ],
    )
  })

  test('deliveries: listed, read, tried again', async () => {
    messaging.kept.set('dlv_a', makeDelivery({ id: 'dlv_a', state: 'unknown' }))
    messaging.kept.set('dlv_b', makeDelivery({ id: 'dlv_b' }))
    assert.deepEqual(
      (await client.deliveries.list({ state: 'unknown' })).items.map(({ id }) => id),
      ['dlv_a'],
    )
    const page = await client.deliveries.list({ limit: 1 })
    assert.equal((await client.deliveries.list({ limit: 1, after: page.next ?? '' })).items[0]?.id, 'dlv_b')
    assert.equal((await client.deliveries.get('dlv_b')).state, 'sent')
    assert.equal((await client.deliveries.confirm('dlv_a')).state, 'sent')
    assert.equal((await client.deliveries.retry('dlv_a')).state, 'waiting')
    assert.equal((await client.deliveries.dismiss('dlv_a')).state, 'dismissed')
    await assert.rejects(client.deliveries.dismiss('dlv_x'), { code: 'delivery_not_found' })
    await assert.rejects(client.deliveries.get('dlv_x'), { code: 'delivery_not_found' })
    await assert.rejects(client.deliveries.list({ state: 'odd' as 'sent' }), { code: 'bad_request' })
  })

  test('requests that may send a message hand their key on', async () => {
    messaging.kept.set('dlv_a', makeDelivery({ id: 'dlv_a', state: 'unknown' }))
    const key = { key: 'mine' }
    await client.messages.send({ target: '42', message: 'x' }, key)
    await client.messages.edit({ delivery: 'dlv_a' }, { message: 'y' }, key)
    await client.deliveries.retry('dlv_a', key)
    await client.channels.test('telegram', '42', key)
    assert.deepEqual(
      messaging.asked.map(({ what, caller }) => [what, caller?.once?.key.endsWith(':mine')]),
      [
        ['send', true],
        ['edit', true],
        ['retry', true],
        ['test', true],
      ],
    )
  })

  test('requests: accepted by code, declined, blocked, bound', async () => {
    messaging.people.push(makePairing(), makePairing({ address: '43' }, '654321'))
    assert.equal((await client.pairings.list('requested')).length, 2)
    assert.equal((await client.pairings.accept('123456', 'dlg_1')).dialog, 'dlg_1')
    assert.equal((await client.pairings.decline('654321')).state, 'declined')
    await assert.rejects(client.pairings.accept('000000'), { code: 'pairing_not_found' })
    assert.equal((await client.pairings.block({ target: '42' })).state, 'blocked')
    assert.equal((await client.pairings.unblock({ target: '42' })).state, 'none')
    assert.equal((await client.pairings.bind({ target: '42' }, 'dlg_1')).dialog, 'dlg_1')
    assert.equal((await client.pairings.unbind({ target: '42' })).state, 'accepted')
  })

  test('accounts: listed and tested', async () => {
    assert.equal((await client.channels.list())[0]?.account, '@ada_bot')
    assert.deepEqual(await client.channels.test('telegram'), { account: '@ada_bot', delivery: null })
    assert.equal((await client.channels.test('telegram', '42')).delivery?.address, '42')
  })

  test('the inbox has everything that waits, and counts it', async () => {
    const { id } = await client.dialogs.open({ text: 'ask' })
    await until(async () => (await client.dialogs.get(id)).openQuestions > 0)
    messaging.people.push(makePairing(), makePairing({ address: '43', state: 'declined' }))
    messaging.strays.push({
      id: 'in_1',
      channel: 'telegram',
      address: '9',
      from: { id: '9', name: 'Bo' },
      text: 'hi',
      why: 'no dialog',
      at: 1,
    })
    for (const state of ['unknown', 'failed', 'parked', 'partly-sent', 'sent', 'waiting', 'dismissed'] as const)
      messaging.kept.set(state, makeDelivery({ id: state, state }))
    for (let n = 0; n < 250; n += 1) messaging.kept.set(`many_${n}`, makeDelivery({ id: `many_${n}`, state: 'failed', plannedAt: -n }))
    const { items, count } = await client.inbox()
    assert.equal(count, 1 + 1 + 1 + 4 + 250)
    assert.equal(items.length, 1 + 1 + 1 + 100)
    assert.deepEqual([...new Set(items.map(({ kind }) => kind))], ['question', 'pairing', 'unclaimed', 'delivery'])
    const [stray] = await client.unclaimed()
    assert.ok(stray)
    await client.dismissUnclaimed(stray)
    await client.deliveries.dismiss('failed')
    await assert.rejects(client.dismissUnclaimed(stray), { code: 'unclaimed_not_found' })
    assert.equal((await client.inbox()).count, count - 2)
    assert.equal((await post('/v1/unclaimed/dismiss', { channel: 'telegram', address: '9' })).status, 400)
  })

  describe('what a platform calls us with', () => {
    const call = (
      body: string,
      headers: Record<string, string> = {},
      path = '/v1/channels/telegram/webhook',
    ): Promise<{ status: number; body: string }> =>
      new Promise((resolve, reject) => {
        const request = httpRequest(
          under.url + path,
          { method: 'POST', headers: { 'content-length': String(Buffer.byteLength(body)), ...headers } },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
          },
        )
        request.on('error', reject)
        request.end(body)
      })
    const right = { 'x-telegram-bot-api-secret-token': 'right' }

    test('kept to the byte, by any host name, without any sign-in or content type', async () => {
      const body = '{ "update_id": 1, "odd":  "ä" }'
      const foreign = { host: 'hooks.example.org', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
      const reply = await call(body, { ...right, ...foreign })
      assert.deepEqual([reply.status, JSON.parse(reply.body)], [200, { ok: true }])
      assert.equal(messaging.asked[0]?.with, body)
    })

    test('forged 401, unreadable 400, unknown 404, too large 413; nothing of the body comes back', async () => {
      const marked = 'do-not-repeat-me'
      const answers = [
        await call(marked),
        await call(marked, { 'x-telegram-bot-api-secret-token': marked }),
        await call(marked, right),
        await call(marked, right, '/v1/channels/other/webhook'),
        await call(marked.repeat(2_000), right),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [401, 401, 400, 404, 413],
      )
      for (const { body } of answers) assert.equal(body.includes(marked), false, body)
      assert.deepEqual(messaging.asked, [])
    })

    test('a platform may call often; who guesses is slowed down', async () => {
      for (let n = 0; n < 80; n += 1) assert.equal((await call('{}', right)).status, 200)
      const guesses: number[] = []
      for (let n = 0; n < 60; n += 1) guesses.push((await call('{}')).status)
      assert.equal(guesses.at(-1), 429)
      assert.equal((await call('{}', right)).status, 200)
    })
  })
})

test('without a chat app, every route says how to connect one, and the inbox is that of the dialogs', async () => {
  const under = await serverUnderTest()
  try {
    const client = await under.client()
    for (const ask of [
      () => client.messages.send({ target: '42', message: 'x' }),
      () => client.messages.dryRun({ target: '42', message: 'x' }),
      () => client.deliveries.list(),
      () => client.pairings.accept('123456'),
      () => client.unclaimed(),
      () => client.channels.test('telegram'),
    ])
      await assert.rejects(ask, { code: 'no_channels', hint: 'Connect one: parley channels add' })
    assert.deepEqual(await client.channels.list(), [])
    assert.deepEqual(await client.inbox(), { items: [], count: 0, emergency: null })
    const called = await fetch(`${under.url}/v1/channels/telegram/webhook`, { method: 'POST', body: '{}' })
    assert.equal(called.status, 404)
    await called.arrayBuffer()
  } finally {
    await under.close()
  }
})

test('a decision about people needs more than the right to talk', async () => {
  const messaging = fakeMessaging()
  const under = await serverUnderTest({ messaging })
  try {
    messaging.people.push(makePairing())
    const chatting = await under.client(['chat', 'answer'])
    await assert.rejects(chatting.pairings.accept('123456'), { code: 'not_allowed' })
    await assert.rejects(chatting.channels.test('telegram', '42'), { code: 'not_allowed' })
    await assert.rejects(chatting.dismissUnclaimed({ channel: 'telegram', address: '9', id: 'in_1' }), { code: 'not_allowed' })
    assert.equal((await (await under.client(['pair'])).pairings.accept('123456')).state, 'accepted')
    await assert.rejects(chatting.messages.send({ target: '42', message: 'x' }), { code: 'not_allowed' })
  } finally {
    await under.close()
  }
})

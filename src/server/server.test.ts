import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ParleyClient } from '../client/client.ts'
import { ClientError } from '../client/client-error.ts'
import { serverUnderTest, type ServerUnderTest, until } from './test/server-under-test.ts'

describe('every noun of the API, through the client', () => {
  let under: ServerUnderTest
  let client: ParleyClient
  before(async () => {
    under = await serverUnderTest()
    client = await under.client()
  })
  after(() => under.close())

  test('open, say, get, list, title', async () => {
    const { id } = await client.dialogs.open({ text: 'hello', language: 'zh' })
    await until(async () => (await client.dialogs.get(id)).status === 'ready')
    const receipt = await client.dialogs.say(id, 'again\r\nand again')
    assert.equal(receipt.dialog, id)
    await until(async () => (await client.dialogs.get(id)).preview === 'You said: again\nand again')
    assert.equal((await client.dialogs.title(id, ' A  better\ttitle ')).title, 'A better title')
    const matches = await client.dialogs.list({ search: 'better', limit: 5 })
    assert.deepEqual(
      matches.items.map((one) => one.id),
      [id],
    )
  })

  test('a question is listed, waits in the inbox, is answered once', async () => {
    const { id } = await client.dialogs.open({ text: 'ask' })
    const question = await until(async () => (await client.dialogs.get(id)).questions[0])
    assert.equal(
      (await client.inbox()).items.some((item) => item.kind === 'question' && item.question.id === question.id),
      true,
    )
    assert.equal(
      (await client.questions.list({ state: 'open' })).items.some((one) => one.id === question.id),
      true,
    )
    await assert.rejects(client.questions.answer(question.id, { choice: 'green' }), { code: 'not_a_choice', status: 400 })
    assert.equal((await client.questions.answer(question.id, { choice: 'red' })).state, 'answered')
    await assert.rejects(
      client.questions.answer(question.id, { choice: 'blue' }),
      (error) => error instanceof ClientError && error.code === 'already_answered' && /test/.test(error.message),
    )
    assert.equal((await client.questions.get(question.id)).closed?.answers?.['colour'], 'red')
  })

  test('x-parley-via counts from a token with admin alone', async () => {
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    const callers: [Record<string, string>, string][] = [
      [{ authorization: `Bearer ${await under.token(['read', 'chat', 'answer', 'send', 'pair'])}` }, 'api'],
      [{ cookie: `${under.access.cookieName}=${cookie}`, origin: under.url }, 'web'],
      [{ authorization: `Bearer ${await under.token(['admin'])}` }, 'telegram'],
    ]
    for (const [headers, via] of callers) {
      const response = await fetch(`${under.url}/v1/dialogs`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'x-parley-via': 'telegram' },
        body: JSON.stringify({ text: 'hello' }),
      })
      const { id } = (await response.json()) as { id: string }
      const event = (await client.events.read({ stream: id })).items.find(({ type }) => type === 'message.said')
      const data: { via?: string } = event?.data ?? {}
      assert.equal(data.via, via)
    }
  })

  test('decline and cancel are two other ends', async () => {
    for (const end of ['decline', 'cancel'] as const) {
      const { id } = await client.dialogs.open({ text: 'ask' })
      const question = await until(async () => (await client.dialogs.get(id)).questions[0])
      assert.equal((await client.questions[end](question.id, 'no time')).closed?.reason, 'no time')
    }
  })

  test('stop a reply that is being written, then continue', async () => {
    const { id } = await client.dialogs.open({ text: `slowly ${'x'.repeat(400)}` })
    await until(async () => (await client.dialogs.get(id)).status === 'working')
    await client.dialogs.stop(id)
    await until(async () => (await client.dialogs.get(id)).status === 'stopped')
    await client.dialogs.continue(id)
    await until(async () => (await client.dialogs.get(id)).status === 'ready')
    await assert.rejects(client.dialogs.stop(id), { code: 'nothing_to_stop', status: 409 })
  })

  test('events are read page by page, and token events are not among them', async () => {
    const { id } = await client.dialogs.open({ text: 'hi' })
    await until(async () => (await client.dialogs.get(id)).status === 'ready')
    const first = await client.events.read({ stream: id, limit: 2 })
    assert.deepEqual(
      first.items.map((event) => event.seq),
      [1, 2],
    )
    assert.equal(first.next, '2')
    const rest = await client.events.read({ stream: id, after: 2 })
    assert.equal(rest.items[0]?.seq, 3)
    assert.equal(rest.next, null)
    const all = await client.events.read({ limit: 1000 })
    assert.equal(
      all.items.some((event) => event.stream === 'tokens'),
      false,
    )
    await assert.rejects(client.events.read({ stream: 'tokens' }), { status: 404 })
    await assert.rejects(client.events.read({ stream: 'dlg_nothere' }), { code: 'dialog_not_found', status: 404 })
  })

  test('a repeated key changes nothing; the same key for something else is refused', async () => {
    const { id } = await client.dialogs.open({})
    const one = await client.dialogs.say(id, 'once', { key: 'k1' })
    assert.deepEqual(await client.dialogs.say(id, 'once', { key: 'k1' }), one)
    await assert.rejects(client.dialogs.say(id, 'twice', { key: 'k1' }), { code: 'key_reused', status: 422 })
    const token = await client.tokens.create('ci', ['read'], { key: 'k2' })
    assert.deepEqual(await client.tokens.create('ci', ['read'], { key: 'k2' }), token)
  })

  test('tokens: made, listed without a secret, revoked at once', async () => {
    const { token, view } = await client.tokens.create('robot', ['read', 'chat'])
    const robot = await under.client(['read'], { token })
    assert.equal((await robot.info()).build, 'test')
    await assert.rejects(robot.tokens.list(), { code: 'not_allowed', status: 403 })
    assert.equal(JSON.stringify(await client.tokens.list()).includes(token.slice(-64)), false)
    assert.notEqual((await client.tokens.revoke(view.id)).revokedAt, null)
    await assert.rejects(robot.info(), { code: 'bad_token', status: 401 })
  })

  test('the document of the API lists every path', async () => {
    const document = (await (
      await fetch(`${under.url}/v1/openapi.json`, { headers: { authorization: `Bearer ${await under.token(['read'])}` } })
    ).json()) as { paths: Record<string, Record<string, unknown>> }
    assert.ok(document.paths['/v1/dialogs/{id}/messages']?.['post'])
    assert.ok(Object.keys(document.paths).length >= 20)
  })

  test('metrics count requests', async () => {
    const text = await (await fetch(`${under.url}/metrics`, { headers: { authorization: `Bearer ${await under.token(['read'])}` } })).text()
    assert.match(text, /^parley_http_requests_total\{route="GET \/v1\/dialogs\/\{id\}",status="200"\} \d+$/m)
    assert.match(text, /^parley_http_request_seconds_bucket\{route="[^"]+",le="\+Inf"\} \d+$/m)
  })

  test('health and readiness need no sign-in', async () => {
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(under.url + path)).status, 200)
  })
})

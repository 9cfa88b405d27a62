import { tokenCan } from '../authority/capabilities.ts'
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { scopes } from './auth/tokens.ts'
import type { Scope } from '../shapes/wire.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import type { Route } from './routes/route.ts'
import { buildTable } from './test/route-table.ts'
import { serverUnderTest, type ServerUnderTest } from './test/server-under-test.ts'

type Said = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** Not `fetch`: that one does not let a test say from which host or site it comes. */
function ask(url: string, method: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<Said> {
  return new Promise((resolve, reject) => {
    const requests = httpRequest(
      url,
      { method, headers: body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
        )
      },
    )
    requests.on('error', reject)
    requests.end(body)
  })
}

const getCode = ({ body }: Said): string => (JSON.parse(body) as { error: { code: string } }).error.code

const toPath = (row: Route): string => row.path.replace(/\{\w+\}/, 'xyz_1')

describe('who may come in', () => {
  let under: ServerUnderTest
  before(async () => {
    under = await serverUnderTest({ limits: { strangersPerMinute: 100_000 } })
  })
  after(() => under.close())

  test('every route: no token, a wrong token, each scope', async () => {
    const tokens = Object.fromEntries(
      await Promise.all(scopes.map(async (scope) => [scope, await under.token([scope])] as const)),
    ) as Record<Scope, string>
    for (const row of buildTable(under)) {
      const go = (headers: Record<string, string>): Promise<Said> =>
        ask(under.url + toPath(row), row.method.toUpperCase(), headers, row.body ? '{"surprise":1}' : undefined)
      const name = `${row.method} ${row.path}`
      if (row.capability === 'open') {
        assert.notEqual((await go({ 'content-type': 'application/json' })).status, 401, name)
        continue
      }
      const stranger = await go({})
      assert.equal(stranger.status, 401, name)
      assert.equal(getCode(stranger), 'not_signed_in', name)
      for (const wrong of ['Bearer nonsense', `Bearer parley_tok_1_${'0'.repeat(64)}`, 'Basic abc', `Bearer ${tokens.admin}x`]) {
        const refused = await go({ authorization: wrong })
        assert.equal(refused.status, 401, name)
        assert.equal(getCode(refused), 'bad_token', name)
      }
      for (const scope of scopes) {
        const { status } = await go({ authorization: `Bearer ${tokens[scope]}`, 'content-type': 'application/json' })
        const isAllowed = [row.capability, row.or].some((one) => one !== undefined && tokenCan('owner', [scope], one))
        assert.equal(status === 403, !isAllowed, `${name} with ${scope}: ${status}`)
        assert.notEqual(status, 401, name)
      }
    }
  })

  test('a link works once, also with a second attempt; the cookie then opens everything', async () => {
    const { key } = under.access.signInKey()
    const headers = { 'content-type': 'application/json', origin: under.url, 'idempotency-key': 'mine' }
    const first = await ask(`${under.url}/v1/session`, 'POST', headers, JSON.stringify({ key }))
    assert.equal(first.status, 200)
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    assert.equal((await ask(`${under.url}/v1/session`, 'POST', headers, JSON.stringify({ key }))).status, 200)
    for (const other of ['theirs', '']) {
      const { 'idempotency-key': _, ...rest } = headers
      const again = await ask(
        `${under.url}/v1/session`,
        'POST',
        other === '' ? rest : { ...rest, 'idempotency-key': other },
        JSON.stringify({ key }),
      )
      assert.equal(getCode(again), 'link_used')
    }
    const mine = { cookie: cookie.split(';')[0] ?? '' }
    assert.equal((await ask(`${under.url}/v1/tokens`, 'GET', mine)).status, 200)
    const out = await ask(`${under.url}/v1/session`, 'DELETE', { ...mine, origin: under.url })
    assert.match(out.headers['set-cookie']?.[0] ?? '', /Max-Age=0/)
  })

  test('a cookie only counts from our own page', async () => {
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    const mine = { cookie: `${under.access.cookieName}=${cookie}`, 'content-type': 'application/json' }
    const open = (headers: Record<string, string>): Promise<Said> => ask(`${under.url}/v1/dialogs`, 'POST', { ...mine, ...headers }, '{}')
    const refused: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: under.url, 'sec-fetch-site': 'cross-site' },
      { origin: under.url.replace(/\d+$/, '1') },
    ]
    for (const headers of refused) {
      const outcome = await open(headers)
      assert.equal(outcome.status, 403, JSON.stringify(headers))
      assert.equal(getCode(outcome), 'wrong_origin')
    }
    for (const headers of [
      { origin: under.url },
      { 'sec-fetch-site': 'same-origin' },
      { origin: under.url, 'sec-fetch-site': 'same-origin' },
    ])
      assert.equal((await open(headers as Record<string, string>)).status, 201)
    assert.equal((await ask(`${under.url}/v1/dialogs`, 'GET', mine)).status, 200)
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    assert.equal((await ask(`${under.url}/v1/live`, 'GET', { ...mine, ...upgrade, origin: 'https://evil.example' })).status, 403)
    assert.equal((await ask(`${under.url}/v1/live`, 'GET', upgrade)).status, 401)
  })

  test('a cookie that was changed is no cookie', async () => {
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    for (const changed of [`${cookie}x`, `x${cookie}`, cookie.split('.')[0] ?? '', `${cookie}.${cookie}`, 'a.b', '']) {
      assert.equal((await ask(`${under.url}/v1/info`, 'GET', { cookie: `${under.access.cookieName}=${changed}` })).status, 401, changed)
    }
  })

  test('a foreign host name is refused everywhere', async () => {
    for (const path of ['/healthz', '/', '/v1/info', '/v1/nothing']) {
      for (const host of [
        'evil.example',
        'evil.example:80',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        'a@127.0.0.1',
        '10.0.0.7',
      ]) {
        const outcome = await ask(under.url + path, 'GET', { host })
        assert.equal(outcome.status === 403 || outcome.status === 400, true, `${path} at ${host}: ${outcome.status}`)
        assert.equal(getCode(outcome), outcome.status === 403 ? 'wrong_origin' : 'bad_request')
      }
    }
    for (const host of ['localhost', `127.0.0.1:${under.server.port}`, '[::1]:80', 'parley.localhost'])
      assert.equal((await ask(`${under.url}/healthz`, 'GET', { host })).status, 200, host)
  })

  test('the server does not listen on a public address without a secret', async () => {
    await assert.rejects(under.server.listen({ host: '0.0.0.0', port: 0 }), { code: 'open_without_secret' })
  })
})

describe('failed sign-ins', () => {
  test('a flood of them leaves a correct link, cookie and token working', async (t) => {
    const clock = simulatedClock(Date.now())
    const under = await serverUnderTest({ clock, limits: { strangersPerMinute: 5 } })
    t.after(() => under.close())
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    const token = await under.token(['read'])
    const json = { 'content-type': 'application/json' }
    const signIn = (headers: Record<string, string>, key = 'wrong.key'): Promise<Said> =>
      ask(`${under.url}/v1/session`, 'POST', { ...json, ...headers }, JSON.stringify({ key }))
    const used = under.access.signInKey()
    await under.access.redeem(used.key)
    const floods: (() => Promise<Said>)[] = [
      () => signIn({}),
      () => signIn({ origin: under.url }),
      () => signIn({ 'x-forwarded-for': '203.0.113.7' }),
      () => signIn({}, used.key),
      () => ask(`${under.url}/v1/info`, 'GET', { authorization: 'Bearer guess' }),
      () => ask(`${under.url}/v1/info`, 'GET', { cookie: `${under.access.cookieName}=guess` }),
      () => ask(`${under.url}/v1/session`, 'DELETE', { cookie: `${under.access.cookieName}=guess` }),
    ]
    for (const flood of floods) for (let n = 0; n < 20; n += 1) await flood()
    assert.equal((await signIn({})).status, 429, 'failures are limited')
    assert.equal((await ask(`${under.url}/v1/info`, 'GET', { authorization: `Bearer ${token}` })).status, 200)
    assert.equal((await ask(`${under.url}/v1/info`, 'GET', { cookie: `${under.access.cookieName}=${cookie}` })).status, 200)
    assert.equal((await signIn({ origin: under.url }, under.access.signInKey().key)).status, 200)
  })

  test('a page of another site is refused before its attempts count', async (t) => {
    const clock = simulatedClock(Date.now())
    const under = await serverUnderTest({ clock, limits: { strangersPerMinute: 5 } })
    t.after(() => under.close())
    const signIn = (headers: Record<string, string>): Promise<Said> =>
      ask(`${under.url}/v1/session`, 'POST', { 'content-type': 'application/json', ...headers }, '{"key":"wrong"}')
    for (let n = 0; n < 50; n += 1) {
      assert.equal(getCode(await signIn({ origin: 'https://evil.example' })), 'wrong_origin')
      assert.equal(getCode(await signIn({ 'sec-fetch-site': 'cross-site' })), 'wrong_origin')
    }
    assert.equal(getCode(await signIn({ origin: under.url })), 'link_used')
  })

  test('a page on another port of this machine cannot use up the requests of a signed-in browser', async (t) => {
    const clock = simulatedClock(Date.now())
    const under = await serverUnderTest({ clock, limits: { requestsPerMinute: 10 } })
    t.after(() => under.close())
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    const mine = { cookie: `${under.access.cookieName}=${cookie}` }
    const foreign = { ...mine, 'sec-fetch-site': 'same-site' }
    for (let n = 0; n < 20; n += 1) assert.equal(getCode(await ask(`${under.url}/v1/info`, 'GET', foreign)), 'wrong_origin')
    for (const from of ['same-origin', 'none'])
      assert.equal((await ask(`${under.url}/v1/info`, 'GET', { ...mine, 'sec-fetch-site': from })).status, 200)
  })

  test('repeats of a used link write nothing', async (t) => {
    const store = memoryStore()
    const under = await serverUnderTest({ store })
    t.after(() => under.close())
    const { key } = under.access.signInKey()
    await under.access.redeem(key)
    let commits = 0
    const { commit } = store
    store.commit = (units) => {
      commits += 1
      return commit(units)
    }
    for (let n = 0; n < 10; n += 1) await assert.rejects(under.access.redeem(key), { code: 'link_used' })
    assert.equal(commits, 0)
  })
})

describe('behind a proxy', () => {
  test('a listed origin is ours, and its cookie is secure', async () => {
    const under = await serverUnderTest({ origins: ['https://parley.example.org'] })
    const { key } = under.access.signInKey()
    const local = `http://127.0.0.1:${under.server.port}`
    const outcome = await ask(
      `${local}/v1/session`,
      'POST',
      { host: 'parley.example.org', origin: 'https://parley.example.org', 'content-type': 'application/json' },
      JSON.stringify({ key }),
    )
    assert.equal(outcome.status, 200)
    assert.match(outcome.headers['set-cookie']?.[0] ?? '', /; Secure$/)
    assert.equal(under.url, 'https://parley.example.org')
    await under.close()
  })
})

describe('what every answer looks like', () => {
  let under: ServerUnderTest
  let mine: Record<string, string>
  before(async () => {
    under = await serverUnderTest({ limits: { bodyBytes: 10_000 } })
    mine = { authorization: `Bearer ${await under.token()}`, 'content-type': 'application/json' }
  })
  after(() => under.close())

  test('a request id, no sniffing, no caching', async () => {
    for (const path of ['/healthz', '/v1/nothing', '/', '/nothing.js']) {
      const { headers } = await ask(under.url + path, 'GET')
      assert.match(String(headers['x-request-id']), /^[\w-]{12}$/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    }
  })

  test('unknown paths and methods are errors in words', async () => {
    const nowhere = await ask(`${under.url}/v1/nothing`, 'GET', mine)
    assert.equal(nowhere.status, 404)
    assert.equal(getCode(nowhere), 'not_found')
    const wrong = await ask(`${under.url}/v1/dialogs`, 'DELETE', mine)
    assert.equal(wrong.status, 405)
    assert.equal(getCode(wrong), 'method_not_allowed')
    assert.equal(wrong.headers['allow'], 'POST, GET, HEAD')
    assert.equal(
      (await ask(`${under.url}/v1/dialogs`, 'OPTIONS', { origin: 'https://evil.example' })).headers['access-control-allow-origin'],
      undefined,
    )
    assert.equal((await ask(`${under.url}/healthz`, 'HEAD')).status, 200)
  })

  test('bodies: too large, declared or not; not JSON; not UTF-8; another type', async () => {
    const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Said> =>
      ask(`${under.url}/v1/dialogs`, 'POST', { ...mine, ...headers }, body)
    assert.equal(getCode(await post(`{"text":"${'x'.repeat(20_000)}"}`)), 'too_large')
    const unsized = { 'transfer-encoding': 'chunked', 'content-length': '' }
    assert.equal(getCode(await chunked(`${under.url}/v1/dialogs`, mine, 'x'.repeat(20_000))), 'too_large', JSON.stringify(unsized))
    for (const bad of ['{', '{"text":"a"', 'undefined', '{"text":"\u0001"}', Buffer.from([0x22, 0xff, 0x22])])
      assert.equal(getCode(await post(bad)), 'bad_json')
    assert.equal(getCode(await post('[]')), 'bad_request')
    assert.equal(getCode(await post('['.repeat(9_000))), 'bad_json')
    assert.equal(getCode(await post(`${'['.repeat(4_000)}${']'.repeat(4_000)}`)), 'bad_request')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])
      assert.equal(getCode(await post('{}', { 'content-type': type })), 'wrong_content_type')
    assert.equal((await post('{}', { 'content-type': 'application/json; charset=utf-8' })).status, 201)
  })

  test('text that cannot be kept is refused, everything else is kept as it is', async () => {
    const { id } = await under.parley.dialogs.open({}, { by: { kind: 'human', name: 'x', role: 'owner' }, via: 'test' })
    const say = (text: string): Promise<Said> => ask(`${under.url}/v1/dialogs/${id}/messages`, 'POST', mine, JSON.stringify({ text }))
    for (const bad of ['a\ud800b', '\udc00', 'bell\u0007', 'nul\0', '\u001b[2J', '\u007f', '\u0085']) {
      const outcome = await say(bad)
      assert.equal(getCode(outcome), 'bad_text')
      assert.equal(outcome.body.includes('\u0007'), false)
    }
    const hostileText = '<script>alert(1)</script>\n\t\u202eabc\u202c 语 👩‍👩‍👧 مرحبا'
    assert.equal((await say(hostileText)).status, 201)
    const events = await under.parley.events.read({ stream: id, after: 0, limit: 100 })
    assert.equal(
      events.some((event) => (event.data as { text?: string }).text === hostileText),
      true,
    )
  })

  test('an idempotency key of the wrong shape is refused', async () => {
    assert.equal(
      getCode(await ask(`${under.url}/v1/dialogs`, 'POST', { ...mine, 'idempotency-key': 'x'.repeat(201) }, '{}')),
      'bad_request',
    )
    assert.equal(getCode(await ask(`${under.url}/v1/dialogs`, 'POST', { ...mine, 'idempotency-key': 'ä' }, '{}')), 'bad_request')
  })

  test('a fault of ours gives away nothing but its number', async () => {
    const entries: unknown[] = []
    const broken = await serverUnderTest({
      log: (level, message, fields) => entries.push([level, message, fields]),
      wrap: (parley) => ({ ...parley, inbox: () => Promise.reject(new Error('the inner workings')) }),
    })
    const outcome = await ask(`${broken.url}/v1/inbox`, 'GET', { authorization: `Bearer ${await broken.token()}` })
    assert.equal(outcome.status, 500)
    assert.equal(getCode(outcome), 'internal')
    assert.equal(outcome.body.includes('inner'), false)
    assert.equal(outcome.body.includes(String(outcome.headers['x-request-id'])), true)
    assert.equal(
      entries.some((entry) => (entry as [string])[0] === 'error'),
      true,
    )
    await broken.close()
  })

  test('too many requests wait', async () => {
    const clock = simulatedClock(Date.now())
    const busy = await serverUnderTest({ clock, limits: { requestsPerMinute: 60, strangersPerMinute: 5 } })
    const headers = { authorization: `Bearer ${await busy.token()}` }
    const statuses: number[] = []
    for (let n = 0; n < 62; n += 1) statuses.push((await ask(`${busy.url}/v1/info`, 'GET', headers)).status)
    assert.deepEqual(
      statuses.slice(0, 60).filter((status) => status !== 200),
      [],
    )
    assert.deepEqual(statuses.slice(60), [429, 429])
    const outcome = await ask(`${busy.url}/v1/info`, 'GET', headers)
    assert.equal(outcome.headers['retry-after'], '1')
    await clock.advance(1_000)
    assert.equal((await ask(`${busy.url}/v1/info`, 'GET', headers)).status, 200)
    const guesses: number[] = []
    for (let n = 0; n < 7; n += 1) guesses.push((await ask(`${busy.url}/v1/info`, 'GET', { authorization: 'Bearer guess' })).status)
    assert.deepEqual(guesses, [401, 401, 401, 401, 401, 429, 429])
    await busy.close()
  })
})

function chunked(url: string, headers: Record<string, string>, body: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    outgoing.on('error', reject)
    for (let at = 0; at < body.length; at += 1_000) outgoing.write(body.slice(at, at + 1_000))
    outgoing.end()
  })
}

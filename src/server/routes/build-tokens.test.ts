import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { buildTokenLimits, buildTokenStream } from '../auth/build-tokens.ts'
import { routeCapabilities } from '../../authority/route-capabilities.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

type Said = { status: number; headers: Record<string, string | string[] | undefined>; body: string }
type Made = {
  token: string
  view: { id: string; build: string; expiresAt: number; by: string; name: string; role: string; scopes: string[] }
}

const shop = 'http://shop.test:8080'

/** Not `fetch`: that one does not send an Origin of the test's choice. */
function ask(url: string, method: string, headers: Record<string, string> = {}, body?: object): Promise<Said> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const typed = text === undefined ? headers : { 'content-type': 'application/json', 'content-length': String(text.length), ...headers }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: typed }, (response) => {
      let all = ''
      response.on('data', (piece: Buffer) => (all += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: all }))
    })
    request.on('error', reject)
    request.end(text)
  })
}

const getCode = ({ body }: Said): string => (JSON.parse(body) as { error: { code: string } }).error.code

describe('tokens of one build', () => {
  let under: ServerUnderTest
  let build: string
  let other: string
  let shiftMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs }
  before(async () => {
    under = await serverUnderTest({ clock, embedOrigins: [shop], limits: { strangersPerMinute: 100_000 } })
    const caller = { by: { kind: 'human' as const, name: 'mia', id: 'person:mia', role: 'owner' as const }, via: 'test' }
    build = (await under.parley.builds.open({ prompt: 'A list' }, caller)).build_id
    other = (await under.parley.builds.open({ prompt: 'Another' }, caller)).build_id
  })
  after(() => under.close())

  const go = (token: string, method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Said> =>
    ask(under.url + path, method, { authorization: `Bearer ${token}`, ...headers }, body)
  const tokensPath = (): string => `/v1/builds/${build}/tokens`

  async function make(maker: string, body: object = {}, headers: Record<string, string> = {}): Promise<Made> {
    const made = await go(maker, 'POST', tokensPath(), body, headers)
    assert.equal(made.status, 201, made.body)
    return JSON.parse(made.body) as Made
  }

  test('a token reads, answers and speaks in its build; every other route and build is 404', async () => {
    const owner = await under.token()
    const { token, view } = await make(owner, { name: 'Nori' })
    assert.deepEqual(
      [view.build, view.by, view.name, view.role, view.scopes],
      [build, 'test', 'Nori', 'member', ['read', 'chat', 'answer']],
    )
    assert.equal((await go(token, 'GET', `/v1/builds/${build}`)).status, 200)
    assert.equal((await go(token, 'GET', `/v1/builds/${build}/events?include=person`)).status, 200)
    assert.equal((await go(token, 'GET', `/v1/builds/${build}/events?include=all`)).status, 403)
    assert.notEqual((await go(token, 'POST', `/v1/builds/${build}/answers`, { question_id: 'q', answer: 'x' })).status, 403)
    for (const path of [`/v1/builds/${other}`, `/v1/builds/${other}/events`]) assert.equal((await go(token, 'GET', path)).status, 404, path)
    let closed = 0
    for (const { method, path, limited, capability, later } of routeCapabilities) {
      if (limited || later || capability === 'open') continue
      const real = path.replace('/v1/builds/{id}', `/v1/builds/${build}`).replaceAll(/\{\w+\}/g, 'x')
      assert.equal((await go(token, method.toUpperCase(), real, method === 'get' ? undefined : {})).status, 404, `${method} ${path}`)
      closed += 1
    }
    assert.ok(closed > 30)
  })

  test('a token lasts 15 minutes, is renewed by its maker and never by itself', async () => {
    const owner = await under.token()
    const { token } = await make(owner)
    assert.equal((await go(token, 'POST', tokensPath(), {})).status, 404)
    assert.equal((await go(token, 'GET', tokensPath())).status, 404)
    shiftMs += buildTokenLimits.lifeMs - 5_000
    assert.equal((await go(token, 'GET', `/v1/builds/${build}`)).status, 200)
    const { token: renewed } = await make(owner)
    shiftMs += 10_000
    const expired = await go(token, 'GET', `/v1/builds/${build}`)
    assert.deepEqual([expired.status, getCode(expired)], [401, 'token_expired'])
    assert.equal((await go(token, 'POST', tokensPath(), {})).status, 401)
    assert.equal((await go(renewed, 'GET', `/v1/builds/${build}`)).status, 200)
    assert.equal((await under.store.read(buildTokenStream, 0, 10)).length, 0, 'no event stays for a token of minutes')
  })

  test('they are listed without secrets and revoked with one request, which ends open streams', async () => {
    const owner = await under.token()
    await go(owner, 'DELETE', tokensPath())
    const { token, view } = await make(owner)
    const listed = await go(owner, 'GET', tokensPath())
    const found = (JSON.parse(listed.body) as { items: { id: string; revokedAt: number | null }[] }).items
    assert.ok(found.some(({ id, revokedAt }) => id === view.id && revokedAt === null))
    assert.equal(listed.body.includes(token.slice(-64)) || listed.body.includes('hash'), false)
    const stream = await fetch(`${under.url}/v1/builds/${build}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    })
    const text = stream.text()
    const revoked = JSON.parse((await go(owner, 'DELETE', tokensPath())).body) as { count: number }
    assert.equal(revoked.count, 1)
    assert.match(await text, /event: closed\ndata: .*signed_out/)
    assert.equal(getCode(await go(token, 'GET', `/v1/builds/${build}`)), 'bad_token')
    assert.deepEqual(JSON.parse((await go(owner, 'DELETE', tokensPath())).body), { count: 0 })
    assert.equal((await go(owner, 'GET', `/v1/events?stream=${buildTokenStream}`)).status, 404, 'revocations are private')
  })

  test('a token has no scope its maker lacks, and ends with the access of its maker', async () => {
    const { token: maker, view } = await under.access.createToken('shop', ['read', 'chat'], { role: 'operator' })
    const made = await make(maker, { role: 'guest' })
    assert.deepEqual([made.view.role, made.view.scopes], ['guest', ['read', 'chat']])
    assert.equal((await go(made.token, 'GET', `/v1/builds/${build}/events`)).status, 200)
    assert.equal((await go(made.token, 'POST', `/v1/builds/${build}/answers`, { question_id: 'q', answer: 'x' })).status, 403)
    await under.access.revokeToken(view.id)
    assert.equal(getCode(await go(made.token, 'GET', `/v1/builds/${build}`)), 'bad_token')
    const reader = await under.token(['read'])
    assert.equal((await go(reader, 'POST', tokensPath(), {})).status, 403)
    const stranger = await under.token(['read', 'chat'], { role: 'member' })
    assert.equal((await go(stranger, 'POST', tokensPath(), {})).status, 404, 'a build of others does not exist')
  })

  test('a repeated request gives the same token, another one with its key is refused', async () => {
    const owner = await under.token()
    const key = { 'idempotency-key': 'k1' }
    const first = await make(owner, {}, key)
    assert.deepEqual(await make(owner, {}, key), first)
    assert.equal(getCode(await go(owner, 'POST', tokensPath(), { name: 'x' }, key)), 'key_reused')
  })

  test('the number of tokens of a build is bounded, and room returns as they expire', async () => {
    const owner = await under.token()
    await go(owner, 'DELETE', tokensPath())
    for (let count = 0; count < buildTokenLimits.alivePerBuild; count += 1) await make(owner)
    const full = await go(owner, 'POST', tokensPath(), {})
    assert.deepEqual([full.status, getCode(full), full.headers['retry-after']], [429, 'too_many_build_tokens', '60'])
    shiftMs += buildTokenLimits.lifeMs
    await make(owner)
    shiftMs += buildTokenLimits.expiredMs
    await make(owner)
    assert.equal(await under.store.countRows('build-tokens'), 2, 'those that expired long ago are deleted')
  })

  test('a listed origin may call the routes of a build without cookies, errors included; no other origin may', async () => {
    const owner = await under.token()
    const { token } = await make(owner)
    const path = `/v1/builds/${build}/events`
    const allowed = await go(token, 'GET', path, undefined, { origin: shop })
    assert.equal(allowed.headers['access-control-allow-origin'], shop)
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
    assert.match(String(allowed.headers['vary']), /origin/)
    const wrong = await go('nonsense', 'GET', path, undefined, { origin: shop })
    assert.deepEqual([wrong.status, wrong.headers['access-control-allow-origin']], [401, shop])
    const preflight = { origin: shop, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const answered = await ask(`${under.url}/v1/builds/${build}/answers`, 'OPTIONS', preflight)
    assert.equal(answered.status, 204)
    assert.equal(answered.headers['access-control-allow-methods'], 'POST')
    assert.match(String(answered.headers['access-control-allow-headers']), /authorization.*idempotency-key/)
    for (const origin of ['http://shop.test', 'http://shop.test:8080.evil.test', 'https://shop.test:8080', 'null', `${shop}/`]) {
      assert.equal((await go(token, 'GET', path, undefined, { origin })).headers['access-control-allow-origin'], undefined, origin)
      assert.equal((await ask(`${under.url}${path}`, 'OPTIONS', { ...preflight, origin })).status, 405, origin)
    }
    for (const closed of ['/v1/dialogs', '/v1/builds', tokensPath(), '/v1/info']) {
      assert.equal((await go(owner, 'GET', closed, undefined, { origin: shop })).headers['access-control-allow-origin'], undefined, closed)
      assert.equal((await ask(under.url + closed, 'OPTIONS', preflight)).status, 405, closed)
    }
  })

  test('a cookie counts for nothing from a listed origin', async () => {
    const { cookie } = await under.access.redeem(under.access.signInKey().key)
    const headers = { cookie: `${under.access.cookieName}=${cookie}` }
    assert.equal((await ask(`${under.url}/v1/builds/${build}`, 'GET', headers)).status, 200)
    const foreign = await ask(`${under.url}/v1/builds/${build}`, 'GET', { ...headers, origin: shop })
    assert.deepEqual([foreign.status, getCode(foreign)], [403, 'wrong_origin'])
  })

  test('without embedOrigins no response carries a CORS header', async () => {
    const closed = await serverUnderTest()
    const token = await closed.token()
    for (const path of ['/v1/builds/x/events', '/parley-build.js', '/v1/info']) {
      const { headers } = await ask(closed.url + path, 'GET', { authorization: `Bearer ${token}`, origin: shop })
      assert.equal(headers['access-control-allow-origin'], undefined, path)
    }
    await closed.close()
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { closedSignedOut } from '../../client/live.ts'
import type { SessionView } from '../../shapes/wire.ts'
import { socketLimits } from '../live/live-sockets.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

describe('sessions over HTTP', () => {
  let under: ServerUnderTest
  before(async () => {
    under = await serverUnderTest()
  })
  after(() => under.close())

  type Browser = { cookie: string; headers: Record<string, string> }

  async function signIn(agent = 'Firefox'): Promise<Browser> {
    const response = await fetch(`${under.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: under.url, 'user-agent': agent },
      body: JSON.stringify({ key: under.access.signInKey().key }),
    })
    assert.equal(response.status, 200)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { cookie, headers: { cookie, origin: under.url } }
  }

  const ask = (browser: Browser, method: string, path: string): Promise<Response> =>
    fetch(under.url + path, { method, headers: browser.headers })
  const list = async (browser: Browser): Promise<SessionView[]> =>
    ((await (await ask(browser, 'GET', '/v1/sessions')).json()) as { items: SessionView[] }).items

  /** The code and reason with which the server closes a live connection. */
  async function live(headers: Record<string, string>): Promise<Promise<[number, string]>[]> {
    const socket = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, { headers })
    await once(socket, 'message')
    return [once(socket, 'close').then(([code, reason]) => [code as number, String(reason)])]
  }

  /** Everything a stream of server-sent events says until the server ends it. */
  async function stream(headers: Record<string, string>, path: string): Promise<Promise<string>[]> {
    const response = await fetch(under.url + path, { headers: { ...headers, accept: 'text/event-stream' } })
    assert.equal(response.status, 200)
    return [response.text()]
  }

  const findEnd = (text: string): unknown => {
    const data = /event: closed\ndata: (.+)\n\n$/.exec(text)?.[1] ?? assert.fail(`no end in ${text.slice(-200)}`)
    return (JSON.parse(data) as { code: string }).code
  }

  /** The check at each ping would end them too, after half a minute. */
  async function assertEndedAtOnce(connections: Promise<unknown>[]): Promise<void> {
    const start = performance.now()
    await Promise.all(connections)
    assert.ok(performance.now() - start < socketLimits.pingMs / 2, 'the connections stayed open')
  }

  test('sign-out ends the session on the server: the cookie, its sockets and its streams, and no others', async () => {
    const { build_id: build } = await under.parley.builds.open({ prompt: 'x' }, { by: { kind: 'human', name: 'mia' }, via: 'test' })
    const [mine, other] = [await signIn(), await signIn()]
    const [socket] = await live(mine.headers)
    const [events] = await stream(mine.headers, '/v1/events')
    const [ofBuild] = await stream(mine.headers, `/v1/builds/${build}/events`)
    const others = new WebSocket(`${under.url.replace('http', 'ws')}/v1/live`, { headers: other.headers })
    await once(others, 'message')
    assert.equal((await ask(mine, 'DELETE', '/v1/session')).status, 204)
    assert.equal((await ask(mine, 'GET', '/v1/info')).status, 401)
    await assertEndedAtOnce([socket, events, ofBuild].filter((one) => one !== undefined))
    assert.deepEqual(await socket, [closedSignedOut, 'signed out'])
    assert.equal(findEnd((await events) ?? ''), 'signed_out')
    assert.equal(findEnd((await ofBuild) ?? ''), 'signed_out')
    assert.equal((await ask(other, 'GET', '/v1/info')).status, 200)
    assert.equal(others.readyState, WebSocket.OPEN)
    others.close()
  })

  test('another site cannot sign a browser out', async () => {
    const mine = await signIn()
    const response = await fetch(`${under.url}/v1/session`, {
      method: 'DELETE',
      headers: { cookie: mine.cookie, origin: 'https://evil.example' },
    })
    assert.equal(response.status, 403)
    assert.equal((await ask(mine, 'GET', '/v1/info')).status, 200)
  })

  test('sessions are listed and revoked, one and all others; the log of everything shows none of it', async () => {
    const [mine, laptop, phone] = [await signIn('Firefox'), await signIn('Laptop'), await signIn('Phone')]
    const [own] = (await list(mine)).filter(({ current }) => current)
    assert.equal(own?.browser, 'Firefox')
    const lost = (await list(mine)).find(({ browser }) => browser === 'Phone')
    const [socket] = await live(phone.headers)
    assert.equal((await ask(mine, 'DELETE', `/v1/sessions/${lost?.id ?? ''}`)).status, 200)
    assert.deepEqual(await socket, [closedSignedOut, 'signed out'])
    assert.equal((await ask(phone, 'GET', '/v1/info')).status, 401)
    assert.equal((await ask(laptop, 'GET', '/v1/info')).status, 200)
    assert.equal((await ask(mine, 'DELETE', '/v1/sessions')).status, 200)
    assert.equal((await ask(laptop, 'GET', '/v1/info')).status, 401)
    assert.equal((await ask(mine, 'GET', '/v1/info')).status, 200)
    assert.equal((await ask(mine, 'DELETE', '/v1/sessions/ses_none')).status, 404)
    const events = await (await ask(mine, 'GET', '/v1/events?limit=1000')).text()
    assert.equal(/session\.revoked|token\.created/.test(events), false)
    assert.equal((await ask(mine, 'GET', '/v1/events?stream=sessions')).status, 404)
  })

  test('revoking a token ends its sockets and streams', async () => {
    const { token, view } = await under.access.createToken('robot', ['read'])
    const headers = { authorization: `Bearer ${token}` }
    const [socket] = await live(headers)
    const [events] = await stream(headers, '/v1/events')
    await under.access.revokeToken(view.id)
    await assertEndedAtOnce([socket, events].filter((one) => one !== undefined))
    assert.deepEqual(await socket, [closedSignedOut, 'signed out'])
    assert.equal(findEnd((await events) ?? ''), 'signed_out')
  })
})

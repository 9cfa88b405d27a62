import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { tokenStream } from '../access/access.ts'
import { scopes } from '../access/tokens.ts'
import type { Scope } from '../client/wire.ts'
import { fakeMessaging, type FakeMessaging, deliveryOf, pairingOf } from './test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest, until } from './test/server-under-test.ts'
import { type RouteScope, routeScopes } from './route-scopes.ts'

const caller = { by: { kind: 'human' as const, name: 'mia' }, via: 'test' }

/** Every subset of one and of two scopes. */
const subsets: Scope[][] = scopes.flatMap((one, at) => [[one], ...scopes.slice(at + 1).map((other) => [one, other])])

type World = { dialog: string; side: string; question: string; build: string; n: number }

type Attempt = { path?: string; query?: string; body?: object; effect?: string; headers?: Record<string, string> }

const at = { channel: 'telegram', target: '42' }
const message = { ...at, messageId: '7' }

/** A request of each route that does what the route is for, and one for each effect with a scope of its own. */
const attempts: Record<string, (world: World) => Attempt[]> = {
  'get /healthz': () => [{}],
  'get /readyz': () => [{}],
  'get /v1/openapi.json': () => [{}],
  'post /v1/session': () => [{ body: { key: 'none' } }],
  'delete /v1/session': () => [{}],
  'post /v1/channels/{name}/webhook': () => [{ path: '/v1/channels/telegram/webhook', body: {} }],
  'get /metrics': () => [{}],
  'get /v1/info': () => [{}],
  'get /v1/dialogs': () => [{}],
  'get /v1/dialogs/{id}': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}` }],
  'get /v1/dialogs/{id}/tree': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/tree` }],
  'get /v1/questions': () => [{}],
  'get /v1/questions/{id}': ({ question }) => [{ path: `/v1/questions/${question}` }],
  'get /v1/inbox': () => [{}],
  'get /v1/events': () => [{}],
  'get /v1/builds': () => [{}],
  'get /v1/builds/{id}': ({ build }) => [{ path: `/v1/builds/${build}` }],
  'get /v1/builds/{id}/events': ({ build }) => [
    { path: `/v1/builds/${build}/events` },
    { path: `/v1/builds/${build}/events`, query: '?include=person' },
    { path: `/v1/builds/${build}/events`, query: '?include=all', effect: 'include=all' },
  ],
  'get /v1/channels': () => [{}],
  'get /v1/channels/{name}/files/{fileId}': () => [{ path: '/v1/channels/telegram/files/f1' }],
  'get /v1/deliveries': () => [{}],
  'get /v1/deliveries/{id}': () => [{ path: '/v1/deliveries/dlv_stuck' }],
  'get /v1/messages/pins': () => [{ query: '?target=42' }],
  'post /v1/messages/preview': () => [{ body: { text: 'x' } }],
  'get /v1/pairings': () => [{}],
  'get /v1/unclaimed': () => [{}],
  'post /agui': ({ n }) => [
    {
      effect: 'open, instruct or cancel a build',
      body: { threadId: `t${n}`, runId: 'r', messages: [{ id: 'm', role: 'user', content: 'a list' }] },
    },
  ],
  'post /v1/dialogs': () => [{ body: { text: 'hello' } }],
  'patch /v1/dialogs/{id}': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}`, body: { title: 'T' } }],
  'post /v1/dialogs/{id}/messages': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/messages`, body: { text: 'red' } }],
  'post /v1/dialogs/{id}/stop': ({ side }) => [{ path: `/v1/dialogs/${side}/stop`, body: {} }],
  'post /v1/dialogs/{id}/continue': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/continue`, body: {} }],
  'post /v1/dialogs/{id}/dead': ({ side }) => [{ path: `/v1/dialogs/${side}/dead`, body: {} }],
  'get /v1/dialogs/{id}/controls': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/controls` }],
  'post /v1/dialogs/{id}/controls': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/controls`, body: { turn: 1, data: 'x' } }],
  'post /v1/stop-all': ({ side }) => [{ body: { root: side } }],
  'post /v1/resume-all': ({ side }) => [{ body: { root: side } }],
  'post /v1/questions/{id}/answer': ({ question }) => [{ path: `/v1/questions/${question}/answer`, body: { choice: 'red' } }],
  'post /v1/questions/{id}/decline': ({ question }) => [{ path: `/v1/questions/${question}/decline`, body: {} }],
  'post /v1/questions/{id}/cancel': ({ question }) => [{ path: `/v1/questions/${question}/cancel`, body: {} }],
  'post /v1/builds': () => [{ body: { prompt: 'a list' } }],
  'post /v1/builds/{id}/messages': ({ build }) => [{ path: `/v1/builds/${build}/messages`, body: { text: 'more' } }],
  'post /v1/builds/{id}/answers': ({ build }) => [{ path: `/v1/builds/${build}/answers`, body: { question_id: 'q', answer: 'x' } }],
  'post /v1/builds/{id}/cancel': ({ build }) => [{ path: `/v1/builds/${build}/cancel`, body: {} }],
  'post /v1/builds/{id}/retry': ({ build }) => [{ path: `/v1/builds/${build}/retry`, body: {} }],
  'post /v1/messages': () => [
    { body: { ...at, message: 'x' } },
    { body: { ...at, message: 'x', dryRun: true } },
    { body: { ...at, media: 'file:///project/a.png' }, effect: 'file: media' },
  ],
  'post /v1/messages/edit': () => [{ body: { delivery: 'dlv_stuck', message: 'y' } }, { body: { ...message, message: 'y' } }],
  'post /v1/messages/remove': () => [{ body: message }],
  'post /v1/messages/react': () => [{ body: { ...message, emoji: '👍' } }],
  'post /v1/messages/pin': () => [{ body: message }],
  'post /v1/messages/unpin': () => [{ body: message }],
  'post /v1/deliveries/{id}/retry': () => [{ path: '/v1/deliveries/dlv_stuck/retry', body: {} }],
  'post /v1/deliveries/{id}/dismiss': () => [{ path: '/v1/deliveries/dlv_stuck/dismiss', body: {} }],
  'post /v1/unclaimed/dismiss': () => [{ body: { channel: 'telegram', address: '42', id: 'u1' } }],
  'post /v1/pairings/accept': ({ dialog }) => [{ body: { code: '111111', dialog } }, { body: { code: '222222' } }],
  'post /v1/pairings/decline': () => [{ body: { code: '333333' } }],
  'post /v1/pairings/block': () => [{ body: at }],
  'post /v1/pairings/unblock': () => [{ body: at }],
  'post /v1/pairings/bind': ({ dialog }) => [{ body: { ...at, dialog } }],
  'post /v1/pairings/unbind': () => [{ body: at }],
  'post /v1/channels/{name}/test': () => [{ path: '/v1/channels/telegram/test', body: { target: '42' } }],
  'post /v1/tokens': ({ n }) => [{ body: { name: `made ${n}`, scopes: ['admin'] } }],
  'get /v1/tokens': () => [{}],
  'delete /v1/tokens/{id}': () => [{ path: '/v1/tokens/tok_none' }],
  'post /v1/links': () => [{ body: {} }],
  'get /v1/grants': () => [{}],
  'delete /v1/grants/{id}': () => [{ path: '/v1/grants/grant_none' }],
  'get /v1/policy': () => [{}],
  'post /v1/policy/explain': () => [{ body: { tool: 'run', text: 'git status' } }],
  'post /v1/dialogs/{id}/trust': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/trust`, body: {}, headers: { 'x-parley-via': 'cli' } }],
  'get /v1/sessions': () => [{}],
  'delete /v1/sessions': () => [{}],
  'delete /v1/sessions/{id}': () => [{ path: '/v1/sessions/ses_none' }],
}

/** The scope that each thing asked of the chat apps stands for. */
const scopeOfCall: Record<string, Scope> = {
  ...Object.fromEntries(
    ['send', 'dryRun', 'edit', 'remove', 'react', 'pin', 'unpin', 'retry', 'dismiss', 'dismissUnclaimed'].map((what) => [
      what,
      'send' as const,
    ]),
  ),
  ...Object.fromEntries(['accept', 'decline', 'block', 'unblock', 'bind', 'unbind'].map((what) => [what, 'pair' as const])),
  ...Object.fromEntries(['pins', 'files.get'].map((what) => [what, 'read' as const])),
  test: 'admin',
}

/** The scope that a stored decision of a person stands for. Everything else in the log follows from one of these. */
const scopeOfEvent: Record<string, Scope> = {
  'dialog.opened': 'chat',
  'message.said': 'chat',
  'dialog.titled': 'chat',
  'question.cancelled': 'chat',
  'build.opened': 'chat',
  'build.instructed': 'chat',
  'build.cancelled': 'chat',
  'question.answered': 'answer',
  'question.declined': 'answer',
  'build.answered': 'answer',
  'dialog.trusted': 'admin',
  'grant.ended': 'admin',
  'token.created': 'admin',
  'token.revoked': 'admin',
  'session.revoked': 'admin',
}

/** What one request needs: the scope of its route, and that of the effect. `admin` includes all. */
const mayDo = (granted: readonly Scope[], row: RouteScope, effect: string | undefined): boolean => {
  const needed = [row.scope, ...(effect === undefined ? [] : [row.effects?.[effect] ?? assert.fail(`no effect ${effect}`)])]
  return granted.includes('admin') || needed.every((scope) => scope === 'open' || granted.includes(scope))
}

describe('scopes and routes', () => {
  let under: ServerUnderTest
  let messaging: FakeMessaging
  before(async () => {
    messaging = fakeMessaging()
    messaging.bytes.set('f1', new Uint8Array([1]))
    under = await serverUnderTest({ messaging, limits: { requestsPerMinute: 1_000_000, strangersPerMinute: 1_000_000 } })
  })
  after(() => under.close())

  async function world(n: number): Promise<World> {
    messaging.asked.length = 0
    messaging.kept.set('dlv_stuck', deliveryOf({ id: 'dlv_stuck', state: 'unknown' }))
    const codes = ['111111', '222222', '333333']
    messaging.people.splice(0, messaging.people.length, ...codes.map((code) => pairingOf({}, code)))
    messaging.strays.splice(0, messaging.strays.length, {
      id: 'u1',
      channel: 'telegram',
      address: '42',
      from: { id: '42', name: 'Mira' },
      text: 'hello',
      why: 'nobody took it',
      at: 1,
    })
    const dialog = (await under.parley.dialogs.open({ text: 'ask' }, caller)).id
    const side = (await under.parley.dialogs.open({}, caller)).id
    const build = (await under.parley.builds.open({ prompt: 'anything' }, caller)).build_id
    const question = (await until(async () => (await under.parley.dialogs.get(dialog)).questions[0])).id
    await until(isAtRest)
    return { dialog, side, question, build, n }
  }

  /** The agent here does not speak the protocol of builds, so each build fails without a request; its events must not count. */
  const isAtRest = async (): Promise<boolean> => {
    const open = ['starting', 'running'].map(async (status) => (await under.parley.builds.list({ status, limit: 1 })).items.length)
    const working = (await under.parley.dialogs.list({ status: 'working', limit: 1 })).items.length
    return working + (await Promise.all(open)).reduce((sum, one) => sum + one, 0) === 0
  }

  const ask = async (route: string, { path, query = '', body, headers = {} }: Attempt, token: string): Promise<number> => {
    const [method = '', given = ''] = route.split(' ')
    const response = await fetch(under.url + (path ?? given) + query, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.body?.cancel()
    return response.status
  }

  test('every route of the server has a row, and every row a route', async () => {
    const document = (await (await fetch(`${under.url}/v1/openapi.json`)).json()) as { paths: Record<string, object> }
    const served = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    assert.deepEqual([...served, 'get /v1/live'].toSorted(), Object.keys(routeScopes).toSorted())
    assert.deepEqual([...Object.keys(attempts), 'get /v1/live'].toSorted(), Object.keys(routeScopes).toSorted())
    assert.ok(served.length > 50)
  })

  test('each pair of scopes reaches the routes of its table, and causes no effect outside of it', async (t) => {
    let asked = 0
    const seen = new Set<Scope>()
    for (const [n, granted] of subsets.entries()) {
      const here = await world(n)
      const token = await under.token(granted)
      const position = await under.store.position()
      for (const [route, make] of Object.entries(attempts)) {
        const row = routeScopes[route] ?? assert.fail(route)
        for (const attempt of make(here)) {
          const status = await ask(route, attempt, token)
          asked += 1
          const isRefused = status === 403
          assert.equal(
            isRefused,
            !mayDo(granted, row, attempt.effect),
            `${route} ${attempt.effect ?? ''} with ${granted.join('+')}: ${status}`,
          )
          if (row.scope !== 'open') assert.notEqual(status, 401, route)
        }
      }
      const mayCause = (scope: Scope | undefined): boolean => scope === undefined || granted.includes('admin') || granted.includes(scope)
      for (const { what } of messaging.asked) {
        const scope = scopeOfCall[what]
        assert.ok(scope !== undefined || what === 'webhook', `${what} is not judged`)
        assert.ok(mayCause(scope), `${granted.join('+')} caused ${what}`)
        if (scope) seen.add(scope)
      }
      await until(isAtRest)
      for (const { type, data } of await under.store.readAll(position, 10_000)) {
        const isOfAgent = (data as { by?: { kind?: string } }).by?.kind === 'agent'
        assert.ok(isOfAgent || mayCause(scopeOfEvent[type]), `${granted.join('+')} stored ${type}`)
        const scope = scopeOfEvent[type]
        if (scope && !isOfAgent) seen.add(scope)
      }
    }
    t.diagnostic(`${asked} requests by ${subsets.length} sets of scopes`)
    assert.ok(asked > 1_000)
    assert.deepEqual([...seen].toSorted(), scopes.toSorted(), 'an effect of each scope was caused')
  })

  test('reading a build as a stream shows no more than include=person without admin', async () => {
    const { build } = await world(0)
    const typesFor = async (granted: Scope[], query: string): Promise<string[]> => {
      const response = await fetch(`${under.url}/v1/events?limit=1000&${query}`, {
        headers: { authorization: `Bearer ${await under.token(granted)}` },
      })
      const { items } = (await response.json()) as { items: { type: string; stream: string; data: object }[] }
      return items.filter(({ stream }) => stream === build).map(({ type, data }) => `${type} ${Object.keys(data).toSorted().join()}`)
    }
    const all = await typesFor(['admin'], `stream=${build}`)
    assert.ok(all.some((type) => type.startsWith('build.failed')))
    const opened = (await under.store.readAll(0, 100_000)).find(({ stream }) => stream === build)?.position ?? 0
    for (const query of [`stream=${build}`, `after=${opened - 1}`]) {
      const shown = await typesFor(['read'], query)
      assert.ok(shown.length > 0)
      assert.equal(
        shown.find((type) => /^build\.(turn|faulted|failed|words)/.test(type)),
        undefined,
      )
      assert.equal(shown[0], 'build.opened by,prompt')
    }
  })

  test('tokens of 0.1 keep what worked, except pairing by answer', async () => {
    const legacy = async (granted: Scope[]): Promise<string> => {
      const { token, view } = await under.access.createToken('old', granted)
      const events = await under.store.read(tokenStream, 0, 10_000)
      const created = events.find(({ data }) => (data as { token: string }).token === view.id) ?? assert.fail('no event')
      // As 0.1 wrote it: the same record under another id, without the set of scopes that existed.
      const { scopeSet: _, ...old } = created.data as { scopeSet: number; token: string }
      const id = `${view.id}old`
      const head = await under.store.head(tokenStream)
      await under.store.commit([
        {
          append: [{ stream: tokenStream, expect: head, events: [{ type: 'token.created', at: created.at, data: { ...old, token: id } }] }],
        },
      ])
      return token.replace(view.id, id)
    }
    const here = await world(99)
    const chat = await legacy(['chat'])
    for (const route of Object.keys(routeScopes).filter((name) => routeScopes[name]?.scope === 'send'))
      for (const attempt of attempts[route]?.(here) ?? []) {
        if (route === 'post /v1/unclaimed/dismiss') continue
        assert.equal((await ask(route, attempt, chat)) === 403, attempt.effect !== undefined, route)
      }
    const answer = await legacy(['answer'])
    assert.equal(await ask('post /v1/unclaimed/dismiss', attempts['post /v1/unclaimed/dismiss']?.(here)[0] ?? {}, answer), 204)
    assert.equal(await ask('post /v1/pairings/accept', { body: { code: '111111', dialog: here.dialog } }, answer), 403)
    assert.equal(await ask('post /v1/messages', { body: { ...at, message: 'x' } }, answer), 403)
    assert.equal(
      await ask('post /v1/unclaimed/dismiss', { body: { channel: 'telegram', address: '42', id: 'u1' } }, await under.token(['answer'])),
      403,
    )
    const views = (await under.access.listTokens()).filter(({ isLegacy }) => isLegacy)
    assert.deepEqual(
      views.map(({ scopes: kept }) => kept),
      [['chat', 'send'], ['answer']],
    )
  })
})

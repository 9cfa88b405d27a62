import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { tokenStream } from '../auth/access.ts'
import { scopes } from '../auth/tokens.ts'
import { type Capability, capabilityNames, tokenCan } from '../../authority/capabilities.ts'
import { type Role } from '../../authority/roles.ts'
import { routeCapabilities, type RouteRow } from '../../authority/route-capabilities.ts'
import { z } from 'zod'
import { buildTable } from '../test/route-table.ts'
import { routeEffects } from '../../shapes/operations.ts'
import type { Scope } from '../../shapes/wire.ts'
import { fakeMessaging, type FakeMessaging, makeDelivery, makePairing } from '../test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

const caller = { by: { kind: 'human' as const, name: 'mia', id: 'person:mia', role: 'owner' as const }, via: 'test' }

const rows = new Map(routeCapabilities.filter(({ later }) => !later).map((row) => [`${row.method} ${row.path}`, row]))

/** Every subset of one and of two scopes. */
const subsets: Scope[][] = scopes.flatMap((one, at) => [[one], ...scopes.slice(at + 1).map((other) => [one, other])])

type World = { dialog: string; side: string; spare: string; question: string; approval: string; build: string; n: number }

type Attempt = { path?: string; query?: string; body?: object; effects?: string[]; headers?: Record<string, string> }

const at = { channel: 'telegram', target: '42' }
const message = { ...at, messageId: '7' }

/** A request of a route that needs nothing special: ids are those of the world, and every required field is a text. */
function plainAttempt({ method, path }: RouteRow, body: z.ZodType | undefined, { dialog, question, build }: World): Attempt {
  const ids: Record<string, string> = { dialogs: dialog, questions: question, builds: build }
  const real = path.replace('{id}', ids[path.split('/')[2] ?? ''] ?? 'none')
  if (method === 'get' || method === 'delete') return { path: real }
  const { required = [] } = body ? z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) : {}
  return { path: real, body: Object.fromEntries(required.map((field) => [field, 'x'])) }
}

/** Requests of routes that need more than `plainAttempt`, and one for each effect with a scope of its own. */
const specialAttempts: Record<string, (world: World) => Attempt[]> = {
  'post /v1/session': () => [{ body: { key: 'none' } }],
  'post /v1/channels/{name}/webhook': () => [{ path: '/v1/channels/telegram/webhook', body: {} }],
  'get /v1/builds/{id}/events': ({ build }) => [
    { path: `/v1/builds/${build}/events` },
    { path: `/v1/builds/${build}/events`, query: '?include=person' },
    { path: `/v1/builds/${build}/events`, query: '?include=all', effects: [routeEffects.allEvents] },
  ],
  'get /v1/channels/{name}/files/{fileId}': () => [{ path: '/v1/channels/telegram/files/f1' }],
  'get /v1/deliveries/{id}': () => [{ path: '/v1/deliveries/dlv_stuck' }],
  'get /v1/messages/pins': () => [{ query: '?target=42' }],
  'get /v1/messages/read': () => [{ query: '?target=42' }],
  'get /v1/messages/reactions': () => [{ query: '?target=42&messageId=7' }],
  'post /v1/messages/poll': () => [{ body: { ...at, question: 'Lunch?', options: ['a', 'b'] } }],
  'post /v1/messages/preview': () => [{ body: { text: 'x' } }],
  'post /agui': ({ n }) => [
    {
      effects: [routeEffects.readBuild, routeEffects.writeBuild],
      body: { threadId: `t${n}`, runId: 'r', messages: [{ id: 'm', role: 'user', content: 'a list' }] },
    },
  ],
  'post /v1/dialogs': () => [{ body: { text: 'hello' } }],
  'post /v1/dialogs/{id}/messages': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/messages`, body: { text: 'x' } }],
  'post /v1/files': () => [{ query: '?name=x', body: {} }],
  'post /v1/dialogs/{id}/stop': ({ side }) => [{ path: `/v1/dialogs/${side}/stop`, body: {} }],
  'post /v1/dialogs/{id}/continue': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/continue`, body: {} }],
  'post /v1/dialogs/{id}/give-up': ({ side }) => [{ path: `/v1/dialogs/${side}/give-up`, body: {} }],
  'delete /v1/dialogs/{id}': ({ spare }) => [{ path: `/v1/dialogs/${spare}` }],
  'post /v1/dialogs/{id}/dead': ({ side }) => [{ path: `/v1/dialogs/${side}/dead`, body: {} }],
  'post /v1/dialogs/{id}/controls': ({ dialog }) => [{ path: `/v1/dialogs/${dialog}/controls`, body: { turn: 1, data: 'x' } }],
  'post /v1/stop-all': ({ side }) => [{ body: { root: side } }],
  'post /v1/resume-all': ({ side }) => [{ body: { root: side } }],
  'post /v1/questions/{id}/answer': ({ question, approval }) => [
    { path: `/v1/questions/${question}/answer`, body: { choice: 'red' }, effects: [routeEffects.answer] },
    { path: `/v1/questions/${approval}/answer`, body: { decision: 'deny' }, effects: [routeEffects.approve] },
  ],
  'post /v1/questions/{id}/approve': ({ approval }) => [
    { path: `/v1/questions/${approval}/approve`, body: {}, effects: [routeEffects.approve] },
  ],
  'post /v1/questions/{id}/deny': ({ approval }) => [{ path: `/v1/questions/${approval}/deny`, body: {}, effects: [routeEffects.approve] }],
  'post /v1/questions/{id}/decline': ({ question, approval }) => [
    { path: `/v1/questions/${question}/decline`, body: {}, effects: [routeEffects.answer] },
    { path: `/v1/questions/${approval}/decline`, body: {}, effects: [routeEffects.approve] },
  ],
  'post /v1/builds': () => [{ body: { prompt: 'a list' } }],
  'post /v1/builds/{id}/messages': ({ build }) => [{ path: `/v1/builds/${build}/messages`, body: { text: 'more' } }],
  'post /v1/builds/{id}/answers': ({ build }) => [{ path: `/v1/builds/${build}/answers`, body: { question_id: 'q', answer: 'x' } }],
  'post /v1/builds/{id}/cancel': ({ build }) => [{ path: `/v1/builds/${build}/cancel`, body: {} }],
  'post /v1/builds/{id}/retry': ({ build }) => [{ path: `/v1/builds/${build}/retry`, body: {} }],
  'post /v1/messages': () => [
    { body: { ...at, message: 'x' } },
    { body: { ...at, message: 'x', dryRun: true } },
    { body: { ...at, media: 'file:///project/a.png' }, effects: [routeEffects.file] },
  ],
  'post /v1/messages/edit': () => [{ body: { delivery: 'dlv_stuck', message: 'y' } }, { body: { ...message, message: 'y' } }],
  'post /v1/messages/remove': () => [{ body: message }],
  'post /v1/messages/react': () => [{ body: { ...message, emoji: '👍' } }],
  'post /v1/messages/pin': () => [{ body: message }],
  'post /v1/messages/unpin': () => [{ body: message }],
  'post /v1/deliveries/{id}/retry': () => [{ path: '/v1/deliveries/dlv_stuck/retry', body: {} }],
  'post /v1/deliveries/{id}/confirm': () => [{ path: '/v1/deliveries/dlv_stuck/confirm', body: {} }],
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
  'delete /v1/tokens/{id}': () => [{ path: '/v1/tokens/tok_none' }],
  'post /v1/links': () => [{ body: {} }],
  'delete /v1/grants/{id}': () => [{ path: '/v1/grants/grant_none' }],
  'post /v1/policy/explain': () => [{ body: { tool: 'run', text: 'git status' } }],
  'post /v1/dialogs/{id}/trust': ({ dialog }) => [
    { path: `/v1/dialogs/${dialog}/trust`, body: { upTo: 1 }, headers: { 'x-parley-via': 'cli' } },
  ],
  'post /v1/notifications': () => [
    {
      body: {
        endpoint: 'https://push.example.org/x',
        keys: { p256dh: 'AAAAAAAAAAAA', auth: 'AAAAAAAAAAAA' },
        language: 'en',
        timeZone: 'UTC',
        shows: 'words',
        quiet: null,
      },
    },
  ],
  'delete /v1/sessions/{id}': () => [{ path: '/v1/sessions/ses_none' }],
}

/** The capability that each thing asked of the chat apps stands for. */
const capabilityOfCall: Record<string, Capability> = {
  ...Object.fromEntries(
    ['send', 'dryRun', 'poll', 'edit', 'remove', 'react', 'pin', 'unpin', 'retry', 'confirm', 'dismiss', 'dismissUnclaimed'].map((what) => [
      what,
      'send' as const,
    ]),
  ),
  ...Object.fromEntries(['accept', 'decline', 'block', 'unblock', 'bind', 'unbind'].map((what) => [what, 'pair' as const])),
  ...Object.fromEntries(['pins', 'read', 'reactions', 'files.get'].map((what) => [what, 'read.all' as const])),
  test: 'manage',
}

/** The capability that a stored decision of a person stands for. Everything else in the log follows from one of these. */
const capabilityOfEvent: Record<string, Capability> = {
  'dialog.opened': 'write.own',
  'message.said': 'write.own',
  'dialog.titled': 'write.own',
  'pushes.changed': 'write.own',
  'taskdoc.changed': 'write.own',
  'model.chosen': 'write.own',
  'dialog.pinned': 'write.own',
  'dialog.archived': 'write.own',
  'dialog.deleted': 'write.all',
  'question.cancelled': 'write.all',
  'build.opened': 'write.own',
  'build.instructed': 'write.own',
  'build.cancelled': 'write.own',
  'question.answered': 'answer',
  'question.declined': 'answer',
  'build.answered': 'answer',
  'dialog.trusted': 'manage',
  'grant.ended': 'grants',
  'token.created': 'manage',
  'token.revoked': 'manage',
  'session.revoked': 'manage',
  'build-tokens.revoked': 'write.own',
}

function getCapability({ type, data }: { type: string; data: object }): Capability | undefined {
  const { by, decision, why } = data as { by?: { kind?: string }; decision?: string; why?: string }
  if (by?.kind === 'agent') return undefined
  if (type === 'question.answered' && decision !== undefined) return 'approve'
  // Stop takes back what waits for an approval.
  if (type === 'question.cancelled' && why === 'stopped') return 'write.own'
  return capabilityOfEvent[type]
}

/** A request needs the capability of its route and that of its effect. */
const mayDo = (role: Role, granted: readonly Scope[], row: RouteRow, effects: readonly string[] = []): boolean => {
  const has = (one: Capability | undefined): boolean => one !== undefined && tokenCan(role, granted, one)
  if (row.capability !== 'open' && !has(row.capability) && !has(row.or)) return false
  return effects.every((effect) => has(row.effects?.[effect] ?? assert.fail(`no effect ${effect}`)))
}

describe('roles, scopes and routes', () => {
  let under: ServerUnderTest
  let messaging: FakeMessaging
  /** Schemas of request bodies by route. */
  let bodies: Map<string, z.ZodType | undefined>
  before(async () => {
    messaging = fakeMessaging()
    messaging.bytes.set('f1', new Uint8Array([1]))
    under = await serverUnderTest({ messaging, limits: { requestsPerMinute: 1_000_000, strangersPerMinute: 1_000_000 } })
    bodies = new Map(buildTable(under).map(({ method, path, body }) => [`${method} ${path}`, body]))
  })
  after(() => under.close())

  async function world(n: number): Promise<World> {
    messaging.asked.length = 0
    messaging.kept.set('dlv_stuck', makeDelivery({ id: 'dlv_stuck', state: 'unknown' }))
    const codes = ['111111', '222222', '333333']
    messaging.people.splice(0, messaging.people.length, ...codes.map((code) => makePairing({}, code)))
    messaging.strays.splice(0, messaging.strays.length, {
      id: 'u1',
      channel: 'telegram',
      address: '42',
      from: { id: '42', name: 'Mira' },
      text: 'hello',
      why: 'no dialog took it',
      at: 1,
    })
    const dialog = (await under.parley.dialogs.open({ text: 'ask' }, caller)).id
    const side = (await under.parley.dialogs.open({}, caller)).id
    const spare = (await under.parley.dialogs.open({}, caller)).id
    const build = (await under.parley.builds.open({ prompt: 'anything' }, caller)).build_id
    const question = (await until(async () => (await under.parley.dialogs.get(dialog)).questions[0])).id
    const waiting = (await under.parley.dialogs.open({ text: 'deploy 7' }, caller)).id
    const approval = (await until(async () => (await under.parley.dialogs.get(waiting)).questions[0])).id
    await until(isAtRest)
    return { dialog, side, spare, question, approval, build, n }
  }

  /** The agent here does not speak the protocol of builds, so each build fails without a request; its events must not count. */
  const isAtRest = async (): Promise<boolean> => {
    const open = ['starting', 'running'].map(async (status) => (await under.parley.builds.list({ status, limit: 1 })).items.length)
    const working = (await under.parley.dialogs.list({ status: 'working', limit: 1 })).items.length
    return working + (await Promise.all(open)).reduce((sum, one) => sum + one, 0) === 0
  }

  const makeAttempts = (route: string, here: World): Attempt[] => {
    const special = specialAttempts[route]?.(here)
    if (special) return special
    const row = rows.get(route) ?? assert.fail(route)
    return [plainAttempt(row, bodies.get(route), here)]
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
    const headers = { authorization: `Bearer ${await under.token(['read'])}` }
    const document = (await (await fetch(`${under.url}/v1/openapi.json`, { headers })).json()) as { paths: Record<string, object> }
    const served = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
    assert.deepEqual([...served, 'get /v1/live'].toSorted(), [...rows.keys()].toSorted())
    const unknown = Object.keys(specialAttempts).filter((route) => !rows.has(route))
    assert.deepEqual(unknown, [])
    assert.ok(served.length > 50)
  })

  /** All requests of one token in a world of its own. Returns what it caused. */
  async function askEverything(role: Role, granted: Scope[], n: number): Promise<{ asked: number; caused: Set<Capability> }> {
    const here = await world(n)
    const token = await under.token(granted, { role })
    const position = await under.store.position()
    const who = `${role} with ${granted.join('+')}`
    let requestCount = 0
    for (const [route, row] of rows) {
      // Its upgrade is tested with the live connection.
      if (route === 'get /v1/live') continue
      for (const attempt of makeAttempts(route, here)) {
        const status = await ask(route, attempt, token)
        requestCount += 1
        const name = `${route} ${attempt.effects?.join() ?? ''} by ${who}: ${status}`
        if (mayDo(role, granted, row, attempt.effects)) assert.notEqual(status, 403, name)
        // A member gets 404 for what they may not see.
        else assert.ok(status === 403 || (role === 'member' && status === 404), name)
        if (row.capability !== 'open') assert.notEqual(status, 401, route)
      }
    }
    const caused = new Set<Capability>()
    for (const { what } of messaging.asked) {
      if (what === 'webhook') continue
      caused.add(capabilityOfCall[what] ?? assert.fail(`${what} is not judged`))
    }
    await until(isAtRest)
    for (const event of await under.store.readAll(position, 10_000)) {
      const capability = getCapability(event)
      if (capability) caused.add(capability)
      const isOfWorld = Object.values(here).includes(event.stream)
      if (role === 'member') assert.ok(!isOfWorld, `${who} caused ${event.type} in what others own`)
    }
    for (const capability of caused) assert.ok(tokenCan(role, granted, capability), `${who} caused ${capability}`)
    return { asked: requestCount, caused }
  }

  test('A24: each pair of scopes reaches the routes of its table, and causes no effect outside of it', async (t) => {
    let asked = 0
    const seenKeys = new Set<Capability>()
    for (const [n, granted] of subsets.entries()) {
      const outcomes = await askEverything('owner', granted, n)
      asked += outcomes.asked
      for (const one of outcomes.caused) seenKeys.add(one)
    }
    t.diagnostic(`${asked} requests by ${subsets.length} sets of scopes`)
    assert.ok(asked > 1_000)
    const unseen = capabilityNames.filter((one) => !seenKeys.has(one))
    assert.deepEqual(unseen, ['read.own', 'grants', 'worlds'], 'an effect of each capability that has one was caused')
  })

  test('each role reaches the routes of its capabilities with every scope, and members change nothing of others', async (t) => {
    let asked = 0
    const sets: Scope[][] = [...scopes.map((one) => [one]), [...scopes]]
    for (const role of ['operator', 'member'] as const)
      for (const [n, granted] of sets.entries()) asked += (await askEverything(role, granted, 1_000 + n)).asked
    t.diagnostic(`${asked} requests by 2 roles with ${sets.length} sets of scopes`)
    assert.ok(asked > 1_000)
  })

  test('attack 7: a token with answer accepts no pairing', async () => {
    await world(0)
    for (const role of ['owner', 'operator', 'member'] as const) {
      const status = await ask('post /v1/pairings/accept', { body: { code: '111111' } }, await under.token(['answer'], { role }))
      assert.equal(status, 403, role)
    }
    assert.equal(messaging.asked.length, 0)
  })

  test('attack 8: a token with chat sends no button that answers a question', async () => {
    const { question } = await world(0)
    for (const type of ['question', 'approval']) {
      const presentation = { blocks: [{ type: 'buttons', buttons: [{ label: 'Yes', action: { type, question, value: 'red' } }] }] }
      const response = await fetch(`${under.url}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await under.token(['chat', 'send'], { role: 'operator' })}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...at, presentation }),
      })
      assert.equal(response.status, 400)
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'action_reserved')
    }
    assert.equal(messaging.asked.length, 0)
  })

  test('reading a build as a stream shows a member no more than include=person', async () => {
    const { build } = await world(0)
    const member = await under.token(['read'], { limit: { build }, role: 'member' })
    const typesFor = async (token: string, query: string): Promise<string[]> => {
      const response = await fetch(`${under.url}/v1/events?limit=1000&${query}`, { headers: { authorization: `Bearer ${token}` } })
      const { items } = (await response.json()) as { items: { type: string; stream: string; data: object }[] }
      return items.filter(({ stream }) => stream === build).map(({ type, data }) => `${type} ${Object.keys(data).toSorted().join()}`)
    }
    const all = await typesFor(await under.token(['read'], { role: 'operator' }), `stream=${build}`)
    assert.ok(all.some((type) => type.startsWith('build.failed')))
    const opened = (await under.store.readAll(0, 100_000)).find(({ stream }) => stream === build)?.position ?? 0
    for (const query of [`stream=${build}`, `after=${opened - 1}`]) {
      const visibleTypes = await typesFor(member, query)
      assert.ok(visibleTypes.length > 0)
      assert.equal(
        visibleTypes.find((type) => /^build\.(turn|faulted|failed|words)/.test(type) && type !== 'build.turn.started wishes'),
        undefined,
      )
      assert.equal(visibleTypes[0], 'build.opened by,prompt')
    }
  })

  test('tokens of 0.1 keep what worked, except pairing by answer', async () => {
    const legacy = async (granted: Scope[]): Promise<string> => {
      const { token, view } = await under.access.createToken('old', granted)
      const events = await under.store.read(tokenStream, 0, 10_000)
      const created = events.find(({ data }) => (data as { token: string }).token === view.id) ?? assert.fail('no event')
      // As 0.1 wrote it: the same record under another id, without the set of scopes that existed.
      const { scopeSet: _, role: __, ...old } = created.data as { scopeSet: number; role: string; token: string }
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
    for (const [route] of [...rows].filter(([, row]) => row.capability === 'send'))
      for (const attempt of makeAttempts(route, here)) {
        if (route === 'post /v1/unclaimed/dismiss') continue
        assert.equal((await ask(route, attempt, chat)) === 403, attempt.effects !== undefined, route)
      }
    const answer = await legacy(['answer'])
    assert.equal(await ask('post /v1/unclaimed/dismiss', makeAttempts('post /v1/unclaimed/dismiss', here)[0] ?? {}, answer), 204)
    assert.equal(await ask('post /v1/pairings/accept', { body: { code: '111111', dialog: here.dialog } }, answer), 403)
    assert.equal(await ask('post /v1/messages', { body: { ...at, message: 'x' } }, answer), 403)
    assert.equal(
      await ask('post /v1/unclaimed/dismiss', { body: { channel: 'telegram', address: '42', id: 'u1' } }, await under.token(['answer'])),
      403,
    )
    const views = (await under.access.listTokens()).filter(({ isLegacy }) => isLegacy)
    assert.deepEqual(
      views.map(({ role, scopes: kept }) => [role, ...kept]),
      [
        ['operator', 'chat', 'send'],
        ['operator', 'answer'],
      ],
    )
  })
})

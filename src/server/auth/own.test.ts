import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { NewToken } from './access.ts'
import type { Person } from '../../authority/people.ts'
import { defaultPolicy, type Policy } from '../../authority/policy.ts'
import type { Role } from '../../authority/roles.ts'
import { dialogOfBuild } from '../../builds/rules/build-dialog.ts'
import { ClientError } from '../../client/client-error.ts'
import type { ParleyClient } from '../../client/client.ts'
import { eventsIn } from '../../client/sse.ts'
import { everything } from '../../client/live.ts'
import type { EventView, Scope } from '../../shapes/wire.ts'
import type { Caller } from '../../shapes/parley.ts'
import { foldedViews, foldViews } from '../../app/stream-kinds.ts'
import { fakeMessaging, makeDelivery } from '../test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

const person = (key: string, role: Role): Person => ({ key, name: key === 'bob' ? 'Bob Lee' : key, role, identities: [] })

const people = [person('mia', 'owner'), person('ann', 'operator'), person('bob', 'member'), person('cid', 'member')]
const policy: Policy = { ...defaultPolicy, people, approvers: ['cid'] }

const getCaller = (key: string, role: Role): Caller => ({ by: { kind: 'human', name: key, id: `person:${key}`, role }, via: 'web' })

const getCode = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'worked',
    (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
  )

let under: ServerUnderTest
before(async () => {
  under = await serverUnderTest({ policy: () => policy, messaging: fakeMessaging(), limits: { requestsPerMinute: 1_000_000 } })
})
after(() => under.close())

/** Asks as a person signed in by a link that was made for them. */
async function signedIn(key: string): Promise<(method: string, path: string, body?: object) => Promise<{ status: number; json: unknown }>> {
  const { cookie } = await under.access.redeem(under.access.signInKey({ person: key }).key)
  return async (method, path, body) => {
    const response = await fetch(under.url + path, {
      method,
      headers: {
        cookie: `${under.access.cookieName}=${cookie}`,
        origin: under.url,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: response.status === 204 ? null : await response.json() }
  }
}

const withToken = async (scopes: Scope[], more: NewToken): Promise<ParleyClient> =>
  under.client(undefined, { token: await under.token(scopes, more) })

async function questionIn(dialog: string): Promise<string> {
  return (await until(async () => (await under.parley.dialogs.get(dialog)).questions[0])).id
}

/** Events of all streams as a caller reads them live, until the one named is there or `ends` is. */
async function liveEvents(client: ParleyClient, stream: string, isEnough: (events: EventView[]) => boolean): Promise<EventView[]> {
  const log: EventView[] = []
  await new Promise<void>((resolve, reject) => {
    client.live().follow(stream, 0, {
      onEvents: (events) => {
        log.push(...events)
        if (isEnough(log)) resolve()
      },
      onError: ({ code }) => reject(new Error(code)),
    })
  })
  return log
}

/** The same over server-sent events. */
async function sentEvents(token: string, isEnough: (events: EventView[]) => boolean): Promise<EventView[]> {
  const over = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const { body } = await fetch(`${under.url}/v1/events`, { headers, signal: over.signal })
  const visibleEvents: EventView[] = []
  for await (const batch of eventsIn(body ?? assert.fail('no body'))) {
    visibleEvents.push(...batch.filter(({ id }) => id !== '').map(({ data }) => JSON.parse(data) as EventView))
    if (isEnough(visibleEvents)) break
  }
  over.abort()
  return visibleEvents
}

describe("what is a member's own", () => {
  test('a member sees and changes the dialogs they opened or spoke in, and no others', async () => {
    const bob = await signedIn('bob')
    const theirs = (await under.parley.dialogs.open({ text: 'hers' }, getCaller('mia', 'owner'))).id
    const own = (await bob('POST', '/v1/dialogs', { text: 'mine' })).json as { id: string }
    const list = async (): Promise<string[]> =>
      ((await bob('GET', '/v1/dialogs')).json as { items: { id: string }[] }).items.map(({ id }) => id)
    assert.deepEqual(await list(), [own.id])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/tree', undefined],
      ['POST', '/messages', { text: 'x' }],
      ['POST', '/stop', {}],
      ['POST', '/continue', {}],
      ['GET', '/controls', undefined],
      ['PATCH', '', { title: 'x' }],
    ] as const) {
      const head = await under.store.head(theirs)
      const there = await bob(method, `/v1/dialogs/${theirs}${path}`, body)
      const nowhere = await bob(method, `/v1/dialogs/dlg_none${path}`, body)
      assert.deepEqual(
        [there.status, JSON.stringify(there.json).replaceAll(theirs, 'dlg_none')],
        [nowhere.status, JSON.stringify(nowhere.json)],
      )
      assert.equal(there.status, 404, `${method} ${path}`)
      assert.equal(await under.store.head(theirs), head)
    }
    assert.equal((await bob('GET', `/v1/dialogs/${own.id}/tree`)).status, 200)
    // A message in it is enough, no matter who opened it.
    await under.parley.dialogs.say(theirs, 'and bob', getCaller('bob', 'member'))
    assert.deepEqual((await list()).toSorted(), [own.id, theirs].toSorted())
    assert.equal((await bob('POST', `/v1/dialogs/${theirs}/messages`, { text: 'x' })).status, 201)
  })

  test('the list of a member is searched, filtered by status and read page by page', async () => {
    const client = await withToken(['read', 'chat'], { role: 'member' })
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push((await client.dialogs.open({ title: n % 2 === 0 ? `Red ${n}` : `Blue ${n}` })).id)
    await under.parley.dialogs.open({ title: 'Red of another' }, getCaller('mia', 'owner'))
    const pages: string[][] = []
    for (let from: string | undefined; ;) {
      const page = await client.dialogs.list({ limit: 3, ...(from !== undefined && { after: from }) })
      pages.push(page.items.map(({ id }) => id))
      if (page.next === null) break
      from = page.next
    }
    assert.deepEqual(pages.flat().toSorted(), ids.toSorted())
    assert.ok(pages.every((page) => page.length <= 3))
    assert.equal((await client.dialogs.list({ search: 'RED' })).items.length, 4)
    assert.equal((await client.dialogs.list({ status: 'failed' })).items.length, 0)
  })

  test('a member sees builds they started, with the dialog in which the agent works', async () => {
    const client = await withToken(['read', 'chat', 'answer'], { role: 'member' })
    const { build_id: other } = await under.parley.builds.open({ prompt: 'hers' }, getCaller('mia', 'owner'))
    const { build_id: own } = await client.builds.start({ prompt: 'mine' })
    assert.deepEqual(
      (await client.builds.list()).items.map(({ build_id }) => build_id),
      [own],
    )
    assert.equal(await getCode(client.builds.get(other)), 'build_not_found')
    assert.equal(await getCode(client.builds.cancel(other)), 'build_not_found')
    assert.equal(await getCode(client.builds.answer(other, { answers: { q: 'x' } })), 'build_not_found')
    assert.equal(await getCode(client.events.read({ stream: other })), 'dialog_not_found')
    assert.equal(await getCode(client.events.read({ stream: own })), 'worked')
    await until(async () => (await under.parley.builds.get(own)).status === 'failed')
    assert.notEqual(await getCode(client.dialogs.get(dialogOfBuild(other))), 'worked')
    const all = await fetch(`${under.url}/v1/builds/${own}/events?include=all`, {
      headers: { authorization: `Bearer ${await under.token(['read'], { role: 'member' })}` },
    })
    assert.equal(all.status, 403)
  })

  test('a member is asked what is addressed to them, and answers it', async () => {
    const bob = await signedIn('bob')
    const own = (await under.parley.dialogs.open({ text: 'ask' }, getCaller('bob', 'member'))).id
    const theirs = (await under.parley.dialogs.open({ text: 'ask' }, getCaller('mia', 'owner'))).id
    const [mine, hers] = [await questionIn(own), await questionIn(theirs)]
    const inbox = (await bob('GET', '/v1/inbox')).json as { items: { question: { id: string } }[]; count: number }
    assert.deepEqual([inbox.items.map(({ question }) => question.id), inbox.count], [[mine], 1])
    const listed = ((await bob('GET', '/v1/questions?state=open')).json as { items: { id: string }[] }).items
    assert.deepEqual(
      listed.map(({ id }) => id),
      [mine],
    )
    assert.equal((await bob('GET', `/v1/questions/${hers}`)).status, 404)
    assert.equal((await bob('POST', `/v1/questions/${hers}/answer`, { choice: 'red' })).status, 404)
    assert.equal((await bob('POST', `/v1/questions/${mine}/answer`, { choice: 'red' })).status, 200)
    assert.deepEqual(((await bob('GET', '/v1/inbox')).json as { count: number }).count, 0)
    assert.deepEqual(
      ((await bob('GET', '/v1/questions')).json as { items: { id: string }[] }).items.map(({ id }) => id),
      [mine],
    )
  })

  test('events and live show a member only their own', async () => {
    const client = await withToken(['read', 'chat'], { role: 'member' })
    await under.parley.dialogs.open({ text: 'hers' }, getCaller('mia', 'owner'))
    const { id: own } = await client.dialogs.open({ text: 'mine' })
    await until(async () => (await under.parley.dialogs.get(own)).status === 'ready')
    const { items } = await client.events.read({ limit: 1_000 })
    assert.deepEqual(new Set(items.map(({ stream }) => stream)), new Set([own]))
    const followed = await liveEvents(client, everything, (events) => events.some(({ type }) => type === 'turn.finished'))
    assert.deepEqual(new Set(followed.map(({ stream }) => stream)), new Set([own]))
  })

  test('the rows of what is whose follow from the log', async () => {
    const folded = await foldViews(under.store)
    for (const view of foldedViews.filter((name) => ['own-dialog', 'own-build', 'addressed'].includes(name))) {
      const stored = await under.store.rows({ view, limit: 10_000 })
      assert.ok(stored.length > 0, view)
      assert.deepEqual(
        new Map(stored.map((row) => [`${row.view}/${row.key}`, row])),
        new Map([...folded].filter(([, row]) => row.view === view)),
      )
    }
  })
})

describe('A25: a token limited to one dialog', () => {
  test('A25: knows that dialog and nothing else', async () => {
    const { id: dialog } = await under.parley.dialogs.open({ text: 'ask' }, getCaller('mia', 'owner'))
    const { id: other } = await under.parley.dialogs.open({ text: 'ask' }, getCaller('mia', 'owner'))
    const { build_id: build } = await under.parley.builds.open({ prompt: 'hers' }, getCaller('mia', 'owner'))
    const [question, otherQuestion] = [await questionIn(dialog), await questionIn(other)]
    const { id: third } = await under.parley.dialogs.open({ text: 'deploy x' }, getCaller('bob', 'member'))
    const approval = await questionIn(third)
    for (const role of ['member', 'owner'] as const) {
      const client = await withToken(['admin'], { role, limit: { dialog } })
      assert.deepEqual(
        (await client.dialogs.list()).items.map(({ id }) => id),
        [dialog],
      )
      assert.deepEqual(
        (await client.questions.list({ state: 'open' })).items.map(({ id }) => id),
        [question],
      )
      assert.deepEqual(
        (await client.inbox()).items.map((item) => item.kind === 'question' && item.question.id),
        [question],
      )
      assert.deepEqual((await client.builds.list()).items, [])
      const { agents, problems, emergency } = await client.info()
      assert.deepEqual([agents, problems, emergency], [[], [], null])
      const events = (await client.events.read({ limit: 1_000 })).items
      assert.deepEqual(new Set(events.map(({ stream }) => stream)), new Set([dialog]))
      assert.equal((await client.dialogs.get(dialog)).id, dialog)
      const calls: [string, () => Promise<unknown>, string][] = [
        ['get', () => client.dialogs.get(other), 'dialog_not_found'],
        ['say', () => client.dialogs.say(other, 'x'), 'dialog_not_found'],
        ['open', () => client.dialogs.open({ text: 'x' }), 'not_found'],
        ['question', () => client.questions.get(otherQuestion), 'question_not_found'],
        ['answer', () => client.questions.answer(otherQuestion, { choice: 'red' }), 'question_not_found'],
        ['approval', () => client.questions.get(approval), 'question_not_found'],
        ['approve', () => client.questions.answer(approval, { decision: 'once' }), 'question_not_found'],
        ['build', () => client.builds.get(build), 'build_not_found'],
        ['start', () => client.builds.start({ prompt: 'x' }), 'not_found'],
        ['events', () => client.events.read({ stream: other }), 'dialog_not_found'],
        ['tokens', () => client.tokens.list(), 'not_found'],
        ['token', () => client.tokens.create('x', ['read']), 'not_found'],
        ['link', () => client.link(), 'not_found'],
        ['sessions', () => client.sessions.list(), 'not_found'],
        ['channels', () => client.channels.list(), 'not_found'],
        ['deliveries', () => client.deliveries.list(), 'not_found'],
        ['grants', () => client.grants.list(), 'not_found'],
        ['policy', () => client.policy.show(), 'not_found'],
        ['stop all', () => client.dialogs.stopAll(), role === 'owner' ? 'dialog_not_found' : 'role_too_low'],
        ['stop another', () => client.dialogs.stopAll(other), role === 'owner' ? 'dialog_not_found' : 'role_too_low'],
      ]
      for (const [what, call, code] of calls) assert.equal(await getCode(call()), code, `${role}: ${what}`)
      await assert.rejects(liveEvents(client, other, () => true))
      const isAsked = (seen: EventView[]): boolean => seen.some(({ type }) => type === 'question.asked')
      const token = await under.token(['read'], { role, limit: { dialog } })
      for (const followed of [await liveEvents(client, everything, isAsked), await sentEvents(token, isAsked)])
        assert.deepEqual(new Set(followed.map(({ stream }) => stream)), new Set([dialog]))
    }
    assert.equal(await under.parley.dialogs.emergency(), null)
    const member = await withToken(['read', 'chat', 'answer'], { role: 'member', limit: { dialog } })
    await member.dialogs.say(dialog, 'still here')
  })

  test('hears of changes in that dialog only', async () => {
    const { id: dialog } = await under.parley.dialogs.open({}, getCaller('mia', 'owner'))
    const client = await withToken(['read'], { role: 'member', limit: { dialog } })
    const owner = await under.client()
    const changes = { limited: 0, owner: 0 }
    client.live().onChanged(() => {
      changes.limited += 1
    })
    owner.live().onChanged(() => {
      changes.owner += 1
    })
    await Promise.all([client, owner].map((one) => liveEvents(one, dialog, (seen) => seen.length > 0)))
    const soFar = { ...changes }
    // Several, one after the other: a frame about the first would have arrived before the last.
    for (let rounds = 1; rounds <= 3; rounds += 1) {
      await under.parley.dialogs.open({}, getCaller('mia', 'owner'))
      await until(() => changes.owner >= soFar.owner + rounds)
    }
    assert.equal(changes.limited, soFar.limited)
    await under.parley.dialogs.title(dialog, 'New', getCaller('mia', 'owner'))
    await until(() => changes.limited > soFar.limited)
  })

  test('a limited token is made for an existing dialog or build that its maker sees', async () => {
    const owner = await under.client()
    assert.equal(await getCode(owner.tokens.create('x', ['read'], { limit: { dialog: 'dlg_none' } })), 'dialog_not_found')
    assert.equal(await getCode(owner.tokens.create('x', ['read'], { limit: { build: 'none' } })), 'build_not_found')
  })
})

describe('A26', () => {
  test('A26: no token makes tokens or links with more than it has', async () => {
    for (const role of ['operator', 'member'] as const) {
      const client = await withToken(['admin'], { role })
      assert.equal(await getCode(client.tokens.create('x', ['read'], { role: 'member' })), 'role_too_low')
      assert.equal(await getCode(client.link({ for: 'bob' })), 'role_too_low')
    }
    const owner = await under.client()
    assert.equal((await owner.tokens.create('x', ['read'])).view.role, 'member')
    assert.equal(await getCode(owner.link({ for: 'nobody' })), 'person_not_found')
    const lowered = await fetch(`${under.url}/v1/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await under.token()}`, 'content-type': 'application/json', 'x-parley-as': 'operator' },
      body: JSON.stringify({ name: 'x', scopes: ['read'] }),
    })
    assert.equal(lowered.status, 403)
  })
})

describe('what is stored of a caller', () => {
  test('messages carry the id and the role of that moment; x-parley-as lowers it', async () => {
    const token = await under.token(['admin'], { role: 'owner' })
    const say = (as?: string): Promise<Response> =>
      fetch(`${under.url}/v1/dialogs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(as && { 'x-parley-as': as }) },
        body: JSON.stringify({ text: 'hello' }),
      })
    const rolesIn = async (response: Response): Promise<unknown> => {
      const { id } = (await response.json()) as { id: string }
      const { data } = (await under.store.read(id, 0, 10)).find(({ type }) => type === 'message.said') ?? assert.fail('nothing said')
      const { by } = data as { by: { id: string; role: string } }
      return [by.id.slice(0, 6), by.role]
    }
    assert.deepEqual(await rolesIn(await say()), ['token:', 'owner'])
    assert.deepEqual(await rolesIn(await say('guest')), ['token:', 'guest'])
    assert.equal((await say('king')).status, 400)
    assert.equal((await say('peer')).status, 403)
    const bob = await signedIn('bob')
    const { id } = (await bob('POST', '/v1/dialogs', { text: 'hello' })).json as { id: string }
    const [opened] = await under.store.read(id, 0, 1)
    assert.deepEqual((opened?.data as { by: object } | undefined)?.by, { kind: 'human', name: 'Bob Lee', id: 'person:bob', role: 'member' })
  })
})

describe('A28: arguments of a pending approval', () => {
  const secret = 'v-secret-9'

  /** Everything a client can read about it, as one text. */
  async function readAll(client: ParleyClient, dialog: string, question: string): Promise<string> {
    const live = await liveEvents(client, dialog, (seen) => seen.some(({ type }) => type === 'question.asked'))
    const read = [
      client.dialogs.get(dialog),
      client.questions.get(question),
      client.questions.list({ state: 'open' }),
      client.inbox(),
      client.events.read({ stream: dialog }),
      client.events.read({ limit: 1_000 }),
    ]
    return JSON.stringify([live, await Promise.all(read)])
  }

  test('A28: are seen by those who may decide it, and by no one else until it is decided', async () => {
    const { id: dialog } = await under.parley.dialogs.open({ text: `deploy ${secret}` }, getCaller('bob', 'member'))
    const question = await questionIn(dialog)
    // The shown text is JSON within JSON: there its quotes are escaped.
    const holdsIt = (text: string): boolean => text.replaceAll('\\', '').includes(`"${secret}"`)
    const seesIt = async (scopes: Scope[], more: NewToken): Promise<boolean> =>
      holdsIt(await readAll(await withToken(scopes, more), dialog, question))
    assert.ok(await seesIt(['admin'], { role: 'owner' }))
    assert.ok(await seesIt(['read', 'approve'], { role: 'operator' }))
    assert.ok(!(await seesIt(['read'], { role: 'owner' })), 'a token without approve')
    assert.ok(!(await seesIt(['read', 'chat', 'answer', 'send', 'pair'], { role: 'operator' })))
    assert.ok(!(await seesIt(['admin'], { role: 'member', limit: { dialog } })))
    const bob = await signedIn('bob')
    assert.deepEqual(((await bob('GET', '/v1/info')).json as { caller: object }).caller, {
      id: 'person:bob',
      name: 'Bob Lee',
      role: 'member',
    })
    const view = (await bob('GET', `/v1/questions/${question}`)).json as { ask: { text: string; items: unknown[] }; approval: object }
    assert.match(view.ask.text, /^Waiting for .*mia.* to approve\.$/)
    assert.deepEqual(view.ask.items, [])
    assert.ok(!holdsIt(JSON.stringify([view, (await bob('GET', `/v1/dialogs/${dialog}`)).json])))
    const refused = await bob('POST', `/v1/questions/${question}/answer`, { decision: 'once' })
    assert.equal(refused.status, 403)
    assert.match((refused.json as { error: { message: string } }).error.message, /^Only .+ can decide this\.$/)
    const tried = (await under.store.read(dialog, 0, 100)).filter(({ type }) => type === 'answer.refused')
    assert.deepEqual(
      tried.map(({ data }) => (data as { by: { id: string } }).by.id),
      ['person:bob'],
    )
    const owner = await withToken(['read', 'answer'], { role: 'owner' })
    assert.equal(await getCode(owner.questions.answer(question, { decision: 'once' })), 'not_allowed')
    assert.equal(await getCode(owner.questions.decline(question)), 'not_allowed')
    const cid = await signedIn('cid')
    const inbox = (await cid('GET', '/v1/inbox')).json as { items: { question: { id: string; approval?: { isHidden?: true } } }[] }
    const inboxItem = inbox.items.find(({ question: { id } }) => id === question) ?? assert.fail('the listed member is not asked')
    assert.equal(inboxItem.question.approval?.isHidden, undefined)
    assert.equal((await cid('GET', `/v1/dialogs/${dialog}`)).status, 404)
    assert.equal((await cid('POST', `/v1/questions/${question}/answer`, { decision: 'deny' })).status, 200)
    const operator = await withToken(['read'], { role: 'operator' })
    assert.ok(JSON.stringify(await operator.events.read({ stream: dialog })).includes(`"${secret}"`))
  })

  test('an operator does not see what their own message led to, because they may not approve it', async () => {
    const ann = await signedIn('ann')
    const { id: dialog } = (await ann('POST', '/v1/dialogs', { text: `deploy ${secret}` })).json as { id: string }
    const question = await questionIn(dialog)
    type Judged = { approval: { isHidden?: true; reason?: { why: string } } }
    const { approval } = (await ann('GET', `/v1/questions/${question}`)).json as Judged
    assert.deepEqual([approval.isHidden, approval.reason], [true, undefined])
    const mia = await signedIn('mia')
    const whole = ((await mia('GET', `/v1/questions/${question}`)).json as Judged).approval
    assert.deepEqual([whole.isHidden, whole.reason?.why], [undefined, 'ask-by-default'])
  })

  test('are hidden in the deliveries of its cards', async () => {
    const messaging = fakeMessaging()
    const here = await serverUnderTest({ policy: () => policy, messaging })
    try {
      const { id: dialog } = await here.parley.dialogs.open({ text: `deploy ${secret}` }, getCaller('bob', 'member'))
      const question = (await until(async () => (await here.parley.dialogs.get(dialog)).questions[0])).id
      const about = `approvals:${question}`
      const wording = 'Allow it to deploy this?'
      messaging.kept.set('dlv_card', makeDelivery({ id: 'dlv_card', state: 'failed', about, text: wording }))
      const planned = { delivery: 'dlv_card', channel: 'telegram', address: '42', message: { text: wording }, about }
      const events = [
        { type: 'delivery.planned', at: 1, data: planned },
        { type: 'delivery.edited', at: 2, data: { message: { text: wording }, orSend: false } },
      ]
      await here.store.commit([{ append: [{ stream: 'delivery:dlv_card', expect: 0, events }] }])
      const textFor = async (scopes: Scope[]): Promise<string> => {
        const client = await here.client(scopes)
        const all = [client.deliveries.list(), client.deliveries.get('dlv_card'), client.inbox(), client.events.read({ limit: 1_000 })]
        return JSON.stringify(await Promise.all(all))
      }
      assert.ok(!(await textFor(['read'])).includes(wording))
      assert.ok((await textFor(['admin'])).includes(wording))
    } finally {
      await here.close()
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openParley } from '../app/library.ts'
import { makePolicy } from '../authority/test/samples.ts'
import type { AgentOutput, GenerationInput, Tool } from '../ports/agent-runtime.ts'
import { randomIds } from '../ports/ids.ts'
import { silentLog } from '../ports/log.ts'
import { noMetrics } from '../ports/metrics.ts'
import { access, getRights } from '../server/auth/access.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { groupCommitter } from '../streams/committer.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { teamOf } from '../testing/team-of.ts'
import type { MailSettings } from './mail-targets.ts'
import { noticeDelayMs } from './notice.ts'
import { openNotices } from './open-notices.ts'
import { subscriptions } from './subscriptions.ts'
import { decryptPush, makeBrowser, type PushBrowser } from './test/push-browser.ts'
import { type PushService, pushService } from './test/push-service.ts'
import { smtpServer } from './test/smtp-server.ts'

const policy = makePolicy({ people: { mia: { role: 'owner' }, ann: { role: 'operator' }, bob: { role: 'member' } } })
const caller = (name: string, role: 'owner' | 'operator' | 'member'): Caller => ({
  by: { kind: 'human', name, id: `person:${name}`, role },
  via: 'web',
})
const [mia, bob] = [caller('mia', 'owner'), caller('bob', 'member')]

const payTool: Tool = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object' },
  afterCrash: 'ask',
  gate: { kind: 'code' },
  check: (input) => ({ input }),
  run: async () => 'paid',
}

/** Asks what the last message says: `pay` an approval, else a choice of as many colours. */
async function* asks({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind !== 'human') return yield { type: 'text', text: 'done' }
  if (last.text === 'pay') return yield { type: 'call', call: 'c', name: 'pay', input: { secret: 'iban-1234' } }
  const options = ['red', 'green', 'blue'].slice(0, Number(last.text)).map((value) => ({ value, label: value.toUpperCase() }))
  yield { type: 'question', ask: { text: 'Which colour?', items: [{ id: 'c', text: '', kind: 'choice', options }] } }
}

type Shown = { title: string; body: string; path: string; tag: string; buttons: { action: string; title: string; send?: unknown }[] }

async function scene(service: PushService, start?: number, mail: MailSettings | null = null) {
  const clock = simulatedClock(start)
  const store = memoryStore({ clock })
  const committer = groupCommitter(store)
  const auth = access({ store, secret: { value: 's'.repeat(40), isOwn: true }, clock, ids: randomIds, rights: () => getRights(policy) })
  const subscribed = subscriptions({ store, clock })
  await subscribed.start()
  const base = { store, committer, clock, policy: () => policy }
  const parley = openParley({ ...base, team: teamOf(asks, [payTool]), isNotified: () => mail !== null || subscribed.isAny() })
  const { notifications, stop } = openNotices({
    ...base,
    subscriptions: subscribed,
    dialogs: parley.streams,
    builds: parley.buildStreams,
    findReader: auth.readerOf,
    pageUrl: () => 'https://parley.example.org',
    mail: () => mail,
    works: true,
    mayReach: ({ hostname }) => hostname === '127.0.0.1',
    log: silentLog,
    metrics: noMetrics,
  })
  const signIn = async (person?: string): Promise<string> => {
    const { cookie } = await auth.redeem(auth.signInKey(person === undefined ? {} : { person }).key)
    return (await auth.checkCookie(cookie))?.session ?? assert.fail('signed in')
  }
  const choices = { language: 'en', timeZone: 'UTC', shows: 'words', quiet: null } as const
  async function subscribe(person: string | undefined, more: Partial<Parameters<typeof notifications.subscribe>[1]> = {}) {
    const browser = makeBrowser()
    const session = await signIn(person)
    await notifications.subscribe(session, { endpoint: `${service.url}/${person ?? 'owner'}`, keys: browser.keys, ...choices, ...more })
    return { browser, session }
  }
  return {
    clock,
    auth,
    parley,
    notifications,
    subscribe,
    async ask(text: string, by: Caller): Promise<string> {
      const { id } = await parley.dialogs.open({ text }, by)
      await clock.advance(100)
      const [question] = (await parley.dialogs.get(id)).questions
      return question?.id ?? assert.fail('a question is open')
    },
    async [Symbol.asyncDispose]() {
      await stop(0)
      await parley.close(0)
      subscribed.close()
      auth.close()
    },
  }
}

const read = (body: Buffer, browser: PushBrowser): Shown => JSON.parse(decryptPush(body, browser)) as Shown

test('a question reaches the browser of its author, and only its keys read it', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  const { browser } = await here.subscribe('bob')
  await here.subscribe('ann')
  const question = await here.ask('2', bob)
  const coming = service.next()
  await here.clock.advance(noticeDelayMs)
  const { body, path, headers } = await coming
  assert.equal(path, '/bob')
  assert.equal(headers['content-encoding'], 'aes128gcm')
  assert.match(String(headers['authorization']), /^vapid t=.+, k=B/)
  assert.equal(body.includes('colour'), false)
  const shown = read(body, browser)
  assert.deepEqual([shown.title, shown.body, shown.path, shown.tag], ['ada asks you', 'Which colour?', `q/${question}`, question])
  assert.deepEqual(
    shown.buttons.map(({ title, send }) => [title, send]),
    [
      ['RED', { path: `v1/questions/${question}/answer`, body: { choice: 'red' } }],
      ['GREEN', { path: `v1/questions/${question}/answer`, body: { choice: 'green' } }],
    ],
  )
  await here.clock.advance(60_000)
  assert.equal(service.taken.length, 1, 'the operator is not the one who is asked')
})

test('an approval offers Open and Deny alone, shows no byte of the call, and reaches those who may decide', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  const { browser } = await here.subscribe('ann')
  await here.subscribe('bob')
  const question = await here.ask('pay', bob)
  const coming = service.next()
  await here.clock.advance(noticeDelayMs)
  const { body, path } = await coming
  const text = decryptPush(body, browser)
  assert.equal(path, '/ann')
  assert.equal(text.includes('iban'), false)
  const { title, buttons } = JSON.parse(text) as Shown
  assert.equal(title, 'ada needs your approval')
  assert.deepEqual(
    buttons.map((button) => [button.title, button.send ?? null]),
    [
      ['Open', null],
      ['Deny', { path: `v1/questions/${question}/deny`, body: {} }],
    ],
  )
})

test('a device that shows no words gets none, and more choices than fit are no buttons', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  const { browser } = await here.subscribe('bob', { shows: 'nothing', language: 'zh' })
  const other = await here.subscribe(undefined, { language: 'zh' })
  await here.ask('3', bob)
  const coming = service.next()
  await here.clock.advance(noticeDelayMs)
  const hidden = read((await coming).body, browser)
  assert.deepEqual([hidden.title, hidden.body, hidden.buttons], ['有一个问题等您回答', '请打开 Parley 查看。', []])
  await here.ask('3', { by: { kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }, via: 'web' })
  const next = service.next()
  await here.clock.advance(noticeDelayMs)
  assert.deepEqual(read((await next).body, other.browser).buttons, [])
})

test('an answer within a moment notifies no one', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  await here.subscribe('mia')
  const question = await here.ask('2', mia)
  await here.parley.questions.answer(question, { choice: 'red' }, mia)
  await here.clock.advance(60_000)
  assert.deepEqual(service.taken, [])
})

test('quiet hours hold a message back until they end', async () => {
  await using service = await pushService()
  await using here = await scene(service, Date.parse('2026-11-18T06:58:00Z'))
  await here.subscribe('mia', { quiet: { from: '22:00', to: '07:00' } })
  await here.ask('2', mia)
  await here.clock.advance(60_000)
  assert.deepEqual(service.taken, [])
  const coming = service.next()
  await here.clock.advance(60_000)
  await coming
})

test('a service that fails is tried again, and the person sees why until it works', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  const { session } = await here.subscribe('mia')
  const view = async () => (await here.notifications.get(session)).subscription
  service.answer = 503
  await here.ask('2', mia)
  const first = service.next()
  await here.clock.advance(noticeDelayMs)
  await first
  await here.clock.advance(1)
  while (!(await view())?.failure) await here.clock.advance(1)
  assert.equal((await view())?.failure?.why, 'HTTP 503')
  service.answer = 201
  const again = service.next()
  await here.clock.advance(60_000)
  await again
  while ((await view())?.failure) await here.clock.advance(1)
  assert.notEqual((await view())?.sentAt, null)
})

test('a browser that has unsubscribed and one that was signed out are removed', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  const [gone, out] = [await here.subscribe('mia'), await here.subscribe('bob')]
  service.answer = 410
  assert.deepEqual((await here.notifications.test(gone.session)).subscription, null)
  const principal = {
    id: 'x',
    name: 'x',
    author: { id: 'person:mia', name: 'mia', role: 'owner' },
    scopes: [],
    credential: 'cookie',
  } as const
  await here.auth.revokeSession(out.session, principal)
  await here.ask('2', bob)
  await here.clock.advance(60_000)
  assert.equal(service.taken.length, 1, 'nothing but the test message was sent')
  assert.equal((await here.notifications.get(out.session)).subscription, null)
  await assert.rejects(here.notifications.test(gone.session), { code: 'not_subscribed' })
})

test('an address inside the network of the server and keys of no browser are refused', async () => {
  await using service = await pushService()
  await using here = await scene(service)
  await assert.rejects(here.subscribe('mia', { endpoint: 'https://10.0.0.1/push' }), { code: 'bad_request' })
  await assert.rejects(here.subscribe('mia', { keys: { p256dh: 'AAAAAAAAAAAA', auth: 'AAAAAAAAAAAA' } }), { code: 'bad_request' })
})

test('a question reaches its author by e-mail, and no one else', async () => {
  await using service = await pushService()
  await using server = await smtpServer()
  const sender = { host: '127.0.0.1', port: server.port, security: 'none', from: 'parley@example.org' } as const
  const reading = { language: 'en', shows: 'words', quiet: null, timeZone: 'UTC' } as const
  const mail = { ...sender, ...reading, to: { mia: 'mia@example.org', bob: 'bob@example.org' } }
  await using here = await scene(service, undefined, mail)
  const question = await here.ask('2', bob)
  const coming = server.next()
  await here.clock.advance(noticeDelayMs)
  const { headers, text } = await coming
  assert.match(headers, /^To: <bob@example\.org>$/m)
  assert.match(text, new RegExp(`^Which colour\\?\\n\\nRead and answer it here:\\nhttps://parley\\.example\\.org/q/${question}\\n`))
  await here.clock.advance(60_000)
  assert.equal(server.taken.length, 1)
})

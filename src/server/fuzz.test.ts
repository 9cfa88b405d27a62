import { previewMessage } from '../app/preview.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { fuzzCorpus } from '../../test/fuzz-corpus.ts'
import { buildWork } from '../builds/rows/build-kind.ts'
import { catalogue } from '../errors.ts'
import type { Route } from './routes/route.ts'
import { routes } from './routes/routes.ts'
import { site } from './auth/same-site.ts'
import { makeDelivery, fakeMessaging } from './test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest, until } from './test/server-under-test.ts'

/** Text that has broken something, somewhere, once. */
const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\u0007',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u2066',
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '%00',
    '%ff%fe',
    '%',
    "' OR 1=1 --",
    '${7*7}',
    '{{x}}',
    '\r\nset-cookie: a=b',
    '1e999',
    '-1',
    'NaN',
    'null',
    '9'.repeat(400),
    'é'.repeat(1_000),
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)

/** `fetch` resolves a segment of one or two dots, also as %2e: the request would be for another route. */
const isSegment = (id: string): boolean => id !== '.' && id !== '..'

const ofMessages = ['channel', 'target', 'message', 'presentation', 'delivery', 'messageId', 'emoji', 'code', 'buttons', 'waitMs']

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'agent',
        'title',
        'text',
        'prompt',
        'answer',
        'question_id',
        'language',
        'choice',
        'answers',
        'reason',
        'key',
        'name',
        'scopes',
        '__proto__',
        ...ofMessages,
      ),
      fc.string({ maxLength: 20 }),
    ),
    fc.oneof(hostile, fc.jsonValue({ maxDepth: 3 })),
    { maxKeys: 6 },
  ),
)

const body = fc.oneof(
  { weight: 6, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: hostile },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"text":',
      '[[[[[[',
      '{"text":"a"}{"text":"b"}',
      `{"text":"${'x'.repeat(600_000)}"}`,
      `{"text":"${'x'.repeat(150_000)}"}`,
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      '{"text":"\\ud800"}',
      '{"text":"\\u0000"}',
    ),
  },
)

/** Characters that `fetch` accepts in a header. */
const headerValue = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 250 })
  .map((text) => text.trim())

describe('whatever is sent', () => {
  let under: ServerUnderTest
  let table: Route[]
  let token: string
  let dialog: string
  let question: string
  let build: string
  const getSamplePath = ({ path }: Route): string =>
    path.startsWith('/v1/questions')
      ? question
      : path.startsWith('/v1/builds')
        ? build
        : path.startsWith('/v1/deliveries')
          ? 'dlv_stuck'
          : path.startsWith('/v1/channels')
            ? 'telegram'
            : dialog
  const isAtRest = async (): Promise<boolean> => {
    // Work that was woken, also of a dialog that does not show yet that it works. What waits for a time of its own may wait.
    if ((await under.store.unfinishedSince(['timer', buildWork.silence])) !== null) return false
    const busy = ['starting', 'running'].map(async (status) => (await under.parley.builds.list({ status, limit: 1 })).items.length === 0)
    return (await under.parley.dialogs.list({ status: 'working' })).items.length === 0 && (await Promise.all(busy)).every(Boolean)
  }
  before(async () => {
    const messaging = fakeMessaging()
    messaging.kept.set('dlv_stuck', makeDelivery({ id: 'dlv_stuck', state: 'unknown' }))
    under = await serverUnderTest({ messaging, limits: { requestsPerMinute: 10_000_000, strangersPerMinute: 10_000_000 } })
    const parts = {
      isReady: () => under.parley.events.check(),
      messaging,
      access: under.access,
      site: site(() => '127.0.0.1', []),
      url: () => '',
      isClosing: () => false,
      metricsText: () => '',
      streamsOver: new AbortController().signal,
      preview: previewMessage,
    }
    table = routes({ ...parts, info: () => Promise.reject(new Error('not asked')) })
    token = await under.token()
    dialog = (await under.parley.dialogs.open({ text: 'ask' }, { by: { kind: 'human', name: 'x', role: 'owner' }, via: 'test' })).id
    build = (await under.parley.builds.open({ prompt: 'anything' }, { by: { kind: 'human', name: 'x', role: 'owner' }, via: 'test' }))
      .build_id
    await until(isAtRest)
    question = (await until(async () => (await under.parley.dialogs.get(dialog)).questions[0])).id
  })
  after(() => under.close())

  /** Checks the rule for one request. Returns whether it was refused. */
  async function send(row: Route, path: string, init: { headers: Record<string, string>; body?: string | Buffer }): Promise<boolean> {
    const place = await under.store.position()
    const response = await fetch(under.url + path, { method: row.method.toUpperCase(), ...init })
    const text = await response.text()
    const name = `${row.method} ${path.slice(0, 200)} ${String(init.body).slice(0, 300)} → ${response.status} ${text.slice(0, 300)}`
    assert.equal(response.status < 500, true, name)
    if (response.status < 400) {
      // Work of an allowed request may continue; it must not count against the next request.
      if ((await under.parley.dialogs.emergency()) !== null)
        await under.parley.dialogs.resumeAll({ by: { kind: 'human', name: 'x' }, via: 'test' })
      if (row.method !== 'get') await until(isAtRest)
      return false
    }
    const { error } = JSON.parse(text) as { error: { code: string; message: string; hint: string } }
    assert.equal(Object.hasOwn(catalogue, error.code), true, name)
    // Braces of the request itself may come back; those of the catalogue must be filled in.
    const requestText = `${decodeURIComponent(path)} ${String(init.body)}`
    const holes = [...(error.message + error.hint).matchAll(/\{\w+\}/g)].filter(([hole]) => !requestText.includes(hole))
    assert.equal(error.message.length > 0 && error.hint.length > 0 && holes.length === 0, true, name)
    assert.equal(error.message.length < 2_000 && error.message.isWellFormed(), true, name)
    assert.notEqual(response.headers.get('x-request-id'), null, name)
    assert.equal(await under.store.position(), place, `stored although refused: ${name}`)
    return true
  }

  const query = fc.dictionary(
    fc.oneof(
      fc.constantFrom('stream', 'after', 'limit', 'search', 'status', 'state', 'channel', 'target', 'include'),
      fc.string({ maxLength: 10 }),
    ),
    hostile,
    { maxKeys: 3 },
  )

  test('every route refuses what it does not know in words, never breaks, and keeps nothing of it', (t) => fuzzCorpus(t, sendHostile))

  async function sendHostile(): Promise<number> {
    let refused = 0
    let requestCount = 0
    for (const row of table) {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(hostile.filter(isSegment), fc.constant('known')),
          query,
          body,
          fc.option(headerValue),
          fc.constantFrom('application/json', 'application/json', 'text/plain', ''),
          async (id, given, sent, key, type) => {
            const path = row.path.replace(/\{\w+\}/, id === 'known' ? getSamplePath(row) : encodeURIComponent(id.toWellFormed()) || 'x')
            const search = new URLSearchParams(
              Object.entries(given).map(([name, value]) => [name, value.toWellFormed()] as [string, string]),
            ).toString()
            const headers: Record<string, string> = {
              authorization: `Bearer ${token}`,
              ...(type === '' ? {} : { 'content-type': type }),
              ...(key === null || key === '' ? {} : { 'idempotency-key': key }),
            }
            requestCount += 1
            if (
              await send(row, search === '' ? path : `${path}?${search}`, {
                headers,
                ...(row.method === 'get' ? {} : { body: Buffer.from(sent, 'utf8') }),
              })
            )
              refused += 1
          },
        ),
        { numRuns: 40 },
      )
    }
    assert.equal(requestCount, table.length * 40)
    assert.equal(refused > requestCount / 2, true, `only ${refused} of ${requestCount} were refused: the inputs are too tame`)
    return requestCount
  }

  test('every route refuses tokens and cookies that are none', (t) => fuzzCorpus(t, guessSecrets))

  async function guessSecrets(): Promise<number> {
    let sendCount = 0
    const secrets = fc.oneof(
      headerValue.map((value) => `Bearer ${value}`),
      headerValue,
      fc
        .string({ unit: fc.nat({ max: 15 }).map((digit) => digit.toString(16)), minLength: 64, maxLength: 64 })
        .map((hex) => `Bearer parley_tok_1_${hex}`),
    )
    for (const row of table) {
      if (row.capability === 'open') continue
      await fc.assert(
        fc.asyncProperty(secrets, fc.boolean(), async (secret, asCookie) => {
          const headers: Record<string, string> = asCookie
            ? { cookie: `${under.access.cookieName}=${secret.replaceAll(';', '')}`, origin: under.url }
            : { authorization: secret }
          const response = await fetch(under.url + row.path.replace(/\{\w+\}/, getSamplePath(row)), {
            method: row.method.toUpperCase(),
            headers,
          })
          assert.equal(response.status, 401)
          await response.arrayBuffer()
          sendCount += 1
        }),
        { numRuns: 10 },
      )
    }
    return sendCount
  }
})

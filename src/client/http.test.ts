import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parleyClient } from './client.ts'
import type { Fetch } from './http.ts'

type Sent = { url: string; method: string; headers: Record<string, string>; body: string | Blob | undefined }

/** Answers with what the test laid out, one after the other; an Error is a way that failed. */
function scripted(...answers: (Response | Error)[]): { fetch: Fetch; sent: Sent[] } {
  const requests: Sent[] = []
  const fetch: Fetch = async (url, { method, headers, body }) => {
    requests.push({ url, method, headers, body })
    const answer = answers.shift()
    if (!answer || answer instanceof Error) throw answer ?? new Error('nothing left to answer')
    return answer
  }
  return { fetch, sent: requests }
}

const busy = (): Response =>
  Response.json({ error: { code: 'busy', message: 'm', hint: 'h' } }, { status: 503, headers: { 'retry-after': '0' } })

describe('requests of a client', () => {
  test('are repeated under one key while the way fails', async () => {
    const { fetch, sent } = scripted(new TypeError('fetch failed'), busy(), Response.json({ dialog: 'd', message: 'm', seq: 2 }))
    const client = parleyClient({ baseUrl: 'http://x/', token: 't', via: 'cli', fetch })
    assert.equal((await client.dialogs.say('d 1', 'hi')).message, 'm')
    assert.equal(sent.length, 3)
    assert.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1)
    assert.match(sent[0]?.headers['idempotency-key'] ?? '', /^[0-9a-f]{32}$/)
    assert.equal(sent[0]?.url, 'http://x/v1/dialogs/d%201/messages')
    assert.equal(sent[0]?.headers['authorization'], 'Bearer t')
    assert.equal(sent[0]?.headers['x-parley-via'], 'cli')
  })

  test('that are refused are not repeated, and say why', async () => {
    const refused = Response.json(
      { error: { code: 'dialog_not_found', message: 'There is none', hint: 'Look' } },
      { status: 404, headers: { 'x-request-id': 'r1' } },
    )
    const { fetch, sent } = scripted(refused)
    await assert.rejects(parleyClient({ baseUrl: '', fetch }).dialogs.get('x'), {
      name: 'ClientError',
      code: 'dialog_not_found',
      message: 'There is none',
      hint: 'Look',
      status: 404,
      requestId: 'r1',
    })
    assert.equal(sent.length, 1)
  })

  test('with an id of dots go nowhere: a URL with them names another route', async () => {
    const { fetch, sent } = scripted(Response.json({}), Response.json({ items: [], next: null }))
    const client = parleyClient({ baseUrl: 'http://x', fetch })
    for (const id of ['.', '..'])
      for (const call of [() => client.dialogs.get(id), () => client.dialogs.say(id, 'hi'), () => client.builds.cancel(id)])
        await assert.rejects(call(), { code: 'not_found', status: 404 })
    assert.equal(sent.length, 0)
    await client.dialogs.get('...')
    await client.dialogs.list({ search: '/../x' })
    assert.equal(sent.length, 2)
  })

  test('that meet something else than Parley say that no Parley answered', async () => {
    const { fetch } = scripted(new Response('<h1>Bad gateway</h1>', { status: 400 }))
    await assert.rejects(parleyClient({ baseUrl: 'http://x', fetch }).info(), { code: 'server_unreachable', status: 400 })
    const failing = scripted(new TypeError('a'), new TypeError('b'))
    await assert.rejects(parleyClient({ baseUrl: 'http://x', fetch: failing.fetch, tries: 2 }).info(), {
      code: 'server_unreachable',
      status: 0,
    })
  })

  test('keep the key that was given, leave out what was not asked, and end when told', async () => {
    const { fetch, sent } = scripted(Response.json({ items: [], next: null }), Response.json({}))
    const client = parleyClient({ baseUrl: '', fetch })
    await client.dialogs.list({ search: 'a b&c', limit: 5 })
    assert.equal(sent[0]?.url, '/v1/dialogs?search=a%20b%26c&limit=5')
    await client.questions.decline('q', undefined, { key: 'mine' })
    assert.equal(sent[1]?.headers['idempotency-key'], 'mine')
    assert.equal(sent[1]?.body, '{}')
    const over = new AbortController()
    over.abort(new Error('enough'))
    await assert.rejects(client.info({ signal: over.signal }), /enough/)
  })
})

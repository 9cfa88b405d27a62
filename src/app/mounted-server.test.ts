import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { agent, memoryStore, parley, type ParleyApp } from '../index.ts'

const echo = agent({
  name: 'echo',
  *reply({ context }) {
    const last = context.at(-1)
    yield { type: 'text', text: last?.kind === 'human' ? `You said: ${last.text}` : '' }
  },
})

describe('app.fetch', () => {
  let app: ParleyApp
  let token: string
  const at = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}): Promise<Response> =>
    app.fetch(
      new Request(`https://example.org/parley${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
      }),
    )

  before(async () => {
    const web = { url: 'https://example.org/parley', secret: 's'.repeat(32) }
    app = await parley({ store: memoryStore(), agents: [echo], web })
    token = await app.createToken('test', ['read', 'chat'], { role: 'owner' })
  })
  after(() => app.close())

  test('answers below the base path, and where the host has removed it', async () => {
    assert.equal((await at('/healthz')).status, 200)
    assert.equal((await app.fetch(new Request('https://example.org/healthz'))).status, 200)
    assert.equal((await at('/v1/nothing')).status, 404)
  })

  test('refuses a caller without a token, and a request by the name of another host', async () => {
    assert.equal((await app.fetch(new Request('https://example.org/parley/v1/dialogs'))).status, 401)
    assert.equal((await app.fetch(new Request('https://evil.example/parley/v1/dialogs'))).status, 403)
  })

  test('reads the body of a request and writes that of the response', async () => {
    const opened = await at('/v1/dialogs', { method: 'POST', body: JSON.stringify({ text: 'Hello' }) })
    assert.equal(opened.status, 201)
    const { id } = (await opened.json()) as { id: string }
    assert.equal(await app.dialog(id).reply(), 'You said: Hello')
    assert.equal((await at('/v1/dialogs', { method: 'POST', body: '{' })).status, 400)
  })

  test('streams events until the reader leaves', async () => {
    const dialog = await app.dialogs.open('Hello')
    await dialog.reply()
    const response = await at(`/v1/events?stream=${dialog.id}&after=0`, { headers: { accept: 'text/event-stream' } })
    assert.equal(response.headers.get('content-type')?.split(';')[0], 'text/event-stream')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (text.includes('You said: Hello')) break
    }
    assert.match(text, /"type":"dialog.opened"/)
  })

  test('makes a sign-in link below the base path', async () => {
    assert.match(await app.link('/o'), /^https:\/\/example\.org\/parley\/o#k=/)
    await using other = await parley({ store: memoryStore(), agents: [echo] })
    await assert.rejects(other.link(), /needs the address of the page/)
  })
})

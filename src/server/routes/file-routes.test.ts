import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Scope } from '../../shapes/wire.ts'
import { fakeMessaging } from '../test/fake-messaging.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

describe('files over HTTP', () => {
  const messaging = fakeMessaging()
  let under: ServerUnderTest
  before(async () => {
    under = await serverUnderTest({ messaging })
  })
  after(() => under.close())

  const get = async (path: string, scopes?: Scope[]): Promise<Response> =>
    fetch(under.url + path, { headers: { authorization: `Bearer ${await under.token(scopes)}` } })

  test('a file comes as bytes to keep: no page, no guessing, a name that ends no header', async () => {
    messaging.bytes.set('a/b', Buffer.from('<script>alert(1)</script>'))
    const response = await get('/v1/channels/telegram/files/a%2Fb', ['read'])
    assert.equal(response.status, 200)
    assert.equal(await response.text(), '<script>alert(1)</script>')
    assert.equal(response.headers.get('content-type'), 'application/octet-stream')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="a_quoted_name.html"')
    assert.equal(response.headers.get('content-length'), '25')
    assert.deepEqual(messaging.asked.at(-1), { what: 'files.get', with: { channel: 'telegram', fileId: 'a/b' } })
  })

  test('a missing file is an error with a text; a caller without the right gets nothing', async () => {
    const gone = await get('/v1/channels/telegram/files/none')
    assert.equal(gone.status, 404)
    assert.equal(((await gone.json()) as { error: { code: string } }).error.code, 'file_gone')
    assert.equal((await get('/v1/channels/telegram/files/a%2Fb', ['chat'])).status, 403)
    assert.equal((await fetch(`${under.url}/v1/channels/telegram/files/none`)).status, 401)
    assert.equal((await get(`/v1/channels/telegram/files/${'x'.repeat(600)}`)).status, 413)
  })

  test('a file of this machine is sent only for the owner', async () => {
    const send = async (scopes: Scope[], media: string | string[]): Promise<Response> =>
      fetch(`${under.url}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await under.token(scopes)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ target: '42', message: 'x', media }),
      })
    messaging.asked.length = 0
    for (const media of ['file:///etc/passwd', 'FILE:///etc/passwd', ['https://example.org/a.png', 'file:/etc/passwd']])
      assert.equal((await send(['send', 'chat'], media)).status, 403)
    assert.equal(messaging.asked.length, 0)
    await send(['admin'], ['file:///project/a.png', 'https://example.org/a.png'])
    type SendInput = { media?: string[]; mayUseFiles?: boolean } | undefined
    const lastInput = (): SendInput => messaging.asked.at(-1)?.with as SendInput
    assert.deepEqual([lastInput()?.media?.length, lastInput()?.mayUseFiles], [2, true])
    await send(['send', 'chat'], 'https://example.org/a.png')
    assert.equal(lastInput()?.mayUseFiles, undefined)
  })
})

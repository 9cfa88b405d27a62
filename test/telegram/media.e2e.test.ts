import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { TelegramServer } from '../fixtures/telegram-server.ts'

let server: TelegramServer

suite('media by Telegram', { concurrency: true }, () => {
  before(async () => {
    server = await TelegramServer.open({ plugin: null })
  })
  after(() => server.close())

  async function load(path: string): Promise<Response> {
    const { token } = JSON.parse(readFileSync(join(server.dir, '.parley', 'server.json'), 'utf8')) as { token: string }
    return fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  }

  test('a received file that is too large for a message can be downloaded by the name shown in the dialog', async () => {
    const { mia, chat } = server.friend()
    const large = Buffer.alloc(10_000_001, 'pixels')
    server.telegram.media(chat, mia, { kind: 'document', bytes: large, name: 'cat ].png', mimeType: 'image/png' })
    await server.reply(chat, /\[file: cat/)
    const [said = ''] = await server.saidIn(await server.dialogOf(chat))
    const [, channel, file] = /^\[file: cat \.png, image\/png, 9\.5 MB, (\w+)\/(\w+)\]$/.exec(said) ?? []
    const response = await load(`/v1/channels/${channel}/files/${file}`)
    assert.equal(response.status, 200, said)
    assert.equal(large.equals(Buffer.from(await response.arrayBuffer())), true)
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.]+"$/)
    assert.equal((await load(`/v1/channels/${channel}/files/nothing`)).status, 404)
  })

  test('the terminal sends a picture by its address and a file of the project, and nothing else of this machine', async () => {
    const { chat } = server.friend()
    mkdirSync(join(server.dir, 'out'), { recursive: true })
    writeFileSync(join(server.dir, 'out', 'list.csv'), 'a,b\n')
    const to = ['message', 'send', '-t', `telegram:${chat}`]
    assert.match(await server.parley(...to, '--message', 'A cat.', '--media', 'https://example.org/cat.png'), /^Sent to/)
    assert.match(await server.parley(...to, '--media', pathToFileURL(join(server.dir, 'out', 'list.csv')).href, '--wait', '20'), /^Sent to/)
    const [photo, file] = server.replies(chat)
    assert.equal(photo?.text, 'A cat.')
    assert.notEqual(photo?.raw['photo'], undefined)
    const { file_id: id, file_name: name } = (file?.raw['document'] ?? {}) as { file_id?: string; file_name?: string }
    assert.equal(name, 'list.csv')
    assert.equal(await (await load(`/v1/channels/telegram/files/${id}`)).text(), 'a,b\n')
    const secret = pathToFileURL(join(server.dir, '.parley', 'server.json')).href
    for (const url of [secret, 'file:///etc/hostname']) await assert.rejects(server.parley(...to, '--media', url), /not one of the project/)
    assert.equal(server.replies(chat).length, 2)
  })
})

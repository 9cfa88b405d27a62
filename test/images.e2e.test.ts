import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Wire, wires } from '../src/agents/wires/wire.ts'
import { modelEmulator, type ModelEmulator } from '../src/testing/model-emulator.ts'
import { eventually } from './fixtures/eventually.ts'
import { everything, KillableServer } from './fixtures/killable-server.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAC0lEQVR4nGNgQAcAABIAAejUDX0AAAAASUVORK5CYII=', 'base64')
const data = png.toString('base64')

/** A server whose one agent is a model that speaks this wire. */
class ModelServer extends KillableServer {
  readonly #model: object

  constructor(model: ModelEmulator, wire: Wire, settings: object) {
    super()
    const provider = wire === 'anthropic' ? 'anthropic' : 'openai-compatible'
    this.#model = { provider, wire, baseUrl: model.url, model: 'emulated', apiKey: 'none', maxOutputTokens: 1_000, ...settings }
  }

  protected override yaml(): string {
    return JSON.stringify({
      models: { only: this.#model },
      team: { members: { ada: { runtime: 'model', model: 'only', toolsets: ['ws_read'] } } },
    })
  }
}

async function play(wire: Wire, settings: object, act: (server: ModelServer, model: ModelEmulator) => Promise<void>): Promise<void> {
  const model = await modelEmulator()
  const server = new ModelServer(model, wire, settings)
  try {
    await server.start()
    await act(server, model)
  } finally {
    await server.end('SIGKILL')
    await model.close()
    server.remove()
  }
}

/** The list of a request, without its closing bracket and without cache markers. */
const encodeList = ({ body }: { body: Record<string, unknown> }): string =>
  JSON.stringify(body['messages'] ?? body['input'])
    .replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    .slice(0, -1)

describe('a picture that a person sends', () => {
  for (const wire of wires)
    test(`reaches a model over ${wire}, also after a kill, and the requests stay prefixes`, { timeout: 120_000 }, () =>
      play(wire, { images: true }, async (server, model) => {
        const client = server.client()
        const stored = await client.files.add('plan.png', new Blob([png]))
        assert.deepEqual([stored.mediaType, stored.width, stored.height], ['image/png', 2, 3])
        assert.equal(stored.sha256, createHash('sha256').update(png).digest('hex'))
        await server.end('SIGKILL')
        await server.start()
        const { id } = await client.dialogs.open({ text: 'What is this?', files: [stored.file] })
        const rests = () => client.dialogs.get(id).then(({ status }) => status === 'ready')
        await eventually(async () => model.requests.length === 1 && (await rests()), 'the first reply')
        await server.end('SIGKILL')
        await server.start()
        await client.dialogs.say(id, 'And now?')
        await eventually(async () => model.requests.length === 2 && (await rests()), 'the second reply')
        const [first, second] = model.requests.map(encodeList)
        assert.ok(first?.includes(data) && second?.startsWith(first), 'the second list continues the first one')
        const response = await fetch(client.files.address(id, stored.file), { headers: { authorization: `Bearer ${readToken(server)}` } })
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), png)
        assert.equal(response.headers.get('content-type'), 'image/png')
        const said = (await everything(client, id)).filter(({ type }) => type === 'message.said')
        assert.equal(JSON.stringify(said).includes(data), false, 'the bytes are not in the log')
      }),
    )

  test('is a line of text for a model that takes none', { timeout: 120_000 }, () =>
    play('chat', { images: false }, async (server, model) => {
      const client = server.client()
      const stored = await client.files.add('plan.png', new Blob([png]))
      await client.dialogs.open({ text: 'What is this?', files: [stored.file] })
      await eventually(() => model.requests.length === 1, 'the request')
      const text = encodeList(model.requests[0] ?? { body: {} })
      assert.ok(!text.includes(data) && text.includes('[image plan.png, 2×3: not shown to this model]'))
    }),
  )

  test('is sent once more in words when the model refuses it, and that is remembered', { timeout: 120_000 }, () =>
    play('chat', { images: true }, async (server, model) => {
      const client = server.client()
      const message = 'Invalid content type. image_url is only supported by certain models.'
      model.next({ does: 'refuse', status: 400, message })
      const stored = await client.files.add('plan.png', new Blob([png]))
      const { id } = await client.dialogs.open({ text: 'What is this?', files: [stored.file] })
      await eventually(() => model.requests.length === 2, 'the second request')
      const [refused, taken] = model.requests.map(encodeList)
      assert.ok(refused?.includes(data) && !taken?.includes(data) && taken?.includes('not shown to this model'))
      await eventually(async () => (await client.dialogs.get(id)).status === 'ready', 'the reply')
      assert.match(readFileSync(join(server.dir, '.parley', 'models.json'), 'utf8'), /"no-images"/)
      const epochs = (await everything(client, id)).filter(({ type }) => type === 'epoch.started')
      assert.deepEqual(
        epochs.map((event) => (event.data as { why: string }).why),
        ['course', 'model'],
      )
    }),
  )
})

test('an image that a tool reads is in its result', { timeout: 120_000 }, () =>
  play('anthropic', { images: true }, async (server, model) => {
    const client = server.client()
    writeFileSync(join(server.dir, 'shot.png'), png)
    model.next({ does: 'reply', pieces: [], calls: [{ id: 'c1', name: 'read_file', args: ['{"path":"shot.png"}'] }] })
    const { id } = await client.dialogs.open({ text: 'Look at shot.png.' })
    await eventually(() => model.requests.length === 2, 'the request with the result')
    const text = encodeList(model.requests[1] ?? { body: {} })
    assert.match(text, /"type":"tool_result".{0,400}"type":"image"/)
    assert.ok(text.includes(data))
    const [returned] = (await everything(client, id)).filter(({ type }) => type === 'tool.returned')
    assert.match(JSON.stringify(returned?.data), /"files":\[\{[^}]*"name":"shot\.png"/)
  }),
)

const readToken = ({ dir }: KillableServer): string =>
  (JSON.parse(readFileSync(join(dir, '.parley', 'server.json'), 'utf8')) as { token: string }).token

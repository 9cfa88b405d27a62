/**
 * The HTTP API and the page inside a server of your own: Express, Hono or Next.
 * Run it: node_modules/.bin/node examples/mount/main.ts
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// Inside this repository; in your program it is 'parley-runtime'.
import { memoryStore, parley } from '../../src/index.ts'
import { parleyClient } from '../../src/client/index.ts'
import { echo } from './agents.ts'
import { toHandler } from './express.ts'
import * as hono from './hono.ts'
import * as next from './next-route.ts'

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/parley`

const app = await parley({ store: memoryStore(), agents: [echo], web: { url } })
const handler = toHandler(app.fetch)
server.on('request', (incoming, outgoing) => void handler(incoming, outgoing))
server.on('upgrade', app.upgrade)

// A program of yours talks to it with a token, over HTTP and a WebSocket.
const token = await app.createToken('example', ['read', 'chat'])
const client = parleyClient({ baseUrl: url, token })
const { id } = await client.dialogs.open({ text: 'Hello' })
const { promise: replied, resolve } = Promise.withResolvers<string>()
const live = client.live()
live.follow(id, 0, {
  onEvents(events) {
    for (const { type, data } of events) {
      const { by, text } = data as { by?: { kind: string }; text?: string }
      if (type === 'message.said' && by?.kind === 'agent') resolve(text ?? '')
    }
  },
})
assert.equal(await replied, 'You said: Hello')
console.log(`Express: ${await replied}`)
live.close()
server.close()
server.closeAllConnections()
await app.close()

for (const [name, mounted, call] of [
  ['Hono', hono.app, (request: Request) => hono.site.fetch(request)],
  ['Next', next.app, (request: Request) => (request.method === 'POST' ? next.POST(request) : next.GET(request))],
] as const) {
  const bearer = await mounted.createToken('example', ['read', 'chat'])
  const opened = await call(
    new Request('https://example.org/parley/v1/dialogs', {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello' }),
    }),
  )
  assert.equal(opened.status, 201)
  const { id: dialog } = (await opened.json()) as { id: string }
  console.log(`${name}: ${await mounted.dialog(dialog).reply()}`)
  await mounted.close()
}

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { leanFetch } from './lean-fetch.ts'

describe('a lean fetch', async () => {
  let connections = 0
  let bodies = ''
  const server = createServer((request, response) => {
    if (request.url === '/slow') return void response.write('begun')
    if (request.url === '/flood') return void response.end(Buffer.alloc(5_000_000, 'x'))
    request
      .on('data', (chunk: Buffer) => (bodies += chunk.toString()))
      .on('end', () => {
        response.writeHead(request.url === '/away' ? 302 : 201, { location: '/elsewhere', 'x-two': ['a', 'b'] }).end('ok')
      })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = (path: string, body: string): Promise<Response> =>
    leanFetch(url + path, { method: 'POST', body, headers: { 'content-type': 'text/plain' } })

  it('sends a body and gives status, headers and text', async () => {
    const response = await post('/', 'grüße')
    assert.deepEqual([response.status, response.headers.get('x-two'), await response.text(), bodies], [201, 'a, b', 'ok', 'grüße'])
  })

  it('uses a connection again, also after the server closed it in between', async () => {
    const before = connections
    await (await post('/', 'one')).text()
    await (await post('/', 'two')).text()
    assert.equal(connections, before)
    server.closeAllConnections()
    assert.equal((await post('/', 'three')).status, 201)
  })

  it('does not follow a redirect', async () => {
    assert.equal((await post('/away', '')).status, 302)
  })

  it('takes more than it can hold at once', async () => {
    assert.equal((await (await leanFetch(`${url}/flood`)).arrayBuffer()).byteLength, 5_000_000)
  })

  it('ends with the reason of the abort, before, during and after the headers', async () => {
    await assert.rejects(leanFetch(`${url}/slow`, { signal: AbortSignal.abort(new Error('before')) }), /before/)
    const stop = new AbortController()
    const response = await leanFetch(`${url}/slow`, { signal: stop.signal })
    const reader = response.body?.getReader()
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'begun')
    const next = reader?.read()
    stop.abort(new Error('during'))
    await assert.rejects(async () => next, /during/)
  })
})

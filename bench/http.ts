import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { request as undiciRequest } from 'undici'
import { getBody, httpSend, httpTarget } from '../src/agents/wires/http-post.ts'
import { many, median, print } from './figure.ts'

/**
 * CPU of one call to a model that streams 40 events, in the same run: the own layer above `node:http`, `request` of undici,
 * and `fetch` of Node. The server is a process of its own.
 */
const events = 40
const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a word or two' } }] })}\n\n`

if (process.argv[2] === 'server') {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let eventsLeft = events
      const next = (): void => {
        if (eventsLeft === 0) return void response.end()
        eventsLeft -= 1
        response.write(event)
        setImmediate(next)
      }
      next()
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
  process.on('disconnect', () => process.exit(0))
} else {
  const server = fork(fileURLToPath(import.meta.url), ['server'])
  const port = await new Promise<number>((resolve) => server.once('message', (said) => resolve(said as number)))
  const url = new URL(`http://127.0.0.1:${port}/v1/chat/completions`)
  const target = httpTarget(url)
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(4_000) }] })
  const headers = { 'content-type': 'application/json' }
  const calls = {
    async own(): Promise<number> {
      const { signal } = new AbortController()
      const all = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
      let bytes = 0
      for await (const chunk of getBody(await httpSend(target, { method: 'POST', headers: all, body, signal }))) bytes += chunk.length
      return bytes
    },
    async undici(): Promise<number> {
      const { signal } = new AbortController()
      const response = await undiciRequest(url, { method: 'POST', headers, body, signal })
      let bytes = 0
      for await (const chunk of response.body) bytes += (chunk as Uint8Array).length
      return bytes
    },
    async fetch(): Promise<number> {
      const { signal } = new AbortController()
      const response = await fetch(url, { method: 'POST', headers, body, signal })
      let bytes = 0
      for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
      return bytes
    },
  }
  const round = async (call: () => Promise<number>, count: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let at = 0; at < count; at += 1) {
      const bytes = await call()
      if (bytes !== event.length * events) throw new Error(`${bytes} bytes came`)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 / count
  }
  for (const call of Object.values(calls)) await round(call, many(500, 20))
  const names = ['own', 'undici', 'fetch'] as const
  const took = { own: [] as number[], undici: [] as number[], fetch: [] as number[] }
  for (let at = 0; at < many(30, 4); at += 1)
    for (const [index] of names.entries()) {
      // Each is first, second and last as often as the others.
      const name = names[(index + at) % names.length] ?? 'own'
      took[name].push(await round(calls[name], many(100, 10)))
    }
  for (const peer of ['undici', 'fetch'] as const)
    print({
      bench: 'http',
      figure: `CPU of a streamed model call by the own layer; the floor is ${peer}`,
      value: median(took.own),
      unit: 'ms',
      floor: median(took[peer]),
    })
  server.disconnect()
}

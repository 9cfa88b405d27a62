import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { streamChunks } from '../src/testing/model-wire.ts'

/**
 * A model that costs next to nothing: an OpenAI-compatible stream, prepared once, sent for every request that is
 * complete. Speaks just enough HTTP over plain sockets, because node:http would be as busy as the caller and then both
 * sides of a comparison would be measured by the model's speed. Run as a process of its own; it tells its address to
 * the process that started it, and hands out the request bodies it saw while asked to keep them.
 */
const pieces = 'Noted. I have looked it up and it fits, so I go on.'.split(/(?<= )/)

const body = Buffer.from(streamChunks('openai-compatible', { pieces }).join(''))
const reply = Buffer.concat([
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`),
  body,
])
const headEnd = Buffer.from('\r\n\r\n')

let lines: string[] | null = null
let served = 0

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(headEnd)
      if (end < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, end))?.[1] ?? 0)
      const whole = end + headEnd.length + length
      if (rest.length < whole) return
      lines?.push(rest.toString('utf8', end + headEnd.length, whole))
      rest = rest.subarray(whole)
      served += 1
      socket.write(reply)
    }
  })
}

const server = createServer(serve)
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }))
process.on('message', (command: { keep: boolean }) => {
  if (command.keep) lines = []
  process.send?.({ bodies: lines ?? [], served })
  if (!command.keep) lines = null
})
process.on('disconnect', () => process.exit())

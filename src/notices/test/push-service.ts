import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TakenPush = { path: string; headers: Readonly<Record<string, string | string[] | undefined>>; body: Buffer }

/** A push service on this machine. `answer` is the status of the next messages. */
export type PushService = AsyncDisposable & {
  url: string
  taken: TakenPush[]
  answer: number
  /** Resolves with the next message that comes in. */
  next(): Promise<TakenPush>
}

export async function pushService(): Promise<PushService> {
  const waiting: ((push: TakenPush) => void)[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const push = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) }
      service.taken.push(push)
      response.writeHead(service.answer).end()
      waiting.shift()?.(push)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: PushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: [],
    answer: 201,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return service
}

import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Passes everything on but notifications, as a pooler that gives each transaction another connection. */
export async function startDeafProxy(url: string): Promise<{ url: string; close(): void }> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    let rest = Buffer.alloc(0)
    upstream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1)
        const message = rest.subarray(0, end)
        rest = rest.subarray(end)
        if (String.fromCharCode(message[0] ?? 0) !== 'A') client.write(message)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(url)
  address.port = String((server.address() as AddressInfo).port)
  return {
    url: address.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

import { EventEmitter, on } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { floorLog } from './floor-log.ts'
import { serve, timed } from './contender.ts'

/** The floor of fan-out: a row on disk, then its bytes written to every socket. No protocol, no catching up, no limits. */
const [folder = ''] = process.argv.slice(2)
const log = floorLog(join(folder, 'floor.db'))
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
  sockets.add(socket)
})
let seq = 0

async function turns({ turns: count, frames }: { turns: number; frames: string[] }): Promise<object> {
  return timed(count, async () => {
    for (let turn = 0; turn < count; turn += 1) {
      for (const frame of frames) {
        await log.append('dialog', (seq += 1), frame)
        const bytes = Buffer.from(`${frame}\n`)
        for (const socket of sockets) socket.write(bytes)
      }
    }
  })
}

/** And within the process: each reader iterates over what an emitter hands out. */
async function followed({ readers, count }: { readers: number; count: number }): Promise<object> {
  const emitter = new EventEmitter().setMaxListeners(0)
  const framesPerTurn = 2
  const took = await timed(count, async () => {
    const following = Array.from({ length: readers }, async () => {
      let lastSeen = 0
      for await (const _ of on(emitter, 'events')) if ((lastSeen += 1) === count * framesPerTurn) return
    })
    for (let turn = 0; turn < count * framesPerTurn; turn += 1) {
      await log.append('dialog', (seq += 1), 'Noted. I have looked it up and it fits, so I go on.')
      emitter.emit('events', [seq])
    }
    await Promise.all(following)
  })
  return took
}

serve<{ turns: number; frames: string[] } | { readers: number; count: number } | { cpu: true }>(
  async (command) => {
    if ('cpu' in command) return process.cpuUsage()
    return 'readers' in command ? followed(command) : turns(command)
  },
  async () => {
    log.close()
  },
)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

import { connect, type Socket } from 'node:net'
import { bearerProtocol, liveProtocol } from '../src/client/live.ts'
import type { LiveFrame } from '../src/shapes/wire.ts'
import { serve } from './contender.ts'

/** The people on the other side, in a process of their own: many connections, each counting what it is given. */
let counts: number[] = []
let texts: string[] = []
let goal = Infinity
let reached = (): void => {}
let sockets: (WebSocket | Socket)[] = []

const countEvents = (reader: number, events: number): void => {
  counts[reader] = (counts[reader] ?? 0) + events
  if (counts.every((count) => count >= goal)) reached()
}

async function join({ url, token, dialog, readers }: { url: string; token: string; dialog: string; readers: number }): Promise<object> {
  counts = Array.from({ length: readers }, () => 0)
  await Promise.all(
    counts.map(
      (_, reader) =>
        new Promise<void>((resolve, reject) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`, [liveProtocol, bearerProtocol + token])
          sockets.push(socket)
          socket.onerror = () => reject(new Error('a reader was not let in'))
          socket.onopen = () => socket.send(JSON.stringify({ type: 'follow', stream: dialog, after: 0 }))
          socket.onmessage = ({ data }) => {
            const text = String(data)
            const frame = JSON.parse(text) as LiveFrame
            if (frame.type === 'events') {
              if (reader === 0) texts.push(text)
              countEvents(reader, frame.events.length)
            }
            if (frame.type === 'live') resolve()
            if (frame.type === 'error') reject(new Error(frame.error.message))
          }
        }),
    ),
  )
  return { joined: counts.length }
}

async function joinFloor({ port, readers }: { port: number; readers: number }): Promise<object> {
  counts = Array.from({ length: readers }, () => 0)
  await Promise.all(
    counts.map(
      (_, reader) =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', resolve)
          sockets.push(socket)
          socket.once('error', reject)
          let rest = ''
          socket.setEncoding('utf8').on('data', (chunk: string) => {
            const lines = (rest + chunk).split('\n')
            rest = lines.pop() ?? ''
            for (const line of lines) countEvents(reader, (JSON.parse(line) as { events: unknown[] }).events.length)
          })
        }),
    ),
  )
  return { joined: counts.length }
}

/** Starts counting from nothing. */
function begin(): object {
  counts.fill(0)
  texts = []
  goal = Infinity
  return { begun: true }
}

async function all(events: number): Promise<object> {
  goal = events
  if (!counts.every((count) => count >= goal)) await new Promise<void>((resolve) => (reached = resolve))
  return { delivered: counts.reduce((sum, count) => sum + count, 0), frames: texts.slice(0, 20) }
}

function leave(): object {
  for (const socket of sockets)
    if ('destroy' in socket) socket.destroy()
    else socket.close()
  sockets = []
  return { left: true }
}

type Command =
  | { join: Parameters<typeof join>[0] }
  | { joinFloor: Parameters<typeof joinFloor>[0] }
  | { begin: true }
  | { all: number }
  | { leave: true }

serve<Command>(async (command) => {
  if ('join' in command) return join(command.join)
  if ('joinFloor' in command) return joinFloor(command.joinFloor)
  if ('begin' in command) return begin()
  return 'all' in command ? all(command.all) : leave()
})

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { eventually } from '../fixtures/eventually.ts'
import { type Finding, type Probe, type ProbedServer, withServer } from './probed-server.ts'

/** Above this much memory the server counts as exhausted, and the attack ends. */
const exhaustedMb = 600

const attackMs = 20_000

/** Attacks until the memory is exhausted or the time is over. */
async function attack(server: ProbedServer, step: () => void): Promise<Finding> {
  for (const end = performance.now() + attackMs; performance.now() < end && !server.hasEnded;) {
    step()
    await sleep(100)
    if (!server.hasEnded && server.memory() > exhaustedMb) break
  }
  if (server.hasEnded) return { open: true, seen: 'the server died' }
  const most = server.memory('VmHWM')
  return { open: most > exhaustedMb, seen: most > exhaustedMb ? `more than ${exhaustedMb} MB` : `${Math.round(most)} MB at most` }
}

const scripted = 'team:\n  members:\n    ada:\n      runtime: scripted\n      module: ./ada.mjs\n'

const agentThatAsks = `export default {
  name: 'ada',
  about: '',
  *reply() { yield { type: 'text', text: '' } },
  async *build({ input }) {
    if (input.type === 'BUILD_REQUEST') yield { do: 'ask', id: 'q', prompt: 'Which region?' }
    else yield { do: 'ask', id: 'r', prompt: 'second turn' }
  },
}
`

export const loadProbes: readonly Probe[] = [
  {
    hole: 'Twenty small requests with spaces in the instructions of a build freeze the server',
    tests: '`test/builds/instructions.test.ts`, `test/linear-time.test.ts`',
    run: (version) =>
      withServer(version, { files: { 'parley.yaml': scripted, 'ada.mjs': agentThatAsks } }, async (server) => {
        const token = await server.token('chat', 'answer', 'read')
        const { build_id: build } = await server.must('POST', '/v1/builds', { token, body: { prompt: 'A page about tea' } })
        /** Question of the build that waits, read again when a busy server drops the connection. */
        const asked = async (): Promise<string> => JSON.stringify(await server.must('GET', `/v1/builds/${build}`).catch(() => null))
        await eventually(async () => (await asked()).includes('Which region?'), 'the question of the build')
        const before = server.cpu()
        const text = `a${' '.repeat(19_000)}b`
        for (let count = 0; count < 20; count += 1) await server.must('POST', `/v1/builds/${build}/messages`, { token, body: { text } })
        await server.must('POST', `/v1/builds/${build}/answers`, { token, body: { question_id: 'q', answer: 'All of them' } })
        await eventually(async () => (await asked()).includes('second turn'), 'the second turn of the build')
        const used = server.cpu() - before
        return { open: used > 5, seen: `${used.toFixed(1)} s of CPU time` }
      }),
  },
  {
    hole: 'Sixty readers of the event stream that do not read exhaust the memory',
    tests: '`test/hostile-readers.e2e.test.ts`, `src/server/slow-readers.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        for (let dialog = 0; dialog < 6; dialog += 1) {
          const { id } = await server.must('POST', '/v1/dialogs', { body: {} })
          for (let count = 0; count < 60; count += 1)
            await server.must('POST', `/v1/dialogs/${id}/messages`, { body: { text: 'x'.repeat(90_000) } })
        }
        const token = await server.token('read')
        const sockets: Socket[] = []
        try {
          return await attack(server, () => {
            if (sockets.length >= 60) return
            const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
            socket.on('error', () => {}).pause()
            socket.write(
              `GET /v1/events HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n\r\n`,
            )
            sockets.push(socket)
          })
        } finally {
          for (const socket of sockets) socket.destroy()
        }
      }),
  },
  {
    hole: 'One WebSocket that only writes exhausts the memory',
    tests: '`src/server/hostile-peers.test.ts`',
    run: (version) =>
      withServer(version, {}, async (server) => {
        const token = await server.token('read')
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/live`, { headers: { authorization: `Bearer ${token}` } })
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
        socket.on('error', () => {})
        socket.pause()
        const frame = JSON.stringify({ type: 'nonsense', text: 'x'.repeat(400) })
        try {
          return await attack(server, () => {
            for (let count = 0; count < 20_000 && socket.readyState === WebSocket.OPEN && socket.bufferedAmount < 20_000_000; count += 1)
              socket.send(frame)
          })
        } finally {
          socket.terminate()
        }
      }),
  },
]

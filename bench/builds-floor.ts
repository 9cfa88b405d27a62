import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stepIds, stepOf } from '../src/builds/rules/steps.ts'
import { stamp, stepMs } from './build-story.ts'
import { floorLog } from './floor-log.ts'

/**
 * The floor of builds: the same events in the same time, each one row on disk and then one write to its reader. Nothing
 * is checked, nothing survives, an answer is whatever is posted.
 */
const [folder = ''] = process.argv.slice(2)
const log = floorLog(join(folder, 'floor.db'))
const answers = new Map<string, () => void>()
let count = 0

async function play(id: string, page: ServerResponse): Promise<void> {
  let seq = 0
  const send = async (type: string, payload: object = {}): Promise<void> => {
    const event = JSON.stringify({ seq: (seq += 1), at: Date.now(), type, payload: { ...payload, source: 'agent' } })
    await log.append(id, seq, event)
    page.write(`id: ${seq}\ndata: ${event}\n\n`)
  }
  const answered = (): Promise<void> => new Promise((resolve) => answers.set(id, resolve))
  await send('session.started', { build_id: id, session_id: id })
  await send('status.changed', { status: 'running' })
  for (const step of stepIds) {
    const { title, description, index, total } = stepOf(step, 'en')
    await send('progress.step.started', { step_id: step, title, description, index, total })
    await pause(stepMs)
    await send('assistant.message.created', { text: stamp() })
    if (step === 'research' || step === 'design') {
      const isOne = step === 'research'
      const reply = answered()
      await send(
        isOne ? 'question.requested' : 'questions.requested',
        isOne ? { question_id: 'q-tone' } : { question_set_id: 'set-details' },
      )
      await reply
    }
    await send('progress.step.completed', { step_id: step })
  }
  await send('assistant.message.created', { text: 'Your greeting is ready.' })
  await send('status.changed', { status: 'complete', output: 'Hello' })
  await send('session.completed')
}

const server = createServer((request, response) => {
  const [, , , id = '', what = ''] = (request.url ?? '').split(/[/?]/)
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    void play(id, response)
    return
  }
  request.resume()
  if (what === 'answers') answers.get(id)?.()
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ build_id: `b${(count += 1)}`, session_id: 's' }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
process.on('disconnect', () => {
  log.close()
  process.exit(0)
})

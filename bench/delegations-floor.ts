import { join } from 'node:path'
import { Agent, request } from 'undici'
import { type Round, serve, timed } from './contender.ts'
import { floorLog } from './floor-log.ts'
import { words } from './words.ts'

/**
 * The floor of a delegation: the same three requests to the same model, their words taken out of the streams, and the same
 * number of rows in the same four steps, each on disk before the next. No rules, no claims, no views, no recovery.
 */
const [folder = '', url = ''] = process.argv.slice(2)
const log = floorLog(join(folder, 'floor.db'))
const dispatcher = new Agent({ connections: 256 })
const headers = { 'content-type': 'application/json' }

type Chunk = { choices: { delta: { content?: string } }[] }

async function think(body: string): Promise<string> {
  const { statusCode, body: reply } = await request(`${url}/chat/completions`, { method: 'POST', headers, body, dispatcher })
  const stream = await reply.text()
  if (statusCode !== 200) throw new Error(`the model answered ${statusCode}`)
  let output = ''
  for (const line of stream.split('\n')) {
    if (line.startsWith('data: {')) output += (JSON.parse(line.slice(6)) as Chunk).choices[0]?.delta.content ?? ''
  }
  if (output === '') throw new Error('the model said nothing')
  return output
}

let count = 0

async function round({ dialogs, bodies }: { dialogs: number; bodies: string[] }): Promise<Round> {
  const before = log.commits
  const took = await timed((dialogs * bodies.length) / 3, async () => {
    await Promise.all(
      Array.from({ length: dialogs }, async () => {
        const stream = `dialog-${(count += 1)}`
        let seq = 0
        const append = (rows: number, data: string): Promise<unknown> =>
          Promise.all(Array.from({ length: rows }, () => log.append(stream, (seq += 1), data)))
        for (let first = 0; first < bodies.length; first += 3) {
          await append(1, words(first))
          for (const [step, rows] of [8, 6, 4].entries()) await append(rows, await think(bodies[first + step] ?? ''))
        }
      }),
    )
  })
  return { ...took, commits: log.commits - before }
}

serve(round, async () => {
  await dispatcher.close()
  log.close()
})

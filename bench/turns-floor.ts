import { join } from 'node:path'
import { Agent, request } from 'undici'
import { serve, timed, type Round } from './contender.ts'
import { floorLog } from './floor-log.ts'
import { toWords } from './stream-words.ts'

/**
 * The floor of a turn: the same request bytes to the same model, the words taken out of the stream that comes back, and
 * one row appended and on disk. No framework, no history, no questions, no recovery.
 */
const [folder = '', url = ''] = process.argv.slice(2)
const log = floorLog(join(folder, 'floor.db'))
const dispatcher = new Agent({ connections: 256 })
const headers = { 'content-type': 'application/json' }

let total = 0

async function round({ dialogs, bodies }: { dialogs: number; bodies: string[] }): Promise<Round> {
  const before = log.commits
  const streams = Array.from({ length: dialogs }, () => `dialog-${(total += 1)}`)
  const took = await timed(dialogs * bodies.length, async () => {
    await Promise.all(
      streams.map(async (stream) => {
        let seq = 0
        for (const body of bodies) {
          const { statusCode, body: reply } = await request(`${url}/chat/completions`, { method: 'POST', headers, body, dispatcher })
          const text = await reply.text()
          if (statusCode !== 200) throw new Error(`the model answered ${statusCode}`)
          await log.append(stream, (seq += 1), toWords(text))
        }
      }),
    )
  })
  return { ...took, commits: log.commits - before, units: took.count }
}

serve(round, async () => {
  await dispatcher.close()
  log.close()
})

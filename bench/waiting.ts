import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getAnswer, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'
import { peakBytes, rssBytes, serverProcess } from './server-process.ts'

/** 10,000 dialogs waiting on a question: what they take on disk and in memory, and how soon a fresh process resumes one. */
const bench = 'waiting'
const dialogs = many(10_000, 2_000)
const folder = scratch('waiting')
const data = join(folder, '.parley')
const path = join(data, 'parley.db')
mkdirSync(data, { recursive: true })

// The server's own team, with the same agent as a module beside its configuration.
writeFileSync(join(folder, 'parley.yaml'), 'team:\n  members:\n    ada: { runtime: scripted, module: ./asks.mjs }\n')
writeFileSync(
  join(folder, 'asks.mjs'),
  `export default { name: 'ada', about: 'Asks.', *reply({ context }) {
  const { outcome } = context.at(-1)
  yield { type: 'text', text: outcome ? 'Then it is ' + outcome.answers.pick + '.' : 'Nothing was answered.' }
} }\n`,
)

const filling = start('waiting-fill.ts', [path])
const { count, questions, seconds } = await filling.ask<{ count: number; questions: string[]; seconds: number }>({ dialogs })
if (count !== dialogs) throw new Error(`${count} questions are open instead of ${dialogs}`)
await pause(500)
print({
  bench,
  figure: 'memory of the process that opened them',
  value: rssBytes(filling.child.pid ?? 0) / 1e6,
  unit: 'MB',
  dialogs,
  dialogsPerSecond: Math.round(dialogs / seconds),
})
await filling.end()
const bytes = readdirSync(data).reduce((sum, file) => sum + statSync(join(data, file)).size, 0)
print({ bench, figure: 'disk', value: bytes / 1e6, unit: 'MB', dialogs, bytesPerDialog: Math.round(bytes / dialogs) })

type Resumed = { ms: number; rssBytes: number; peakBytes: number }
const once = async (file: string, args: string[]): Promise<Resumed> => {
  // An installed package is plain JavaScript; here the sources are read, and the cache spares them being stripped each time.
  const contender = start(file, args, { env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') } })
  const resumed = await getAnswer<Resumed>(contender.child, file)
  await contender.end()
  return resumed
}
const next = (): string => questions.pop() ?? ''
const ours: Resumed[] = []
const floor: Resumed[] = []
const server: Resumed[] = []
for (let round = -1; round < many(7, 3); round += 1) {
  const mine = await once('waiting-resume.ts', [path, next()])
  const its = await once('waiting-floor.ts', [join(folder, 'floor.db')])
  const whole = await overHttp(next())
  if (round < 0) continue
  ours.push(mine)
  floor.push(its)
  server.push(whole)
}
const of = (all: Resumed[], take: (each: Resumed) => number): number => median(all.map(take))
const floorMs = of(floor, ({ ms }) => ms)
const floorPeak = of(floor, (each) => each.peakBytes / 1e6)
for (const [who, all] of [
  ['library', ours],
  ['server', server],
] as const) {
  const ms = of(all, (each) => each.ms)
  const peak = of(all, (each) => each.peakBytes / 1e6)
  print({
    bench,
    figure: `process start to first resumed reply, ${who}`,
    value: ms,
    unit: 'ms',
    floor: floorMs,
    aim: '≤ 500 ms',
    met: ms <= 500,
  })
  print({
    bench,
    figure: `peak memory of that process, ${who}`,
    value: peak,
    unit: 'MB',
    floor: floorPeak,
    aim: '< 120 MB',
    met: peak < 120,
  })
}

/** The whole server from its spawn on, the answer over HTTP, until the reply can be read there. */
async function overHttp(question: string): Promise<Resumed> {
  const spawned = performance.now()
  const { url, token, child, end } = await serverProcess(folder)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answered = await fetch(`${url}/v1/questions/${question}/answer`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ choice: 'blue' }),
  })
  const { dialog } = (await answered.json()) as { dialog: string }
  if (!answered.ok) throw new Error(`the answer was refused: ${answered.status}`)
  for (;;) {
    const { status, preview } = (await (await fetch(`${url}/v1/dialogs/${dialog}`, { headers })).json()) as {
      status: string
      preview: string
    }
    if (status === 'ready' && preview.startsWith('Then it is blue')) break
    if (performance.now() - spawned > 20_000) throw new Error(`no reply after the answer: ${status} ${preview}`)
    await pause(2)
  }
  const ms = performance.now() - spawned
  const rss = rssBytes(child.pid ?? 0)
  const peak = peakBytes(child.pid ?? 0)
  await end()
  return { ms, rssBytes: rss, peakBytes: peak }
}

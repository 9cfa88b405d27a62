import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkBuildLog } from '../src/builds/rules/check-log.ts'
import { person, type Watched } from './builds-people.ts'
import { getAnswer, start } from './contender.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'
import { cpuMs, peakBytes, rssBytes, serverProcess } from './server-process.ts'

/**
 * 200 builds at once, each with one question and one set, each followed by a page of its own. One in ten is built by a
 * program that is started anew for each turn; the others by a script in the server. The time from event to page is
 * measured from the moment the agent says something until a reader outside has read it, on disk in between.
 */
const bench = 'builds'
const count = many(200, 60)
const folder = scratch('builds')
const place = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))
writeFileSync(
  join(folder, 'parley.yaml'),
  [
    'limits:',
    '  requestsPerMinute: 1000000',
    'team:',
    '  members:',
    '    bench:',
    '      runtime: scripted',
    `      module: ${place('build-agent.ts')}`,
    '    program:',
    '      runtime: command',
    `      command: [sh, ${place('../examples/build-agent-shell/agent.sh')}]`,
    '',
  ].join('\n'),
)
process.env['BUILD_PACE_SECONDS'] = '0'
const server = await serverProcess(folder)
const floor = start('builds-floor.ts', [folder])
const { port } = await getAnswer<{ port: number }>(floor.child, 'floor')

type Round = { seconds: number; cpuMs: number; latenciesMs: number[]; logs: string[][] }

async function round(pid: number, where: { url: string; token: string }, builds: number): Promise<Round> {
  const [cpuBefore, before] = [cpuMs(pid), performance.now()]
  const people = Array.from({ length: builds }, (_, index) =>
    person(where, { prompt: `A greeting for door ${index}`, agent: index % 10 === 9 ? 'program' : 'bench' }),
  )
  const watched: Watched[] = await Promise.all(people)
  return {
    seconds: (performance.now() - before) / 1000,
    cpuMs: (cpuMs(pid) - cpuBefore) / builds,
    latenciesMs: watched.flatMap(({ latenciesMs }) => latenciesMs),
    logs: watched.map(({ events }) => events),
  }
}

const [ours, bare] = [server.child.pid ?? 0, floor.child.pid ?? 0]
const theirs = { url: `http://127.0.0.1:${port}`, token: '' }
for (let warm = 0; warm < 2; warm += 1) {
  await round(ours, server, 20)
  await round(bare, theirs, 20)
}
const [memoryBefore, floorBefore] = [rssBytes(ours), rssBytes(bare)]
const rounds: Round[] = []
const floors: Round[] = []
for (let turn = 0; turn < many(3, 1); turn += 1) {
  rounds.push(await round(ours, server, count))
  floors.push(await round(bare, theirs, count))
}
const [memory, floorMemory] = [(peakBytes(ours) - memoryBefore) / count, (peakBytes(bare) - floorBefore) / count]

const valid = rounds.map(({ logs }) => logs.filter((log) => checkBuildLog(log).every(({ severity }) => severity !== 'error')).length)
const at = (latencies: readonly number[], share: number): number =>
  latencies.toSorted((a, b) => a - b)[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
const of = (all: readonly Round[], take: (each: Round) => number): number => median(all.map(take))
const together = `${count} at once`

print({
  bench,
  figure: `builds with a valid log, ${together}`,
  value: Math.min(...valid),
  unit: 'builds',
  aim: `all ${count}`,
  met: Math.min(...valid) === count,
})
print({
  bench,
  figure: `builds per second, ${together}`,
  value: of(rounds, ({ seconds }) => count / seconds),
  unit: '1/s',
  floor: of(floors, ({ seconds }) => count / seconds),
})
print({
  bench,
  figure: `CPU per build, ${together}`,
  value: of(rounds, (each) => each.cpuMs),
  unit: 'ms',
  floor: of(floors, (each) => each.cpuMs),
})
print({
  bench,
  figure: `most memory per build, ${together}`,
  value: memory / 1024,
  unit: 'kB',
  ...(floorMemory > 0 ? { floor: floorMemory / 1024 } : {}),
})
for (const [name, share] of [
  ['p50', 0.5],
  ['p99', 0.99],
] as const) {
  print({
    bench,
    figure: `event to page ${name}, ${together}`,
    value: of(rounds, ({ latenciesMs }) => at(latenciesMs, share)),
    unit: 'ms',
    floor: of(floors, ({ latenciesMs }) => at(latenciesMs, share)),
  })
}
await Promise.all([server.end(), floor.end()])
process.exit(0)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'
import { cpuMs, firstLine, rssBytes, serverProcess } from './server-process.ts'

/** From spawn to the line that says where the server is; then the memory of the idle server. */
const bench = 'startup'
const folder = scratch('startup')
const floorFile = fileURLToPath(new URL('startup-floor.ts', import.meta.url))

type Start = { readyMs: number; pid: number; end(): Promise<void> }

async function ours(): Promise<Start> {
  const { child, readyMs, end } = await serverProcess(folder)
  return { readyMs, pid: child.pid ?? 0, end }
}

async function floor(): Promise<Start> {
  const before = performance.now()
  const child = spawn(process.execPath, [floorFile, join(folder, 'floor.db')], { stdio: ['ignore', 'pipe', 'inherit'] })
  await firstLine(child)
  return {
    readyMs: performance.now() - before,
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const readyMs = { ours: [] as number[], floor: [] as number[] }
for (let round = -1; round < many(7, 3); round += 1) {
  for (const [name, begin] of [
    ['ours', ours],
    ['floor', floor],
  ] as const) {
    const started = await begin()
    if (round >= 0) readyMs[name].push(started.readyMs)
    await started.end()
  }
}
const ready = median(readyMs.ours)
print({
  bench,
  figure: 'spawn to ready',
  value: ready,
  unit: 'ms',
  floor: median(readyMs.floor),
  aim: 'under 2 s (second start)',
  met: ready < 2_000,
})

const idleSeconds = many(5, 2)
const [running, bare] = [await ours(), await floor()]
await pause(1_500)
const before = cpuMs(running.pid)
await pause(idleSeconds * 1_000)
const used = cpuMs(running.pid) - before
print({ bench, figure: 'idle memory', value: rssBytes(running.pid) / 1e6, unit: 'MB', floor: rssBytes(bare.pid) / 1e6 })
print({ bench, figure: 'idle CPU', value: (used / (idleSeconds * 1_000)) * 100, unit: '% of a core' })
await Promise.all([running.end(), bare.end()])

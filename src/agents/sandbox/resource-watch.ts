import { readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import type { Clock } from '../../ports/clock.ts'

/**
 * Bounds of one started program with everything it starts. Tasks are processes and threads together. The memory is a share of
 * the machine's: the aim is that the server keeps running.
 */
export const resourceLimits = { tasks: 2_048, memoryShare: 0.5, checkEveryMs: 250 } as const

export type ExceededLimit = 'tasks' | 'memory'

/** After "it used". */
export const exceededTexts: Readonly<Record<ExceededLimit, string>> = {
  tasks: `more than ${resourceLimits.tasks} processes and threads`,
  memory: 'more than half of the memory of this machine',
}

type ResourceUse = { tasks: number; bytes: number }

type Watched = { pid: number; clock: Clock; exceeded(limit: ExceededLimit): void; memoryBytes?: number | undefined }

/**
 * Checks a tree of processes until the returned function is called. The kernel bounds them as well where it can: not the
 * processes of root, and memory only in control groups, which most accounts cannot make.
 */
export function watchResources({ pid, clock, exceeded, memoryBytes = totalmem() * resourceLimits.memoryShare }: Watched): () => void {
  let cancel = (): void => {}
  const check = (): void => {
    const pids = listTree(pid)
    const { tasks, bytes } = resourceUse(pids)
    if (tasks > resourceLimits.tasks) return exceeded('tasks')
    // Forked processes share memory that each of them counts, so the exact figure decides. It is slow to read.
    if (bytes > memoryBytes && proportionalBytes(pids) > memoryBytes) return exceeded('memory')
    cancel = clock.after(resourceLimits.checkEveryMs, check)
  }
  cancel = clock.after(resourceLimits.checkEveryMs, check)
  return () => cancel()
}

/** A process and those below it, no more than the limit and one generation beyond it. */
function listTree(pid: number): number[] {
  const pids = [pid]
  for (let at = 0; at < pids.length && at <= resourceLimits.tasks; at += 1)
    for (const task of list(`/proc/${pids[at]}/task`))
      pids.push(...read(`/proc/${pids[at]}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
  return pids
}

const pageBytes = 4_096

function resourceUse(pids: readonly number[]): ResourceUse {
  const use: ResourceUse = { tasks: pids.length, bytes: 0 }
  for (const pid of pids.slice(0, resourceLimits.tasks)) {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number)
    use.bytes += Math.max(0, resident - shared) * pageBytes
    use.tasks += Math.max(0, list(`/proc/${pid}/task`).length - 1)
  }
  return use
}

const proportionalBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024, 0)

/** Processes end while they are read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

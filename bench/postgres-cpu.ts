import { readdirSync, readFileSync } from 'node:fs'

const clockTicks = 100
const readStat = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  } catch {
    return []
  }
}

/** Seconds of CPU that a process has used. */
export const readCpu = (pid: number | undefined): number => {
  const fields = readStat(pid ?? 0)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / clockTicks
}

/** Of the PostgreSQL that this process started and of all its backends: those that ended are counted by their parent. */
export function cpuOfPostgres(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const server = pids.find(
    (pid) => readStat(pid)[1] === String(process.pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres',
  )
  const backends = pids.filter((pid) => readStat(pid)[1] === server)
  const ended = readStat(server ?? '')
  return [server, ...backends].reduce(
    (sum, pid) => sum + readCpu(Number(pid)),
    (Number(ended[13] ?? 0) + Number(ended[14] ?? 0)) / clockTicks,
  )
}

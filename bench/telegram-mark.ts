let last = process.cpuUsage()

/** CPU time of this process since it was asked before. */
export function sinceMark(): { cpuMs: number } {
  const { user, system } = process.cpuUsage(last)
  last = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000 }
}

/** CPU time of this process since `before`, which `process.cpuUsage()` returned. */
export function cpuMicroseconds(before: NodeJS.CpuUsage): number {
  const parts: readonly number[] = Object.values(process.cpuUsage(before))
  return parts.reduce((sum, part) => sum + part, 0)
}

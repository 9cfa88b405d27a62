/**
 * Preloaded into a contender by `compare.ts`: adds CPU of the main thread to each round. `timed` of either tree asks for the
 * usage of the process before and after the work, and this asks for the one of the thread in the same moments.
 */
const { cpuUsage } = process
let usage = process.threadCpuUsage()
let threadMs = 0
process.cpuUsage = (before) => {
  if (before) {
    const { user, system } = process.threadCpuUsage(usage)
    threadMs = (user + system) / 1000
  } else usage = process.threadCpuUsage()
  return cpuUsage.call(process, before)
}
const send = process.send?.bind(process)
if (send) process.send = ((answer: object, ...more: []) => send({ ...answer, threadMs }, ...more)) as NonNullable<typeof process.send>

// The world host of the city: node host.ts DIR PORT. Tells its parent what it uses, because a killed process cannot.
import { join } from 'node:path'
import { startWorldHost } from '../../src/app/world-host.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { silentLog } from '../../src/ports/log.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { wireLimits } from '../../src/worlds/wire/wire-limits.ts'

const [dir = '', port = '0'] = process.argv.slice(2)
const host = await startWorldHost({
  store: sqliteStore({ path: join(dir, 'host.db') }),
  dataDir: dir,
  clock: systemClock,
  log: silentLog,
  hostname: '127.0.0.1',
  port: Number(port),
  publicUrl: undefined,
  isA2aOn: false,
  version: 'city',
  // All members come from one address here; the limit for one address would let in five a second.
  limits: { ...wireLimits, proofsPerSecond: 5_000, proofsAtOnce: 10_000 },
})
const tell = (): void => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000, rss: process.memoryUsage.rss() })
}
process.send?.({ url: host.url })
setInterval(tell, 100)

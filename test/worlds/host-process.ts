// A world host as a process of its own: node host-process.ts DIR PORT
import { join } from 'node:path'
import { startWorldHost } from '../../src/app/world-host.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { silentLog } from '../../src/ports/log.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { wireLimits } from '../../src/worlds/wire/wire-limits.ts'
import { killAt } from './kill-at.ts'

const [dir = '', port = '0'] = process.argv.slice(2)
const store = killAt(sqliteStore({ path: join(dir, 'host.db') }))
const host = await startWorldHost({
  store,
  dataDir: dir,
  clock: systemClock,
  log: silentLog,
  hostname: '127.0.0.1',
  port: Number(port),
  publicUrl: undefined,
  isA2aOn: false,
  version: 'test',
  limits: { ...wireLimits, ackMs: 2_000 },
})
process.send?.({ url: host.url })

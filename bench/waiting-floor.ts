import { floorLog } from './floor-log.ts'

/** The floor of a cold start: a fresh process that opens its log and has one row on disk. */
const [path = ''] = process.argv.slice(2)
const log = floorLog(path)
await log.append('dialog', 1, 'It is blue.')
process.send?.({ ms: performance.now(), rssBytes: process.memoryUsage.rss(), peakBytes: process.resourceUsage().maxRSS * 1024 })
log.close()
process.disconnect()

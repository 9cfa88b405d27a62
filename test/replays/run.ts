import { wires } from '../../src/agents/wires/wire.ts'
import { checkReplay } from './check-replay.ts'
import { runtimeExpectations } from './expectations.ts'
import { behaviours, isSayable } from './replay.ts'

/** `npm run replays`: every line of the file in every wire that can say it, as a table. */
let failed = 0
for (const line of behaviours) {
  const cells: string[] = []
  for (const wire of wires) {
    if (!isSayable(line, wire)) cells.push('–')
    else
      try {
        await checkReplay(line, wire)
        cells.push('ok')
      } catch (error) {
        failed += 1
        cells.push(`FAILED: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)[0]}`)
      }
  }
  const depth = line.id in runtimeExpectations ? 'expectations' : 'rules of every request'
  console.log(`| ${line.id} | ${cells.join(' | ')} | ${depth} |`)
}
console.log(failed === 0 ? 'All replays passed.' : `${failed} replays failed.`)
process.exitCode = failed === 0 ? 0 : 1

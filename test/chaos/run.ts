import { campaign, tableHead } from './campaign.ts'
import { faultKinds } from './faults.ts'

// npm run chaos -- [faults] [seed] [seconds] [kind,kind]: a table of the faults, then the verdict. Ends with 1 after a violation.
const faults = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const chosen = process.argv[5]?.split(',')
const unknown = chosen?.find((name) => !faultKinds.some((kind) => kind === name))
if (unknown !== undefined) throw new Error(`${unknown} is not one of: ${faultKinds.join(', ')}`)
const kinds = faultKinds.filter((kind) => chosen?.includes(kind) ?? true)
console.log(`Seed ${seed}\n\n${tableHead}`)
const report = await campaign({
  faults,
  seed,
  kinds,
  everyMs: 1_000,
  mostSeconds: Number(process.argv[4] ?? 3_600),
  people: 6,
  chats: 3,
  onRow: (row) => console.log(row),
})
const { verdict, ...totals } = report
console.log(`\n${JSON.stringify({ seed, ...totals, ...verdict, violations: verdict.violations.length }, null, 2)}`)
for (const violation of verdict.violations.slice(0, 100)) console.error(violation)
if (verdict.violations.length > 0 || verdict.counts.turns === 0) process.exitCode = 1

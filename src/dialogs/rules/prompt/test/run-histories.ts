import { findHistoryFault } from './history-faults.ts'
import { History, wireNames } from './histories.ts'

/** `npm run prefix -- [histories] [first seed]`: looks for a history in which a request does not begin with the one before it. */
const [histories = 100_000, first = 1] = process.argv.slice(2).map(Number)
let requests = 0
for (let seed = first; seed < first + histories; seed += 1) {
  const history = new History(seed).run(10)
  requests += history.sent.length
  const fault = findHistoryFault(history)
  if (fault === null) continue
  console.log(JSON.stringify({ seed, fault }))
  process.exit(1)
}
console.log(JSON.stringify({ histories, first, requests, wires: wireNames.length, faults: 0 }))

import { runCity } from './city.ts'

// node test/city/run.ts [accounts] [conversations at a time] [seconds] [seconds between kills, 0 for none]: prints one line of JSON.
const [accounts = 1_000, talks = 200, seconds = 120, killEvery = 5] = process.argv.slice(2).map(Number)
const figures = await runCity({
  accounts,
  talks,
  seconds,
  killEveryMs: killEvery === 0 ? null : killEvery * 1_000,
  hostileShare: 0.3,
  seed: 1,
})
console.log(JSON.stringify(figures))
process.exit(figures.lost + figures.doubled + figures.unfinished + figures.hostileTaken === 0 && figures.turns > 0 ? 0 : 1)

/** Times of day such as 22:00. From a later one to an earlier one they last over midnight. */
export type QuietHours = { from: string; to: string }

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The end of the quiet hours this moment lies in; null outside of them. Where the clocks change it may be off by their step. */
export function quietUntil(quiet: QuietHours | null, timeZone: string, now: number): number | null {
  if (quiet === null) return null
  const [from, to] = [toMinutes(quiet.from), toMinutes(quiet.to)]
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now)
  const minute = toMinutes(parts)
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const left = (to - minute + 24 * 60) % (24 * 60)
  return now - (now % 60_000) + left * 60_000
}

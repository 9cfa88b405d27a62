import type { TerminalWords } from '../words/en/terminal.ts'

export function age(at: number, words: TerminalWords, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return words.age.now
  if (minutes < 60) return words.age.minutes(minutes)
  if (minutes < 60 * 48) return words.age.hours(Math.floor(minutes / 60))
  return words.age.days(Math.floor(minutes / 60 / 24))
}

/** A span of time, such as "1 h 40 min". */
export function durationText(ms: number, words: TerminalWords): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60]
  return [
    ...(days > 0 ? [words.age.days(days)] : []),
    ...(hours > 0 ? [words.age.hours(hours)] : []),
    ...(rest > 0 ? [words.age.minutes(rest)] : []),
  ].join(' ')
}

export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8)

import type { Words } from './words/index.ts'

export function age(at: number, words: Words, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return words.age.now
  if (minutes < 60) return words.age.minutes(minutes)
  if (minutes < 60 * 48) return words.age.hours(Math.floor(minutes / 60))
  return words.age.days(Math.floor(minutes / 60 / 24))
}

export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8)

import type { Language } from '../../../src/shapes/language.ts'
import type { PageWords } from '../../../src/words/en/page.ts'

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Relative time, such as "4 min. ago"; a date after a week. */
export function age(at: number, now: number, language: Language, words: PageWords): string {
  const passed = now - at
  if (passed > 7 * 86_400_000)
    return new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', year: sameYear(at, now) ? undefined : 'numeric' }).format(at)
  for (const [unit, length] of steps) {
    if (passed >= length)
      return new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' }).format(-Math.floor(passed / length), unit)
  }
  return words.time.now
}

/** A time of day, with the day when it was not today. */
export function clock(at: number, now: number, language: Language): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(
    language,
    today ? { hour: '2-digit', minute: '2-digit' } : { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  ).format(at)
}

const sameYear = (a: number, b: number): boolean => new Date(a).getFullYear() === new Date(b).getFullYear()

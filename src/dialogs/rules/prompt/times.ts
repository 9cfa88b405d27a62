import type { PromptTexts } from './prompt-texts.ts'

const minuteMs = 60_000

/** A time that has passed: minutes below two hours, hours below two days, then days. */
export function passedTime(ms: number, { minutes, hours, days }: PromptTexts['units']): string {
  const count = Math.max(0, Math.floor(ms / minuteMs))
  if (count < 120) return minutes(count)
  return count < 48 * 60 ? hours(Math.floor(count / 60)) : days(Math.floor(count / (24 * 60)))
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-11-16 05:40 +01:00`. The offset is stored with the event, so that the text never changes. */
export function writtenTime(at: number, offsetMinutes: number): string {
  const local = new Date(at + offsetMinutes * minuteMs)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const zone = `${sign}${two(Math.floor(Math.abs(offsetMinutes) / 60))}:${two(Math.abs(offsetMinutes) % 60)}`
  const day = `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`
  return `${day} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())} ${zone}`
}

export const writtenDay = (at: number, offsetMinutes: number, { day }: Pick<PromptTexts, 'day'>): string =>
  day(writtenTime(at, offsetMinutes), new Date(at + offsetMinutes * minuteMs).getUTCDay())

/** With a comma at every thousand. */
export const writtenCount = (count: number): string => count.toLocaleString('en-US')

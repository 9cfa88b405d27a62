import { repetitions } from '../fixtures/campaign.ts'

export type Look = { width: number; language: 'en' | 'zh'; locale: 'en-US' | 'zh-CN'; colorScheme: 'light' | 'dark' }

const widths = [320, 360, 412, 820, 1280]
const variants = [
  { language: 'en', locale: 'en-US', colorScheme: 'light' },
  { language: 'zh', locale: 'zh-CN', colorScheme: 'dark' },
  { language: 'en', locale: 'en-US', colorScheme: 'dark' },
  { language: 'zh', locale: 'zh-CN', colorScheme: 'light' },
] as const

/**
 * The widths at which a screen is looked at. `npm test` takes one language and theme at each, beginning with variant `first`;
 * `npm run campaigns` and a run that takes pictures take all four.
 */
export function pickLooks(first: number): Look[] {
  const each = process.env['PARLEY_SHOTS'] ? variants.length : repetitions(1, variants.length)
  return widths.flatMap((width, at) =>
    Array.from({ length: each }, (_, next) => ({ width, ...(variants[(first + at + next) % variants.length] ?? variants[0]) })),
  )
}

import { refuse } from '../../../errors/refuse.ts'
import type { QuestionKind } from './kind.ts'
import { kindWords } from './words.ts'

export type DateItem = { kind: 'date'; min?: string; max?: string }

/** A calendar date such as `2026-12-24`. */
export const dateKind: QuestionKind<DateItem> = {
  about: 'a calendar date; its answer is YYYY-MM-DD',
  fields: {
    min: { type: 'string', about: 'the first date that fits, YYYY-MM-DD' },
    max: { type: 'string', about: 'the last date that fits, YYYY-MM-DD' },
  },
  isTyped: true,
  findFault({ id, min, max }) {
    for (const bound of [min, max]) if (bound !== undefined && !isDate(bound)) return `a bound of "${id}" is not a date such as 2026-12-24`
    return min !== undefined && max !== undefined && min > max ? `"${id}" has a min after its max` : null
  },
  check(item, value) {
    if (isDate(value) && value >= (item.min ?? '') && value <= (item.max ?? '9999-12-31')) return null
    return refuse('bad_answer', { item: item.id, value: value.slice(0, 100), expected: expect(item, 'en') })
  },
  parse: (_, text, today) => readDate(text.normalize('NFKC').trim().toLowerCase(), today),
  describe: (_, value, language) => (isDate(value) ? kindWords[language].date.shown(value) : value),
  explain: (item, _, language) => expect(item, language),
  hint: (item, language) => expect(item, language),
  sample: (item) => sample(item),
  control: ({ min, max }) => ({ type: 'date', min, max }),
}

const sample = ({ min, max }: DateItem): string => min ?? max ?? '2026-12-24'

const expect = (item: DateItem, language: keyof typeof kindWords): string =>
  kindWords[language].date.expected({ min: item.min, max: item.max, example: sample(item) })

function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  return year !== '' && year !== '0000' && toDate(year, month, day) === value
}

function toDate(year: string, month: string, day: string): string | null {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return date.toISOString().slice(0, 10) === iso ? iso : null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fullMonths = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const days: Record<string, number> = { today: 0, 今天: 0, tomorrow: 1, 明天: 1, 'day after tomorrow': 2, 后天: 2, yesterday: -1, 昨天: -1 }

/**
 * | typed                                       | read as                                    |
 * |---------------------------------------------|--------------------------------------------|
 * | 2026-12-24, 2026/12/24, 2026年12月24日      | year, month, day                           |
 * | 24.12.2026                                  | day, month, year: dots are written that way |
 * | 24 Dec 2026, December 24, 2026              | by the name of the month                   |
 * | 12/24/2026, 24-12-2026                      | nothing: day and month could be swapped    |
 */
function readDate(text: string, today: string): string | null {
  const offset = Object.hasOwn(days, text) ? days[text] : undefined
  if (offset !== undefined) return addDays(today, offset)
  const yearFirst = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日?)$/.exec(text)
  if (yearFirst) return toDate(yearFirst[1] ?? '', yearFirst[3] ?? yearFirst[5] ?? '', yearFirst[4] ?? yearFirst[6] ?? '')
  const dayFirst = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text)
  if (dayFirst) return toDate(dayFirst[3] ?? '', dayFirst[2] ?? '', dayFirst[1] ?? '')
  const named = /^(?:(\d{1,2})\.? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2})),? (\d{4})$/.exec(text)
  const name = named?.[2] ?? named?.[3] ?? ''
  const month = Math.max(months.indexOf(name), fullMonths.indexOf(name)) + 1
  return month === 0 ? null : toDate(named?.[5] ?? '', String(month), named?.[1] ?? named?.[4] ?? '')
}

function addDays(today: string, count: number): string | null {
  const at = Date.parse(`${today}T00:00:00Z`)
  return Number.isNaN(at) ? null : new Date(at + count * 86_400_000).toISOString().slice(0, 10)
}

import { refuse } from '../../../errors/refuse.ts'
import type { QuestionKind } from './kind.ts'
import { kindWords } from './words.ts'

export type NumberItem = { kind: 'number'; min?: number; max?: number; integer?: boolean; unit?: string }

const limits = { chars: 40, unitChars: 40 } as const
const stored = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/
const isStored = (value: string): boolean => value.length <= limits.chars && value !== '-0' && stored.test(value)

/** A decimal number such as `-12.5`, without zeros that say nothing. */
export const numberKind: QuestionKind<NumberItem> = {
  about: 'a number',
  fields: {
    min: { type: 'number', about: 'the smallest number that fits' },
    max: { type: 'number', about: 'the largest number that fits' },
    integer: { type: 'boolean', about: 'true for whole numbers only' },
    unit: { type: 'string', about: 'the unit, such as "kg"' },
  },
  isTyped: true,
  findFault({ id, min = -Infinity, max = Infinity, integer, unit = '' }) {
    if (min > max) return `"${id}" has a min above its max`
    if (integer && Math.ceil(min) > Math.floor(max)) return `there is no whole number between the min and the max of "${id}"`
    if (unit.length > limits.unitChars || /[\r\n]/.test(unit)) return `the unit of "${id}" is not one short line`
    return null
  },
  check(item, value) {
    if (fits(item, value)) return null
    return refuse('bad_answer', { item: item.id, value: value.slice(0, 100), expected: expect(item, 'en') })
  },
  parse(item, text) {
    const plain = text.normalize('NFKC').replaceAll('−', '-').trim().toLocaleLowerCase()
    const unit = (item.unit ?? '').normalize('NFKC').trim().toLocaleLowerCase()
    const read = readNumber(plain)
    if (read !== null || unit === '' || !plain.endsWith(unit)) return read
    return readNumber(plain.slice(0, -unit.length).trim())
  },
  describe: ({ unit = '' }, value) => `${value} ${unit}`.trim(),
  explain: (item, _, language) => expect(item, language),
  hint: (item, language) => expect(item, language),
  sample: (item) => sample(item),
  control: ({ integer, unit }) => ({ type: 'field', lines: 'one', keyboard: integer ? 'numeric' : 'decimal', suffix: unit }),
}

function fits({ min = -Infinity, max = Infinity, integer }: NumberItem, value: string): boolean {
  const number = Number(value)
  return isStored(value) && number >= min && number <= max && !(integer && value.includes('.'))
}

/** `1,5` is read as 1.5; `1,500` could be either number and is not read. */
function readNumber(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d{1,30})(?:[.,](\d{1,30}))?$/.exec(text) ?? []
  if (whole === '' || (text.includes(',') && fraction.length === 3)) return null
  const decimals = fraction.replace(/(?<!0)0+$/, '')
  const digits = `${whole.replace(/^0+(?=\d)/, '')}${decimals === '' ? '' : `.${decimals}`}`
  return digits === '0' || sign !== '-' ? digits : `-${digits}`
}

function sample(item: NumberItem): string {
  const { min = 0, max = Infinity, integer } = item
  const candidates = [min <= 5 && max >= 5 ? 5 : integer ? Math.ceil(min) : min, integer ? Math.floor(max) : max].map(String)
  return candidates.find((value) => fits(item, value)) ?? ''
}

function expect(item: NumberItem, language: keyof typeof kindWords): string {
  const { min, max, integer, unit = '' } = item
  return kindWords[language].number({ min, max, isWhole: integer === true, unit: unit.trim(), example: sample(item) })
}

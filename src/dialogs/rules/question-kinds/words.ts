import { otherKindWords } from '../../../words/index.ts'
import type { Language } from '../../../shapes/language.ts'

type Count = { min: number; max: number; all: number }

/** Texts of the question kinds. */
export type KindWords = {
  choice: { hint(labels: readonly string[]): string; missing: string }
  text: { missing: string; tooLong(limit: number): string }
  choices: { count(of: Count): string; hint(labels: readonly string[], of: Count): string; separator: string }
  date: { expected(of: { min: string | undefined; max: string | undefined; example: string }): string; shown(isoDate: string): string }
  number(of: { min: number | undefined; max: number | undefined; isWhole: boolean; unit: string; example: string }): string
}

/** English and Chinese stand together, so that a kind has one file of texts; other languages bring theirs in `src/words`. */
export const kindWords: Record<Language, KindWords> = {
  ...otherKindWords,
  en: {
    choice: { hint: (labels) => `One of: ${labels.join(', ')}.`, missing: 'Choose one of the answers.' },
    text: { missing: 'Write an answer.', tooLong: (limit) => `At most ${limit} characters fit here.` },
    choices: {
      count: (of) => `Choose ${countEn(of)}.`,
      hint: (labels, of) => `Choose ${countEn(of)}: ${numbered(labels, ', ')}. Write the numbers, such as ${findExample(of)}.`,
      separator: ', ',
    },
    date: {
      expected({ min, max, example }) {
        const range = min && max ? ` from ${min} to ${max}` : min ? ` from ${min} on` : max ? ` up to ${max}` : ''
        return `Enter a date${range}, such as ${example}.`
      },
      shown: (isoDate) => isoDate,
    },
    number({ min, max, isWhole, unit, example }) {
      const range =
        min !== undefined && max !== undefined
          ? ` from ${min} to ${max}`
          : min !== undefined
            ? ` of at least ${min}`
            : max !== undefined
              ? ` of at most ${max}`
              : ''
      return `Enter a ${isWhole ? 'whole ' : ''}number${range}${unit === '' ? '' : ` (${unit})`}${example === '' ? '' : `, such as ${example}`}.`
    },
  },
  zh: {
    choice: { hint: (labels) => `可选：${labels.join('、')}。`, missing: '请选择一个答案。' },
    text: { missing: '请写下回答。', tooLong: (limit) => `这里最多 ${limit} 个字符。` },
    choices: {
      count: (of) => `请${countZh(of)}。`,
      hint: (labels, of) => `请${countZh(of)}：${numbered(labels, '、')}。请写编号，例如 ${findExample(of)}。`,
      separator: '、',
    },
    date: {
      expected({ min, max, example }) {
        const range = min && max ? ` ${min} 到 ${max} 之间的` : min ? ` ${min} 或之后的` : max ? ` ${max} 或之前的` : ''
        return `请输入${range}日期，例如 ${example}。`
      },
      shown: (isoDate) => isoDate.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, '$1年$2月$3日'),
    },
    number({ min, max, isWhole, unit, example }) {
      const range =
        min !== undefined && max !== undefined
          ? ` ${min} 到 ${max} 之间的`
          : min !== undefined
            ? `不小于 ${min} 的`
            : max !== undefined
              ? `不大于 ${max} 的`
              : ''
      return `请输入${range}${isWhole ? '整数' : '数字'}${unit === '' ? '' : `（单位：${unit}）`}${example === '' ? '' : `，例如 ${example}`}。`
    },
  },
}

const numbered = (labels: readonly string[], separator: string): string =>
  labels.map((label, index) => `${index + 1}. ${label}`).join(separator)

/** Two numbers where two fit. */
const findExample = ({ min, max }: Count): string =>
  Array.from({ length: Math.min(max, Math.max(min, 2)) }, (_, index) => index + 1).join(', ')

function countEn({ min, max, all }: Count): string {
  if (min === max) return min === 1 ? 'one' : `exactly ${min}`
  if (max === all) return min === 1 ? 'one or more' : `at least ${min}`
  return min === 1 ? `at most ${max}` : `${min} to ${max}`
}

function countZh({ min, max, all }: Count): string {
  if (min === max) return `选择 ${min} 项`
  if (max === all) return min === 1 ? '选择一项或多项' : `至少选择 ${min} 项`
  return min === 1 ? `最多选择 ${max} 项` : `选择 ${min} 到 ${max} 项`
}

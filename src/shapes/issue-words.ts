import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of named values',
  record: 'a group of named values',
  null: 'empty',
}

const formats: Readonly<Record<string, string>> = {
  url: 'an address such as https://example.org',
  port: 'a port from 0 to 65535',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries', file: ' bytes' }

const toNoun = (expected: string): string => nouns[expected] ?? expected

/** The names that zod gives its own messages. Another message was written for the schema and stays as it is. */
const isOwnMessage = (message: string): boolean => !/^(Invalid|Too|Unrecognized)\b/.test(message)

/** A fault that a schema found, as a clause for a person, such as "it must be a whole number". */
export function issueInWords(issue: Issue): string {
  if (isOwnMessage(issue.message)) return issue.message.replace(/\.$/, '')
  switch (issue.code) {
    case 'invalid_type': {
      const isMissing = issue.message.endsWith('received undefined')
      return isMissing ? `it is missing; expected ${toNoun(issue.expected)}` : `it must be ${toNoun(issue.expected)}`
    }
    case 'too_small':
      if (units[issue.origin] !== undefined && issue.minimum === 1) return 'it must not be empty'
      return `it must ${toBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'too_big':
      return `it must ${toBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'not_multiple_of':
      return `it must be a multiple of ${issue.divisor}`
    case 'invalid_value':
      return issue.values.length === 1 ? `it must be ${quote(issue.values[0])}` : `it must be one of ${issue.values.map(quote).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ? `it must be ${formats[issue.format]}` : 'it has a form or characters that are not accepted here'
    case 'invalid_union':
      return unionInWords(issue.errors)
    case 'invalid_key':
      return 'its name has characters that are not accepted here'
    case 'unrecognized_keys':
    case 'invalid_element':
    case 'custom':
      return 'it is not accepted here'
  }
}

const quote = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value))

const toBound = (origin: string, comparison: string, bound: number | bigint): string =>
  `${units[origin] === undefined ? 'be' : 'have'} ${comparison} ${bound}${units[origin] ?? ''}`

/** A form whose type fits says best what is wrong. Where none fits, all of them are named. */
function unionInWords(forms: readonly (readonly Issue[])[]): string {
  const first = forms.flatMap((issues) => issues.slice(0, 1))
  const near = first.find((issue) => issue.code !== 'invalid_type' || issue.path.length > 0)
  if (near) return issueInWords(near)
  const expected = first.flatMap((issue) => (issue.code === 'invalid_type' ? [toNoun(issue.expected)] : []))
  return expected.length === 0 ? 'it is not accepted here' : `it must be ${[...new Set(expected)].join(' or ')}`
}

import { isRecord, readField } from '../../shapes/record.ts'

/** An error as a provider reports it: as a response, as an event inside a stream, or in a document with status 200. */
export type ProviderFault = {
  /** null inside a stream. */
  status: number | null
  code: string
  type: string
  /** The name of the refused field. */
  param: string
  message: string
  /** The raw body, cut to a bound. */
  body: string
}

/** Errors are short; some gateways append the whole request. */
export const providerFaultLimits = { bodyChars: 20_000, fieldChars: 8_000 } as const

const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '').slice(0, providerFaultLimits.fieldChars)

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/**
 * Reads an error body. Known forms: `{"error": {"message", "type", "code"}}`, the same in a list of one, the error as a
 * text, `message` or `detail` without an outer object, and plain text.
 */
export function readFault(status: number | null, body: string): ProviderFault {
  const document = parse(body)
  const outer: unknown = Array.isArray(document) ? document[0] : document
  const error = readField(outer, 'error') ?? readField(outer, 'response')
  const inner = isRecord(readField(error, 'error')) ? readField(error, 'error') : error
  const pick = (...names: string[]): string => {
    for (const source of [inner, outer])
      for (const name of names) {
        const text = toText(readField(source, name))
        if (text !== '') return text
      }
    return ''
  }
  const message = typeof error === 'string' ? toText(error) : pick('message', 'detail')
  return {
    status,
    code: pick('code', 'status'),
    type: isRecord(inner) ? toText(readField(inner, 'type')) : pick('type'),
    param: pick('param'),
    message: message === '' && document === undefined ? toText(body) : message,
    body: body.slice(0, providerFaultLimits.bodyChars),
  }
}

/** Everything a provider said about an error, on one line each, with digits in one form: `30,000` is `30000`. */
export const joinFaultText = ({ code, type, message, body }: ProviderFault): string =>
  `${code}\n${type}\n${message}\n${body}`.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')

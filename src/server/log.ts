import { inspect, styleText } from 'node:util'
import { ParleyError } from '../errors.ts'
import type { Log, LogLevel } from '../ports/log.ts'

export type LogOptions = {
  level?: LogLevel
  /** One line of JSON for each entry; or, for a terminal, words. */
  isPretty?: boolean
  write?: (line: string) => void
  /** Gets everything from `info` on as lines of JSON, whatever is printed. */
  record?: (line: string) => void
  now?: () => number
}

export type OperatorLog = Log & {
  /** From now on this value is not written anywhere, wherever it turns up. */
  hide(secret: string): void
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const secretNames = /authorization|cookie|secret|password|passwd|api[-_]?key|access[-_]?token|bearer|^token$|^key$|credential/i

/** Things that are secrets by their looks: our tokens, bearer headers, keys of model providers, sign-in links. */
const secretLooks = /parley_\w+_[\w-]{32,}|\bBearer\s+[\w.~+/=-]+|\bsk-[\w-]{16,}|(?<=#k=)[\w.-]+/gi

const removed = '[removed]'

const limits = { textChars: 4_000, depth: 6, entries: 50 } as const

/** Writes what an operator needs to stderr, and never a secret. */
export function operatorLog({
  level = 'info',
  isPretty = process.stderr.isTTY === true,
  write = (line) => void process.stderr.write(line),
  record,
  now = Date.now,
}: LogOptions = {}): OperatorLog {
  const hidden = new Set<string>()

  function cleanText(text: string): string {
    let safe = text
    for (const secret of hidden) safe = safe.replaceAll(secret, removed)
    safe = safe.replace(secretLooks, removed)
    return safe.length > limits.textChars ? `${safe.slice(0, limits.textChars).toWellFormed()}… (${safe.length} characters)` : safe
  }

  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return cleanText(value)
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return cleanText(String(value))
    if (typeof value !== 'object' || value === null) return value
    if (depth >= limits.depth) return '…'
    if (value instanceof Error) return cleanError(value, depth)
    if (Array.isArray(value)) return value.slice(0, limits.entries).map((one) => clean(one, depth + 1))
    const entries = Object.entries(value).slice(0, limits.entries)
    return Object.fromEntries(
      entries.map(([name, one]) => [name, secretNames.test(name) && one !== null && one !== undefined ? removed : clean(one, depth + 1)]),
    )
  }

  function cleanError(error: Error, depth: number): object {
    const code = error instanceof ParleyError ? { code: error.code } : {}
    const cause = error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) }
    return { name: error.name, message: cleanText(error.message), ...code, stack: cleanText(error.stack ?? ''), ...cause }
  }

  const log: Log = (at, message, fields = {}) => {
    const isPrinted = levels.indexOf(at) >= levels.indexOf(level)
    const isRecorded = record !== undefined && at !== 'debug'
    if (!isPrinted && !isRecorded) return
    const time = new Date(now()).toISOString()
    const text = cleanText(message)
    const data = clean(fields, 0) as Record<string, unknown>
    const line = `${JSON.stringify({ ...data, time, level: at, message: text })}\n`
    if (isPrinted) write(isPretty ? prettyLine(at, time, text, data) : line)
    if (isRecorded) record(line)
  }

  return Object.assign(log, {
    hide(secret: string) {
      // A short value would black out ordinary words.
      if (secret.length >= 8) hidden.add(secret)
    },
  })
}

const colours = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const

/** An entry in words, for a terminal. */
export function prettyLine(level: LogLevel, time: string, message: string, fields: Record<string, unknown>): string {
  const fieldTexts = Object.entries(fields).map(([name, value]) => {
    if (name === 'error' && typeof value === 'object' && value !== null && 'stack' in value) return `\n${String(value.stack)}`
    return `${name}=${typeof value === 'string' ? value : inspect(value, { depth: 4, breakLength: Infinity })}`
  })
  return `${styleText('gray', time.slice(11, 19))} ${styleText(colours[level], level.padEnd(5))} ${message}${fieldTexts.length > 0 ? ` ${styleText('gray', fieldTexts.join(' '))}` : ''}\n`
}

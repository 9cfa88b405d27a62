import type { Log, LogLevel } from '../ports/log.ts'
import { clockTime } from './age.ts'
import { oneLine } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

const isSecret = (name: string): boolean => /token|secret|password|authorization|cookie|api-?key|^key$/i.test(name)

/** Secrets are taken out by the name they go under; an error becomes its message, since a stack may hold anything. */
function safe(value: unknown, name = '', depth = 0): unknown {
  if (isSecret(name)) return '[removed]'
  if (value instanceof Error) return value.message
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || depth > 4) return value
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => safe(item, '', depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, safe(item, key, depth + 1)]))
}

/** The operator's log on stderr: short lines at a terminal, JSON lines for whatever collects them elsewhere. */
export function logTo(terminal: Terminal, least: LogLevel): Log {
  const from = order.indexOf(terminal.verbose ? 'debug' : terminal.quiet ? 'error' : least)
  const asJson = terminal.json || !terminal.stderr.isTTY
  const { errPaint } = terminal
  const paint = { debug: errPaint.dim, info: errPaint.cyan, warn: errPaint.yellow, error: errPaint.red }
  return (level, message, fields = {}) => {
    if (order.indexOf(level) < from) return
    const rest = safe(fields) as Record<string, unknown>
    if (asJson) terminal.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...rest })}\n`)
    else {
      const words = Object.entries(rest).map(
        ([key, value]) => `${key}=${oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`,
      )
      terminal.warn(
        `${errPaint.dim(clockTime(Date.now()))} ${paint[level](level.padEnd(5))} ${oneLine(message)} ${errPaint.dim(words.join(' '))}`.trimEnd(),
      )
    }
  }
}

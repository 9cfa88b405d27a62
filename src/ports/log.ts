export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Log lines for the operator. Fields are data; a logger removes secrets before it writes. */
export type Log = {
  (level: LogLevel, message: string, fields?: Record<string, unknown>): void
}

export const silentLog: Log = () => {}

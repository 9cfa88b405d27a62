export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What the operator reads. Fields are data; a logger removes secrets before anything is written. */
export type Log = {
  (level: LogLevel, message: string, fields?: Record<string, unknown>): void
}

export const silentLog: Log = () => {}

import { closeSync, openSync } from 'node:fs'

/**
 * Makes the file readable by its owner only; SQLite gives its side files the same mode. Never opens one that exists:
 * closing any descriptor of a file drops all POSIX locks this process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

import { exitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

/** Waits for Ctrl+C, or for what is followed to end by itself. */
export async function untilInterrupted(terminal: Terminal, ended: Promise<number>): Promise<number> {
  const interrupted = Promise.withResolvers<number>()
  const release = terminal.onInterrupt(() => interrupted.resolve(exitCode.interrupted))
  // While the server is away nothing else may be keeping the process alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    return await Promise.race([interrupted.promise, ended])
  } finally {
    clearInterval(alive)
    release()
  }
}

import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../../ports/clock.ts'
import type { ExceededLimit } from '../sandbox/resource-watch.ts'

export type Ended = {
  code: number | null
  killedBy: string | null
  startFault: string | null
  /** The sandbox failed, so the program was not started. */
  sandboxFault?: string
  /** The limit above which it was ended. */
  limit?: ExceededLimit
}

export type ProcessGroup = {
  /** When the program has ended and all it wrote was read. */
  ended: Promise<Ended>
  /** Ends the program and whatever it started: asked first, forced after two seconds. Harmless if it has ended. */
  end(): void
}

const patienceMs = 2_000

/**
 * A child that was started `detached` leads a group of its own: one signal reaches all of it. `signal` sends one in
 * another way, for a child that only stands for the real program.
 */
export function processGroup(child: ChildProcess, clock: Clock, signal = signalGroup(child)): ProcessGroup {
  const { promise: ended, resolve } = Promise.withResolvers<Ended>()
  let isAsked = false
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) resolve({ code: null, killedBy: null, startFault: explainStartFault(error) })
  })
  // Something the program left behind may hold its output open, so the streams are given up soon after it has ended.
  child.on('exit', (code, killedBy) => {
    const cancelTimer = clock.after(isAsked ? 0 : patienceMs, () => {
      signal('SIGKILL')
      child.stdout?.destroy()
      child.stderr?.destroy()
    })
    child.on('close', () => {
      cancelTimer()
      signal('SIGKILL')
      resolve({ code, killedBy, startFault: null })
    })
  })
  return {
    ended,
    end() {
      if (isAsked || child.exitCode !== null || child.signalCode !== null) return
      isAsked = true
      signal('SIGTERM')
      const cancelTimer = clock.after(patienceMs, () => signal('SIGKILL'))
      child.once('exit', cancelTimer)
    },
  }
}

export type SendSignal = (name: NodeJS.Signals) => void

export function signalGroup(child: ChildProcess): SendSignal {
  return (name) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch {
      // The group has ended.
    }
  }
}

function explainStartFault(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'it was not found (or its folder was not)'
  if (error.code === 'EACCES') return 'it is not allowed to be run'
  return error.code ?? 'starting failed'
}

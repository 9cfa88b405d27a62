import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ParleyError } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import type { CommandOptions } from './command.ts'
import { processGroup } from './process-group.ts'

export type StartedProgram = {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Why it is being ended, once it is for a fault of its own. */
  readonly failure: ParleyError | null
  end(why: ParleyError | null): void
  /** Resolves when it has ended well; throws what went wrong. `complaint`: what it said last on stderr. */
  over(complaint: () => string): Promise<void>
  /** Nothing of it is left running, and nobody waits for it any more. */
  letGo(): void
}

/** A program of somebody's, started in a group of its own, so that what it starts is ended with it: by a stop, or by its time limit. */
export function startProgram(
  { command, cwd, clock = systemClock }: Pick<CommandOptions, 'command' | 'cwd'> & { clock?: Clock },
  { env, timeoutSeconds, signal }: { env: NodeJS.ProcessEnv; timeoutSeconds: number; signal: AbortSignal },
): StartedProgram {
  const [program, ...args] = command
  const child = spawn(program ?? '', args, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const group = processGroup(child, clock)
  let failure: ParleyError | null = null
  const end = (why: ParleyError | null): void => {
    failure ??= why
    group.end()
  }
  const stop = (): void => end(null)
  signal.addEventListener('abort', stop, { once: true })
  const takeBack = clock.after(timeoutSeconds * 1000, () => end(new ParleyError('command_timeout', { seconds: timeoutSeconds })))
  // A program may end without having read what it was given; that is its right.
  child.stdin.on('error', () => {})
  return {
    child,
    get failure() {
      return failure
    },
    end,
    async over(complaint) {
      const { code, killedBy, startFault } = await group.ended
      signal.throwIfAborted()
      if (startFault) throw new ParleyError('command_missing', { why: startFault })
      if (failure) throw failure
      if (code !== 0)
        throw new ParleyError('command_failed', { status: code === null ? `signal ${killedBy}` : `code ${code}`, why: complaint() })
    },
    letGo() {
      takeBack()
      signal.removeEventListener('abort', stop)
      group.end()
    },
  }
}

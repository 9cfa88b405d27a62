import type { Writable } from 'node:stream'
import { ParleyError } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import type { Launched } from '../sandbox/launcher.ts'
import { exceededTexts } from '../sandbox/resource-watch.ts'
import type { CommandOptions } from './command.ts'

export type StartedProgram = {
  readonly child: Launched['child'] & { readonly stdin: Writable }
  /** The environment it got. */
  readonly env: Readonly<Record<string, string>>
  /** Why it is being ended, once it is for a fault of its own. */
  readonly failure: ParleyError | null
  end(why: ParleyError | null): void
  /** Resolves when it has ended well; throws what went wrong. `stderr` gives its last lines there. */
  over(stderr: () => string): Promise<void>
  /** Hosts it tried to reach and was not granted. Known once it is over. */
  blockedHosts(): readonly string[]
  /** Ends what is left of it and stops waiting for it. */
  letGo(): void
}

/** The program of an agent. It ends with every process it started: at its own end, at a stop, or at its time limit. */
export async function startProgram(
  { command, cwd, launcher, confinement, clock = systemClock }: Omit<CommandOptions, 'input'> & { clock?: Clock },
  { variables, timeoutSeconds, signal }: { variables: Record<string, string>; timeoutSeconds: number; signal: AbortSignal },
): Promise<StartedProgram> {
  const group = await launcher.launch({ command, cwd, variables, stdin: 'pipe', confinement })
  const child = group.child as StartedProgram['child']
  let failure: ParleyError | null = null
  const end = (why: ParleyError | null): void => {
    failure ??= why
    group.end()
  }
  const stop = (): void => end(null)
  signal.addEventListener('abort', stop, { once: true })
  // It may have been stopped while the sandbox was made.
  if (signal.aborted) stop()
  const cancelTimer = clock.after(timeoutSeconds * 1000, () => end(new ParleyError('command_timeout', { seconds: timeoutSeconds })))
  // A program may end without having read what it was given; that is its right.
  child.stdin.on('error', () => {})
  // Node discards the output of a program that has ended before anything listens for it, and the first read may come after a commit.
  child.stdout.on('readable', () => {})
  return {
    child,
    env: group.env,
    get failure() {
      return failure
    },
    end,
    async over(stderr) {
      const { code, killedBy, startFault, sandboxFault, limit } = await group.ended
      signal.throwIfAborted()
      if (sandboxFault !== undefined) throw new ParleyError('sandbox_unavailable', { why: sandboxFault })
      if (startFault) throw new ParleyError('command_missing', { why: startFault })
      if (failure) throw failure
      if (limit) throw new ParleyError('command_failed', { status: `signal ${killedBy}`, why: `it used ${exceededTexts[limit]}` })
      if (code === 0) return
      const why = stderr()
      // Inside the sandbox a shell starts the program, and only it knows that there is none.
      if (code === 127 && why.endsWith(`exec: ${command[0] ?? ''}: not found`)) throw new ParleyError('command_missing', { why })
      throw new ParleyError('command_failed', { status: code === null ? `signal ${killedBy}` : `code ${code}`, why })
    },
    blockedHosts: () => group.blockedHosts(),
    letGo() {
      cancelTimer()
      signal.removeEventListener('abort', stop)
      group.end()
    },
  }
}

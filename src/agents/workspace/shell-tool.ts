import { spawn } from 'node:child_process'
import { z } from 'zod'
import type { Tool } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { withoutTerminalOrders } from '../runtimes/plain-text.ts'
import { processGroup } from '../runtimes/process-group.ts'
import { defineTool } from '../tool.ts'
import { placeInside } from './inside.ts'

export const shellLimits = { defaultSeconds: 60, longestSeconds: 540, keptChars: 20_000 } as const

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A shell in the project's folder. It can do whatever the server's account can: the directory rules do not bind it, so it
 * is there only for members whose toolsets name `os`.
 */
export function shellTool(root: string, clock: Clock, env: Environment = process.env): Tool {
  return defineTool({
    name: 'run',
    description: 'Run a shell command in the project and wait for its end. Its output is cut in the middle when it is long.',
    input: z.object({
      command: z.string().min(1).max(20_000),
      cwd: z.string().optional().describe("A folder relative to the project's."),
      timeout_seconds: z.number().positive().max(shellLimits.longestSeconds).default(shellLimits.defaultSeconds),
    }),
    afterCrash: 'ask',
    async run(given, { signal }) {
      signal.throwIfAborted()
      const cwd = given.cwd === undefined ? root : placeInside(root, given.cwd).path
      const child = spawn('/bin/sh', ['-c', given.command], {
        cwd,
        env: withoutSecrets(env),
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const group = processGroup(child, clock)
      const heard = keptEnds(shellLimits.keptChars)
      child.stdout.setEncoding('utf8').on('data', heard.add)
      child.stderr.setEncoding('utf8').on('data', heard.add)
      let isLate = false
      const stop = (): void => group.end()
      const takeBack = clock.after(given.timeout_seconds * 1_000, () => {
        isLate = true
        group.end()
      })
      signal.addEventListener('abort', stop, { once: true })
      try {
        const { code, killedBy, startFault } = await group.ended
        signal.throwIfAborted()
        if (startFault !== null) throw new Error(`The shell could not be started: ${startFault}.`)
        const output = withoutTerminalOrders(heard.text()).toWellFormed()
        if (isLate) throw new Error(`It was ended after ${given.timeout_seconds} s. Until then it said:\n${output}`)
        const status = code === null ? `ended by ${killedBy}` : `exit code ${code}`
        if (code !== 0) throw new Error(`${status}\n${output}`)
        return `${status}\n${output}`
      } finally {
        takeBack()
        signal.removeEventListener('abort', stop)
        group.end()
      }
    },
  })
}

/** The beginning and the end of a long output; what lies between is counted. */
function keptEnds(chars: number): { add(text: string): void; text(): string } {
  let head = ''
  let tail = ''
  let dropped = 0
  return {
    add(text) {
      const free = Math.max(0, chars - head.length)
      head += text.slice(0, free)
      tail += text.slice(free)
      if (tail.length > chars) {
        dropped += tail.length - chars
        tail = tail.slice(-chars)
      }
    },
    text: () => (dropped === 0 ? head + tail : `${head}\n[${dropped} characters were left out]\n${tail}`),
  }
}

/** A model must not be able to say what the server signs and pays with. */
const withoutSecrets = (env: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/key|token|secret|passw|credential|auth/i.test(name)))

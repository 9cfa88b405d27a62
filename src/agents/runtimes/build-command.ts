import { agentLines, type LineItem } from '../../builds/rules/agent-lines.ts'
import { plainMessage } from '../../builds/rules/plain-message.ts'
import { plainOutput } from '../../builds/rules/plain-output.ts'
import { ParleyError } from '../../errors.ts'
import type { BuildRuntime, BuildTurn } from '../../ports/agent-runtime.ts'
import { type CommandOptions, lastLines, wholeOutput, withHosts } from './command.ts'
import { withoutTerminalOrders } from './plain-text.ts'
import { startProgram } from './started-program.ts'

export const buildCommandLimits = {
  timeoutSeconds: 600,
  outputBytes: 32 * 1024 * 1024,
  stderrChars: 8_000,
  stderrLines: 200,
} as const

/** The form in which a program is told its turn and answers. */
export type BuildForm = {
  message(input: BuildTurn): string
  reader(input: BuildTurn): { begin(): LineItem[]; push(chunk: Uint8Array): LineItem[]; end(isClean: boolean): LineItem[] }
}

/** The protocol itself: header block and body on stdin, one event on each line of stdout. */
export const eventForm: BuildForm = {
  message: ({ message }) => message,
  reader: () => ({ begin: () => [], ...agentLines() }),
}

/** The command line of a model: instructions and everything so far on stdin, plain text on stdout. */
export const plainForm: BuildForm = {
  message: plainMessage,
  reader({ progress, language }) {
    const { begin, push, end } = plainOutput(progress, language)
    const decoder = new TextDecoder()
    const read = (text: string): LineItem[] => push(withoutTerminalOrders(text))
    return {
      begin,
      push: (chunk) => read(decoder.decode(chunk, { stream: true })),
      end: (isClean) => [...read(decoder.decode()), ...end(isClean)],
    }
  },
}

/**
 * A build by a program of yours, started anew for each turn: the message on stdin, one event on each line of stdout,
 * words for the operator on stderr. It ends its turn by ending.
 *
 * started → noted down → given its message → reading → exited 0: the turn is over · exited otherwise: command_failed
 *     └ not found: command_missing                      └ too long, too much, stopped: the whole process group is ended
 */
export function commandBuilds(options: Omit<CommandOptions, 'input'>, form: BuildForm = eventForm): BuildRuntime {
  const { timeoutSeconds = buildCommandLimits.timeoutSeconds, maxOutputBytes = buildCommandLimits.outputBytes } = options
  return {
    isProgram: true,
    async *turn(input, signal, stage) {
      signal.throwIfAborted()
      // The person who started the build is not known here, so that only rules for every role can open a host.
      const program = await startProgram(withHosts(options, 'peer'), { variables: variablesFor(input), timeoutSeconds, signal })
      const { child } = program
      const stderr = new StderrNotes()
      child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.take(text))

      try {
        if (child.pid !== undefined) await stage.started(child.pid)
        child.stdin.end(`${form.message(input)}\n`)
        const lines = form.reader(input)
        yield lines.begin()
        let bytes = 0
        for await (const chunk of wholeOutput(child.stdout)) {
          bytes += chunk.length
          if (bytes > maxOutputBytes) program.end(new ParleyError('command_flooded', { limit: maxOutputBytes }))
          if (signal.aborted || program.failure) break
          yield [...stderr.notes(), ...lines.push(chunk)]
        }
        const outcome = await program
          .over(() => lastLines(stderr.latest, program.env))
          .then(
            () => null,
            (error: unknown) => error,
          )
        signal.throwIfAborted()
        // Output before the failure still counts.
        const blocked = program.blockedHosts().map((host) => ({ note: `The sandbox blocked ${host}. To allow it, add it to hosts.` }))
        yield [...stderr.notes(), ...blocked, ...(program.failure ? [] : lines.end(outcome === null))]
        if (outcome !== null) throw outcome
      } finally {
        program.letGo()
      }
    },
  }
}

/** Stderr of a program: whole lines for the operator, the last words for an error message. */
class StderrNotes {
  latest = ''
  #open = ''
  #lines: string[] = []
  #noted = 0

  take(text: string): void {
    this.latest = (this.latest + text).slice(-buildCommandLimits.stderrChars)
    const lines = (this.#open + text).split('\n')
    this.#open = (lines.pop() ?? '').slice(-buildCommandLimits.stderrChars)
    for (const line of lines) if (this.#lines.length < buildCommandLimits.stderrLines) this.#lines.push(line)
  }

  notes(): LineItem[] {
    const lines = this.#lines.splice(0).map((line) => withoutTerminalOrders(line).trim().slice(0, 500).toWellFormed())
    const added = lines.filter((line) => line !== '').slice(0, Math.max(0, buildCommandLimits.stderrLines - this.#noted))
    this.#noted += added.length
    return added.map((note) => ({ note }))
  }
}

function variablesFor(input: BuildTurn): Record<string, string> {
  return {
    PYTHONUNBUFFERED: '1',
    TIDY_BUILD_ID: input.build,
    TIDY_BUILD_PROMPT: input.prompt,
    TIDY_SESSION_ID: input.session,
    PARLEY_AGENT: input.agent,
    PARLEY_LANGUAGE: input.language,
  }
}

import type { Role } from '../../authority/roles.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime, GenerationInput } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Confinement, Launcher } from '../sandbox/launcher.ts'
import { withAskedQuestions } from './asked-questions.ts'
import { withoutTerminalOrders } from './plain-text.ts'
import { programOutput } from './program-output.ts'
import { startProgram } from './started-program.ts'
import { latestWords } from './latest-words.ts'

export type CommandOptions = {
  command: readonly string[]
  cwd: string
  /** `text`: the latest words of the human. `json`: the whole input as one document. */
  input?: 'text' | 'json'
  timeoutSeconds?: number
  maxOutputBytes?: number
  launcher: Launcher
  confinement: Confinement
  /** Hosts that are open while the lowest role in the tree is this one; without it those of the confinement. */
  hostsFor?(role: Role): readonly string[]
  clock?: Clock
}

/** Kept of what a program says on stderr, for the error if it fails. */
const stderrBytes = 8_000

/**
 * An agent that is a program of yours, started anew for each generation.
 *
 * started → reading → exited 0: done · exited otherwise: command_failed
 *     └ not found: command_missing   └ too long, too much, stopped: the whole process group is ended
 */
export function commandRuntime(options: CommandOptions): AgentRuntime {
  const { timeoutSeconds = 600, maxOutputBytes = 1_000_000 } = options
  return {
    timeoutMs: timeoutSeconds * 1_000,
    generate: (input, signal) => withAskedQuestions(run(input, signal)),
  }

  async function* run(input: GenerationInput, signal: AbortSignal): AsyncGenerator<AgentOutput> {
    signal.throwIfAborted()
    const program = await startProgram(withHosts(options, input.role), { variables: variablesFor(input), timeoutSeconds, signal })
    const { child } = program
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-stderrBytes)
    })
    child.stdin.end(options.input === 'json' ? `${JSON.stringify(documentFor(input))}\n` : latestWords(input.context))

    try {
      const output = programOutput({ maxBytes: maxOutputBytes, nextCall: (count) => `call_${input.turn}_${input.generation}_${count}` })
      try {
        for await (const chunk of wholeOutput(child.stdout)) {
          for (const part of output.take(chunk)) {
            if (signal.aborted || program.failure) break
            yield part
          }
          if (signal.aborted || program.failure) break
        }
        if (!signal.aborted && !program.failure) yield* output.end()
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error
        program.end(error)
      }
      await program.over(() => lastLines(stderr, program.env))
      if (!output.saidAnything) throw new ParleyError('command_failed', { status: 'code 0', why: 'it said nothing' })
    } finally {
      program.letGo()
    }
  }
}

/** The program may reach what its agent is configured for and what rules allow it in this dialog. */
export function withHosts<Options extends Pick<CommandOptions, 'confinement' | 'hostsFor'>>(options: Options, role: Role): Options {
  const hosts = options.hostsFor?.(role)
  return hosts ? { ...options, confinement: { ...options.confinement, hosts } } : options
}

/** Until it ends, or until it is taken away because something else still holds it open. */
export async function* wholeOutput(stdout: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stdout) yield chunk as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

function variablesFor(input: GenerationInput): Record<string, string> {
  return {
    PYTHONUNBUFFERED: '1',
    PARLEY_DIALOG: input.dialog,
    PARLEY_TURN: String(input.turn),
    PARLEY_GENERATION: String(input.generation),
    PARLEY_AGENT: input.agent,
    PARLEY_LANGUAGE: input.language,
  }
}

function documentFor(input: GenerationInput): object {
  const { dialog, turn, generation, agent, language, context, contextDropped, tools, notes, reminders, course, isSide, surroundings } =
    input
  const { teammates = [], background = [], memories = null, taskdoc = null } = surroundings ?? {}
  return {
    dialog,
    turn,
    generation,
    agent,
    language,
    text: latestWords(context),
    context,
    contextDropped,
    course,
    isSide,
    reminders,
    teammates,
    background,
    memories,
    taskdoc: input.taskdoc === null ? null : { path: input.taskdoc, text: taskdoc },
    tools,
    ...(notes && { notes }),
  }
}

/** The last lines of stderr, without the secrets of the program's environment. */
export function lastLines(stderr: string, env: Readonly<Record<string, string>>): string {
  let text = stderr
  for (const [name, value] of Object.entries(env)) {
    if (value.length >= 6 && /key|token|secret|password|credential/i.test(name)) text = text.replaceAll(value, '•••')
  }
  const lines = withoutTerminalOrders(text)
    .replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' ? char : ' '))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  // Under a stack trace of JavaScript its last lines name no reason; the line before them does.
  const reasons = lines.filter((line) => !/^(?:at .+(?::\d+:\d+|<anonymous>)\)?|Node\.js v[\d.]+|\^+)$/.test(line))
  const last = (reasons.length > 0 ? reasons : lines).slice(-3).join(' · ').slice(-500).toWellFormed()
  return last === '' ? 'it gave no reason' : last.replace(/\.$/, '')
}

import type { BuildEvent } from '../../builds/rules/build-events.ts'
import type { Move } from '../../builds/rules/moves.ts'
import { errorMessage, ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime, BuildTurn, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import { withAskedQuestions } from './asked-questions.ts'
import { pauseFor, systemClock, type Clock } from '../../ports/clock.ts'

/** Functions for a scripted agent. */
export type Stage = {
  /** Speaks piece by piece, as a model would; `pieceMs` is the time before each piece. */
  say(text: string, pieceMs?: number): AsyncIterable<AgentOutput>
  pause(delayMs: number): Promise<void>
  /** Aborted when a human presses stop. Hand it on to whatever you wait for. */
  signal: AbortSignal
}

/**
 * An agent written by hand. `reply` is called once for each generation and must work out from `input.context` alone what
 * to do next: nothing is remembered between calls, so a crash does not change what it does next.
 */
export type AgentScript = {
  name: string
  about: string
  tools?: readonly Tool[]
  reply(input: GenerationInput, stage: Stage): AsyncIterable<AgentOutput> | Iterable<AgentOutput>
  /**
   * One turn of a build, worked out from `turn` alone in the same way. Without it, a build is a dialog in which `reply`
   * may call the tools of a build.
   */
  build?(turn: BuildTurn, stage: Omit<Stage, 'say'>): AsyncIterable<Move | BuildEvent> | Iterable<Move | BuildEvent>
}

export type ScriptedAgent = {
  name: string
  about: string
  tools: readonly Tool[]
  reply: AgentScript['reply']
  build?: NonNullable<AgentScript['build']>
}

/** A script in its own pace, ended at once when it is told to stop. */
export type ScriptPace = { clock?: Clock; fast?: boolean }

/** @deprecated since 0.2, until 1.0: `agent()` takes the same. */
export const defineAgent = (script: AgentScript): ScriptedAgent => ({ tools: [], ...script })

/** `fast` speaks the same pieces without waiting between them: what tests and `--fast` use. */
export function scriptedRuntime(agent: Pick<ScriptedAgent, 'reply'>, options: ScriptPace = {}): AgentRuntime {
  return {
    generate: (input, signal) =>
      withAskedQuestions(
        played(options, signal, (pause) =>
          agent.reply(input, { signal, pause, say: (text, pieceMs = 35) => spoken(text, pieceMs, pause) }),
        ),
      ),
  }
}

/** Outputs of a script, in order. An exception of the script is its failure; a stop is not. */
export async function* played<Output>(
  { clock = systemClock, fast = false }: ScriptPace,
  signal: AbortSignal,
  begin: (pause: Stage['pause']) => AsyncIterable<Output> | Iterable<Output>,
): AsyncGenerator<Output> {
  signal.throwIfAborted()
  const pause = (delayMs: number): Promise<void> => (fast || delayMs <= 0 ? Promise.resolve() : wait(clock, delayMs, signal))
  const stopped = untilAborted(signal)
  let outputs: AsyncIterator<Output> | Iterator<Output> | undefined
  try {
    outputs = iterate(begin(pause))
    for (;;) {
      // A script may wait for something that does not listen to the signal; stopping must not wait with it.
      const { done, value } = await Promise.race([outputs.next(), stopped.promise])
      if (done) return
      yield value
      signal.throwIfAborted()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ParleyError) throw error
    throw new ParleyError('agent_failed', { why: readReason(error) }, { cause: error })
  } finally {
    stopped.forget()
    void Promise.resolve(outputs?.return?.()).catch(() => {})
  }
}

const iterate = <Output>(outputs: AsyncIterable<Output> | Iterable<Output>): AsyncIterator<Output> | Iterator<Output> =>
  Symbol.asyncIterator in outputs ? outputs[Symbol.asyncIterator]() : outputs[Symbol.iterator]()

async function* spoken(text: string, pieceMs: number, pause: Stage['pause']): AsyncGenerator<AgentOutput> {
  for (const piece of pieces(text)) {
    await pause(pieceMs)
    yield { type: 'delta', text: piece }
  }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Cuts between words, also where words are not parted by spaces; together the pieces are the text. */
export function pieces(text: string): string[] {
  const all: string[] = []
  let open = ''
  for (const { segment, isWordLike } of words.segment(text)) {
    open += segment
    if ((!isWordLike || /\p{Script=Han}/u.test(segment)) && open.trim() !== '') {
      all.push(open)
      open = ''
    }
  }
  if (open !== '') all.push(open)
  return all
}

async function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  await pauseFor(clock, delayMs, signal)
  signal.throwIfAborted()
}

function untilAborted(signal: AbortSignal): { promise: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  promise.catch(() => {})
  return { promise, forget: () => signal.removeEventListener('abort', stop) }
}

const readReason = (error: unknown): string => errorMessage(error).split('\n', 1)[0]?.slice(0, 300) || 'it gave no reason'

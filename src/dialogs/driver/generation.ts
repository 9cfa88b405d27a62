import type { AskedQuestion } from '../rules/decide-question.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import type { Usage } from '../rules/dialog-events.ts'
import type { OutputPart } from '../rules/prompt/prompt-items.ts'
import { findQuestionFault } from '../rules/question.ts'
import { showReply } from '../rules/tree-tools.ts'
import { ParleyError } from '../../errors.ts'
import type { MessagePresentation } from '../../chats/message/presentation.ts'
import { joinMessages, readPresentation, type ShownMessage, shownReading } from '../../chats/message/shown-message.ts'
import type { Agent, AgentOutput, CallFault, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import { untilAbandoned } from '../../streams/abandon.ts'
import { joinSignals } from '../../streams/join-signals.ts'
import type { Draft } from './drafts.ts'
import { type Bounds, checkBounds } from './generation-bounds.ts'
import { hear, type Heard } from './generation-cost.ts'
import { mergedQuestions } from './merged-questions.ts'

/** Of `calls`, the first `callsRun` are made. */
export const generationLimits = { textChars: 400_000, calls: 256, callsRun: 32, questions: 8 } as const

/** Result of one generation, before the decision. */
export type Generated = {
  /** With a presentation: the plain reading of both. */
  text: string
  shown?: ShownMessage
  calls: ToolCall[]
  /** Words, calls and kept reasoning in the order they came. */
  output: readonly OutputPart[]
  questions: AskedQuestion[]
  /** Calls whose question was put into the one of another call. */
  together: string[]
  title?: string
  model: string | null
  usage: Usage
  wantsMore: boolean
  /** Calls that do not run, with the reason. */
  faults: Readonly<Record<string, CallFault>>
  /** Size of the prompt by the provider's count, where it is not the cost. */
  promptTokens?: number
  /** The list was accepted only in another layout: an epoch began with this request. */
  layout?: 'reasoning-refused' | 'model'
}

type Parts = {
  ids: Ids
  clock: Clock
  log: Log
  bounds: Bounds
  /** Filled while the generation runs, so that its cost is known when this throws. */
  heard: Heard
  /** Time a runtime may ignore its abort signal. */
  abandonAfterMs(): number
}

/** Runs one generation of an agent and gathers it. Throws what the runtime throws, and when a bound is exceeded. */
export async function generate(
  agent: Agent,
  input: GenerationInput,
  draft: Draft,
  { ids, clock, log, bounds, heard, abandonAfterMs }: Parts,
  signal: AbortSignal,
): Promise<Generated> {
  const overtime = new AbortController()
  const cancelTimer = clock.after(bounds.timeMs, () => overtime.abort())
  const either = joinSignals([signal, overtime.signal])
  const about = { dialog: input.dialog, agent: agent.name, turn: input.turn, generation: input.generation }
  const outputs = untilAbandoned(agent.runtime.generate(input, either.signal), {
    signal: either.signal,
    clock,
    afterMs: abandonAfterMs,
    onAbandoned: () => log('warn', 'an agent ignored its abort signal and was abandoned', about),
    onLate: () => log('warn', 'an abandoned agent answered late; its output is ignored', about),
  })
  try {
    const canShow = input.tools.some(({ name }) => name === showReply)
    return await gather(agent, outputs, draft, { ids, now: () => clock.now(), bounds, heard, canShow }, either.signal)
  } catch (error) {
    if (overtime.signal.aborted && !signal.aborted) throw new ParleyError('generation_too_long', { seconds: bounds.timeMs / 1_000 })
    throw error
  } finally {
    cancelTimer()
    either.end()
  }
}

async function gather(
  agent: Agent,
  outputs: AsyncIterable<AgentOutput>,
  draft: Draft,
  parts: { ids: Ids; now: () => number; bounds: Bounds; heard: Heard; canShow: boolean },
  signal: AbortSignal,
): Promise<Generated> {
  const generated: Generated = {
    text: '',
    calls: [],
    output: [],
    questions: [],
    together: [],
    model: null,
    usage: { inputTokens: null, outputTokens: null },
    wantsMore: false,
    faults: {},
  }
  const faults: (CallFault | undefined)[] = []
  const order = new OutputOrder()
  const finished: string[] = []
  const presentations: MessagePresentation[] = []
  let streamed = ''
  const tools = new Map(agent.tools.map((tool) => [tool.name, tool]))

  for await (const output of outputs) {
    // Output that arrives too late to be used still counts toward the cost.
    hear(parts.heard, output)
    signal.throwIfAborted()
    if (output.type !== 'usage') checkBounds(parts.heard, parts.bounds)
    switch (output.type) {
      case 'delta':
        streamed += output.text
        order.delta(output.text)
        draft.add('text', output.text)
        break
      case 'thinking':
        draft.add('thinking', output.text)
        break
      case 'text':
        finished.push(output.text)
        order.text(output.text, output.phase)
        break
      case 'reasoning':
        order.add({ type: 'reasoning', maker: output.maker, data: output.data })
        break
      case 'call':
        if (generated.calls.length >= generationLimits.calls)
          throw new ParleyError('model_garbled', { why: `more than ${generationLimits.calls} tool calls at once` })
        // An id the agent made up may repeat an older one; ours never does, and it is the tool's idempotency key.
        generated.calls.push({
          call: output.call,
          name: output.name,
          input: output.input ?? null,
          policy: tools.get(output.name)?.afterCrash ?? 'repeat',
        })
        order.add({ type: 'call', call: output.call, name: output.name, input: {} })
        faults.push(output.fault)
        if (output.name === showReply && !output.fault && parts.canShow)
          presentations.push(...readShowReply(tools.get(showReply), output.input))
        break
      case 'presentation': {
        const read = readPresentation(output.presentation)
        if ('fault' in read)
          throw new ParleyError('agent_failed', { why: `it showed a presentation that is not well formed: ${read.fault}` })
        presentations.push(read.presentation)
        break
      }
      case 'question': {
        const fault = findQuestionFault(output.ask)
        if (fault !== null && output.call === undefined)
          throw new ParleyError('agent_failed', { why: `it asked a question that is not well formed: ${fault}` })
        if (fault !== null) break
        if (generated.questions.length >= generationLimits.questions) {
          if (output.call === undefined)
            throw new ParleyError('agent_failed', { why: `it asked more than ${generationLimits.questions} questions at once` })
          faults[generated.calls.findLastIndex(({ call }) => call === output.call)] = tooManyQuestions
          break
        }
        const expiresAt = output.expiresInMs === undefined ? null : parts.now() + output.expiresInMs
        generated.questions.push({
          question: parts.ids.next('q'),
          call: output.call ?? null,
          ask: output.ask,
          expiresAt,
          ...(output.to === undefined ? {} : { to: output.to }),
        })
        break
      }
      case 'title':
        generated.title = output.title
        break
      case 'usage':
        generated.model = output.model
        generated.usage = output.usage
        if (output.promptTokens !== undefined) generated.promptTokens = output.promptTokens
        break
      case 'epoch':
        generated.layout = output.why
        break
      case 'again':
        generated.wantsMore = true
        break
    }
    if (streamed.length > generationLimits.textChars) {
      throw new ParleyError('model_garbled', { why: `it wrote more than ${generationLimits.textChars} characters in one reply` })
    }
  }
  signal.throwIfAborted()
  generated.output = order.parts(finished.length > 0)
  generated.text = generated.output.map((part) => (part.type === 'words' ? part.text : '')).join('')
  const { presentation } = joinMessages(presentations.map((one) => ({ words: '', presentation: one })))
  if (presentation) {
    generated.shown = { words: generated.text, presentation }
    generated.text = shownReading(generated.shown)
  }
  if (generated.text.length > generationLimits.textChars)
    throw new ParleyError('model_garbled', { why: `it wrote more than ${generationLimits.textChars} characters in one reply` })
  parts.heard.isFinished = true
  const own = withOwnCallIds(generated, parts.ids)
  const named = own.calls.flatMap(({ call }, index) => (faults[index] ? [[call, faults[index]] as const] : []))
  return { ...own, faults: Object.fromEntries(named) }
}

const tooManyQuestions: CallFault = {
  kind: 'bad-arguments',
  why: `only ${generationLimits.questions} questions are asked in one step; ask the others after the answer`,
}

/** A call whose input does not fit shows nothing; its result says why. */
function readShowReply(tool: Tool | undefined, input: unknown): MessagePresentation[] {
  const checked = tool?.check(input)
  const read = checked && 'input' in checked ? readPresentation(checked.input) : null
  return read && 'presentation' in read ? [read.presentation] : []
}

/** Text of an agent is data: broken surrogates and control characters would break pages and terminals. */
const clean = (text: string): string => text.toWellFormed().replace(/\r\n?/g, '\n').replace(control, '')

/** All control characters but line feed and tab. */
const control = /(?![\n\t])\p{Cc}/gu

/** Gathers an output in order. Finished words replace the pieces they were streamed in. */
class OutputOrder {
  #parts: (OutputPart & { isPiece?: boolean })[] = []

  delta(text: string): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'words' && last.isPiece) last.text += text
    else this.#parts.push({ type: 'words', text, isPiece: true })
  }

  text(text: string, phase?: string): void {
    const isFirst = !this.#parts.some((part) => part.type === 'words' && !part.isPiece)
    this.#parts.push({ type: 'words', text: isFirst ? text : `\n\n${text}`, ...(phase !== undefined && { phase }) })
  }

  add(part: OutputPart): void {
    this.#parts.push(part)
  }

  parts(isFinished: boolean): OutputPart[] {
    return this.#parts.flatMap(({ isPiece, ...part }): OutputPart[] => {
      if (part.type !== 'words') return [part]
      return isFinished && isPiece ? [] : [{ ...part, text: clean(part.text) }]
    })
  }
}

/** Agents number their calls as they like; in the log an id is used once. */
function withOwnCallIds(made: Generated, ids: Ids): Generated {
  const own = new Map<string, string>()
  const calls = made.calls.map((call) => {
    const id = ids.next('call')
    own.set(call.call, id)
    return { ...call, call: id }
  })
  // In the same order, also when an agent gave two calls one id.
  let next = 0
  const takeOwn = (given: string): string => calls[next++]?.call ?? given
  const questions = made.questions.map((asked) => ({ ...asked, call: asked.call === null ? null : (own.get(asked.call) ?? null) }))
  const output = made.output.map((part) => (part.type === 'call' ? { ...part, call: takeOwn(part.call) } : part))
  return { ...made, calls, output, ...mergedQuestions(questions) }
}

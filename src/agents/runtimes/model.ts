import type { MemberConfig, ModelConfig } from '../../config/schema.ts'
import { askHuman } from '../../dialog/evolve.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime, GenerationInput, ToolSpec } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { readQuestion } from '../ask-human.ts'
import { type LanguageModel, languageModel, type StreamOptions, type StreamPart } from './language-model.ts'
import { toMessages } from './messages.ts'
import { modelFailure } from './model-failure.ts'
import { silenceLimit } from './silence-limit.ts'
import { systemPrompt } from './system-prompt.ts'

/** An agent that is a language model. Retries are the driver's: each call here is one request. */
export function modelRuntime(options: {
  model: ModelConfig
  member: Pick<MemberConfig, 'about' | 'prompt' | 'language'>
  clock?: Clock
}): AgentRuntime {
  const { model: config, member, clock = systemClock } = options
  let loading: Promise<LanguageModel> | undefined
  return {
    async *generate(input, signal) {
      signal.throwIfAborted()
      loading ??= languageModel(config)
      const model = await loading
      const request: StreamOptions = {
        prompt: [{ role: 'system', content: systemPrompt(member, input) }, ...toMessages(input.context)],
        ...(input.tools.length === 0 ? {} : { tools: input.tools.map(declared) }),
        ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
        ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
      }
      yield* stream(model, request, input, { config, clock, signal })
    },
  }
}

async function* stream(
  model: LanguageModel,
  request: StreamOptions,
  input: GenerationInput,
  { config, clock, signal }: { config: ModelConfig; clock: Clock; signal: AbortSignal },
): AsyncGenerator<AgentOutput> {
  const silence = silenceLimit(clock, signal)
  let reader: ReadableStreamDefaultReader<StreamPart> | undefined
  let contentType: string | null = null
  try {
    silence.expect(config.firstTokenSeconds)
    const { stream: parts, response } = await model.doStream({ ...request, abortSignal: silence.signal })
    contentType = response?.headers?.['content-type'] ?? null
    reader = parts.getReader()
    const heard = new Heard(input)
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        reader = undefined
        break
      }
      if (value.type === 'error') throw value.error
      if (isSubstance(value)) silence.expect(config.betweenTokensSeconds)
      for (const output of heard.take(value)) {
        signal.throwIfAborted()
        yield output
      }
    }
    heard.checkWhole()
    yield { type: 'usage', model: config.model, usage: heard.usage }
  } catch (error) {
    signal.throwIfAborted()
    if (silence.ranOut !== null) throw new ParleyError('model_stalled', { seconds: silence.ranOut }, { retryable: true })
    throw modelFailure(error, { secrets: secretsOf(config), contentType, now: clock.now() })
  } finally {
    // Also when the caller stops reading in the middle: the request must not go on in the background.
    silence.end()
    reader?.cancel().catch(() => {})
  }
}

const secretsOf = (config: ModelConfig): string[] =>
  [config.apiKey ?? '', ...Object.values(config.headers ?? {})].filter((secret) => secret !== '')

/** The first part comes from the provider object itself, before the model said anything. */
const isSubstance = (part: StreamPart): boolean => part.type !== 'stream-start'

/** What has come of one reply so far. */
class Heard {
  usage: { inputTokens: number | null; outputTokens: number | null } = { inputTokens: null, outputTokens: null }
  #input: GenerationInput
  #calls = new Set<string>()
  #hasText = false
  #hasCall = false
  #finish: string | null = null

  constructor(input: GenerationInput) {
    this.#input = input
  }

  /** Of the many parts a stream can have, four matter here; the rest repeat them or concern tools that run at the provider. */
  *take(part: StreamPart): Generator<AgentOutput> {
    if (part.type === 'text-delta' && part.delta !== '') {
      this.#hasText ||= part.delta.trim() !== ''
      yield { type: 'delta', text: part.delta }
    } else if (part.type === 'reasoning-delta' && part.delta !== '') {
      yield { type: 'thinking', text: part.delta }
    } else if (part.type === 'tool-call') {
      this.#hasCall = true
      const call = this.#fresh(part.toolCallId)
      const input = parsed(part.input)
      yield { type: 'call', call, name: part.toolName, input }
      const read = part.toolName === askHuman ? readQuestion(input) : null
      if (read && 'ask' in read) yield { type: 'question', ask: read.ask, call }
    } else if (part.type === 'finish') {
      // Without the provider's own word for it, the stream merely ended.
      this.#finish = part.finishReason.raw === undefined ? null : part.finishReason.unified
      this.usage = { inputTokens: part.usage.inputTokens.total ?? null, outputTokens: part.usage.outputTokens.total ?? null }
      if (part.finishReason.unified === 'length' && this.#hasText) yield { type: 'delta', text: cutShort[this.#input.language] }
    }
  }

  /** A reply that is no reply is a failure: an empty message would leave the human with nothing to go on. */
  checkWhole(): void {
    if (this.#finish === null) throw garbled('the reply ends in the middle')
    if (this.#hasText || this.#hasCall) return
    if (this.#finish === 'content-filter')
      throw new ParleyError('model_refused', { status: 'filter', why: 'its content filter held back the reply' })
    throw garbled(this.#finish === 'length' ? 'it reached its output limit before saying anything' : 'the reply is empty')
  }

  /** Some servers give every call the same id, or none; a question must still find the call it belongs to. */
  #fresh(given: string): string {
    const call = given === '' || this.#calls.has(given) ? `${given}#${this.#calls.size + 1}` : given
    this.#calls.add(call)
    return call
  }
}

const cutShort = { en: '\n\n[The model stopped here: it reached its output limit.]', zh: '\n\n[模型在此停止：已达到输出上限。]' }

const garbled = (why: string): ParleyError => new ParleyError('model_garbled', { why }, { retryable: true })

/** Input that is no JSON stays text: the tool's own check says so, and the model can mend it. */
function parsed(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as unknown
  } catch {
    return input
  }
}

type DeclaredTool = NonNullable<StreamOptions['tools']>[number]

const declaredTools = new WeakMap<ToolSpec, DeclaredTool>()

function declared(tool: ToolSpec): DeclaredTool {
  let known = declaredTools.get(tool)
  if (!known) {
    known = { type: 'function', name: tool.name, description: tool.description, inputSchema: tool.inputSchema }
    declaredTools.set(tool, known)
  }
  return known
}

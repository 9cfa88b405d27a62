import { agentTexts } from '../../words/index.ts'
import type { ModelConfig, ModelMemberConfig } from '../../app/config/schema.ts'
import { askHuman } from '../../dialogs/rules/question.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime, GenerationInput } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { readQuestion } from '../ask-human.ts'
import type { Surroundings } from '../minds/surroundings.ts'
import { isOfUse } from '../taskdoc/taskdoc-tools.ts'
import { type FinishReason, type LanguageModel, languageModel, type ModelPart, type ModelRequest } from './language-model.ts'
import { toMessages } from './messages.ts'
import { modelFailure } from './model-failure.ts'
import { promptContext } from './prompt-context.ts'
import { silenceLimit } from './silence-limit.ts'
import { isReasoning, systemPrompt } from './system-prompt.ts'

/** An agent that is a language model. Retries are the driver's: each call here is one request. */
export function modelRuntime(options: {
  model: ModelConfig
  member: Pick<ModelMemberConfig, 'about' | 'prompt' | 'language' | 'fbrModelParams'>
  around?: Surroundings
  clock?: Clock
}): AgentRuntime {
  const { model: config, member, around = null, clock = systemClock } = options
  let loading: Promise<LanguageModel> | undefined
  return {
    async *generate(input, signal) {
      signal.throwIfAborted()
      loading ??= languageModel(config)
      const model = await loading
      const { temperature, maxOutputTokens } = isReasoning(input) ? { ...config, ...member.fbrModelParams } : config
      const request: ModelRequest = {
        system: systemPrompt(member, input, around),
        messages: toMessages(promptContext(member, input, around)),
        tools: input.tools.filter((tool) => isOfUse(tool, input)),
        ...(temperature === undefined ? {} : { temperature }),
        ...outputBound(maxOutputTokens, input.allowance),
      }
      yield* stream(model, request, input, { config, clock, signal })
    },
  }
}

/** The tighter of what the model is set to and what the budget leaves. */
function outputBound(set: number | undefined, allowance: GenerationInput['allowance']): { maxOutputTokens?: number } {
  const bound = Math.min(set ?? Infinity, allowance?.outputTokens ?? Infinity)
  return bound === Infinity ? {} : { maxOutputTokens: bound }
}

async function* stream(
  model: LanguageModel,
  request: ModelRequest,
  input: GenerationInput,
  { config, clock, signal }: { config: ModelConfig; clock: Clock; signal: AbortSignal },
): AsyncGenerator<AgentOutput> {
  const silence = silenceLimit(clock, signal)
  let contentType: string | null = null
  let isAccepted = false
  try {
    silence.expect(config.firstTokenSeconds)
    const reply = await model(request, silence.signal)
    contentType = reply.contentType
    isAccepted = true
    const reader = new ReplyReader(input)
    // Leaving this loop in the middle, as when the caller stops reading, ends the request.
    for await (const parts of reply.parts) {
      silence.expect(config.betweenTokensSeconds)
      for (const part of parts) {
        for (const output of reader.take(part)) {
          signal.throwIfAborted()
          yield output
        }
        // Before the reply is judged: one that turns out to be useless has cost as much.
        if (part.type === 'finish') yield { type: 'usage', model: config.model, ...toUsage(part) }
      }
    }
    reader.checkWhole()
  } catch (error) {
    signal.throwIfAborted()
    if (silence.ranOut !== null) throw new ParleyError('model_stalled', { seconds: silence.ranOut }, { retryable: true })
    throw modelFailure(error, { secrets: listSecrets(config), contentType, isAccepted, now: clock.now() })
  } finally {
    silence.end()
  }
}

/** The output of a reply that broke off is not all counted yet. */
const toUsage = ({ reason, inputTokens, outputTokens, thinkingTokens }: Extract<ModelPart, { type: 'finish' }>) => ({
  usage: { inputTokens, outputTokens: reason === null ? null : outputTokens },
  ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
})

const listSecrets = (config: ModelConfig): string[] =>
  [config.apiKey ?? '', ...Object.values(config.headers ?? {})].filter((secret) => secret !== '')

/** One reply while it is received. */
class ReplyReader {
  #input: GenerationInput
  #calls = new Set<string>()
  #hasText = false
  #hasCall = false
  #finish: FinishReason = null

  constructor(input: GenerationInput) {
    this.#input = input
  }

  *take(part: ModelPart): Generator<AgentOutput> {
    switch (part.type) {
      case 'text':
        if (part.text === '') return
        this.#hasText ||= part.text.trim() !== ''
        return yield { type: 'delta', text: part.text }
      case 'reasoning':
        if (part.text !== '') yield { type: 'thinking', text: part.text }
        return
      case 'call': {
        this.#hasCall = true
        const call = this.#fresh(part.id)
        const input = parseInput(part.input)
        yield { type: 'call', call, name: part.name, input }
        const read = part.name === askHuman ? readQuestion(input) : null
        if (read && 'ask' in read) yield { type: 'question', ...read, call }
        return
      }
      case 'finish':
        this.#finish = part.reason
        if (part.reason === 'length' && this.#hasText) yield { type: 'delta', text: `\n\n${agentTexts[this.#input.language].outputLimit}` }
    }
  }

  /** A reply that is no reply is a failure: an empty message would leave the human with nothing to go on. */
  checkWhole(): void {
    if (this.#finish === null) throw toGarbled('the reply ends in the middle')
    if (this.#hasText || this.#hasCall) return
    if (this.#finish === 'filter')
      throw new ParleyError('model_refused', { status: 'filter', why: 'its content filter held back the reply' })
    throw toGarbled(this.#finish === 'length' ? 'it reached its output limit before saying anything' : 'the reply is empty')
  }

  /** Some servers give every call the same id, or none; a question must still find the call it belongs to. */
  #fresh(given: string): string {
    const { turn, generation } = this.#input
    const own = given === '' ? `call_${turn}_${generation}` : given
    const call = given === '' || this.#calls.has(own) ? `${own}#${this.#calls.size + 1}` : own
    this.#calls.add(call)
    return call
  }
}

const toGarbled = (why: string): ParleyError => new ParleyError('model_garbled', { why }, { retryable: true })

/** Input that is not JSON stays text: the check of the tool reports it, and the model can correct its call. */
function parseInput(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as unknown
  } catch {
    return input
  }
}

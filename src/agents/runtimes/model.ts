import { agentTexts } from '../../words/index.ts'
import type { ModelConfig, ModelMemberConfig } from '../../app/config/schema.ts'
import type { Usage } from '../../dialogs/rules/dialog-events.ts'
import { askHuman } from '../../dialogs/rules/question.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime, GenerationInput } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { readQuestion } from '../ask-human.ts'
import type { Surroundings } from '../minds/surroundings.ts'
import { findFamily } from '../models/families.ts'
import { learnedModels, type LearnedModels } from '../models/learned-models.ts'
import type { probeModel } from '../models/find-window.ts'
import { readEnd, type OutputEnd } from '../models/read-output.ts'
import { noUsage } from '../models/usage.ts'
import { isOfUse } from '../taskdoc/taskdoc-tools.ts'
import { type BuiltRequest, buildRequest } from '../wires/build-request.ts'
import { addressFor, openWire } from '../wires/open-wire.ts'
import type { ModelPart, OpenWire, Wire } from '../wires/wire.ts'
import { toMessages } from './messages.ts'
import { modelFailure } from './model-failure.ts'
import { toElements } from './old-elements.ts'
import { promptContext } from './prompt-context.ts'
import { addUsage, listSecrets, promptGeneration } from './prompt-generation.ts'
import { promptWatch } from './prompt-watch.ts'
import { RequestPlan } from './request-plan.ts'
import { silenceLimit } from './silence-limit.ts'
import { isReasoning, systemPrompt } from './system-prompt.ts'

/** An agent that is a language model. Retries are shared with the driver: see `AgentRuntime`. */
export function modelRuntime(options: {
  model: ModelConfig
  member: Pick<ModelMemberConfig, 'about' | 'prompt' | 'language' | 'fbrModelParams'>
  around?: Surroundings
  clock?: Clock
  learned?: LearnedModels
  /** Asks the server for the window of the model, once. */
  probe?: typeof probeModel
  /** Another model, asked once when this one declines. */
  fallback?: AgentRuntime | undefined
}): AgentRuntime {
  const { model: config, member, around = null, clock = systemClock, learned = learnedModels(), probe, fallback } = options
  const watch = promptWatch()
  const opened = new Map<Wire, OpenWire>()
  const open = (wire: Wire): OpenWire => {
    const known = opened.get(wire) ?? openWire(config, wire)
    opened.set(wire, known)
    return known
  }
  let isProbed = probe === undefined || config.contextLength !== undefined
  const probeOnce = (): void => {
    if (isProbed) return
    isProbed = true
    void probe?.(config).then((probed) => {
      if (probed) learned.learn(addressFor(config), config.model, { probed })
    })
  }
  return {
    window: () => new RequestPlan(config, learned, null).window,
    async *generate(input, signal) {
      signal.throwIfAborted()
      const { prompt } = input
      const isFresh = isReasoning({ isSide: input.isSide, tools: prompt?.tools ?? input.tools })
      const settings = isFresh ? { ...config, ...member.fbrModelParams } : config
      if (prompt) {
        probeOnce()
        const generation = promptGeneration(input, prompt, { config: settings, learned, open, watch, clock, signal })
        yield* fallback ? orElse(generation, () => fallback.generate(input, signal)) : generation
        return
      }
      const plan = new RequestPlan(settings, learned, outputBound(settings.maxOutputTokens, input.allowance))
      const { wire, address, profile, changes, outputTokens } = plan
      const list = {
        system: systemPrompt(member, input, around),
        elements: toElements(toMessages(promptContext(member, input, around)), wire),
        cachedElements: 0,
        tools: input.tools.filter((tool) => isOfUse(tool, input)),
      }
      const family = findFamily(config.model)
      const request = buildRequest(list, {
        wire,
        address,
        config: settings,
        family,
        profile,
        outputTokens,
        cacheKey: input.dialog,
        changes,
      })
      yield* stream(open(wire), request, input, { config, clock, signal })
    },
  }
}

/** The second, when the first declines before it has said a word. */
async function* orElse(one: AsyncIterable<AgentOutput>, other: () => AsyncIterable<AgentOutput>): AsyncGenerator<AgentOutput> {
  let hasWords = false
  let paid: Usage | null = null
  try {
    for await (const output of one) {
      hasWords ||= output.type !== 'thinking' && output.type !== 'usage'
      if (output.type === 'usage') paid = output.usage
      yield output
    }
    return
  } catch (error) {
    if (hasWords || !(error instanceof ParleyError) || error.code !== 'model_declined') throw error
  }
  for await (const output of other())
    yield output.type === 'usage' && paid
      ? {
          ...output,
          usage: addUsage({ ...noUsage, ...paid }, { ...noUsage, ...output.usage }),
          promptTokens: output.usage.inputTokens ?? 0,
        }
      : output
}

/** The tighter of what the model is set to and what the budget leaves. */
function outputBound(set: number | undefined, allowance: GenerationInput['allowance']): number | null {
  const bound = Math.min(set ?? Infinity, allowance?.outputTokens ?? Infinity)
  return bound === Infinity ? null : bound
}

async function* stream(
  open: OpenWire,
  request: BuiltRequest,
  input: GenerationInput,
  { config, clock, signal }: { config: ModelConfig; clock: Clock; signal: AbortSignal },
): AsyncGenerator<AgentOutput> {
  const silence = silenceLimit(clock, signal)
  let contentType: string | null = null
  let isAccepted = false
  try {
    silence.expect(config.firstTokenSeconds)
    const reply = await open(request.body, silence.signal)
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
const toUsage = ({ end, usage: { inputTokens, outputTokens, reasoningTokens } }: Extract<ModelPart, { type: 'finish' }>) => ({
  usage: { inputTokens, outputTokens: end === null ? null : outputTokens },
  ...(reasoningTokens === null ? {} : { thinkingTokens: reasoningTokens }),
})

/** One reply while it is received. */
class ReplyReader {
  #input: GenerationInput
  #calls = new Set<string>()
  #hasText = false
  #hasCall = false
  #finish: OutputEnd = 'stream-cut'

  constructor(input: GenerationInput) {
    this.#input = input
  }

  *take(part: ModelPart): Generator<AgentOutput> {
    switch (part.type) {
      case 'refusal':
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
      case 'kept':
      case 'said':
        return
      case 'finish':
        this.#finish = readEnd(part.end)
        if (this.#finish === 'length' && this.#hasText) yield { type: 'delta', text: `\n\n${agentTexts[this.#input.language].outputLimit}` }
    }
  }

  /** A reply that is no reply is a failure: an empty message would leave the human with nothing to go on. */
  checkWhole(): void {
    if (this.#finish === 'stream-cut') throw toGarbled('the reply ends in the middle')
    if (this.#hasText || this.#hasCall) return
    if (this.#finish === 'declined')
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
function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as unknown
  } catch {
    return input
  }
}

import type { ModelConfig } from '../../app/config/schema.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, GenerationInput, ModelPrompt } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { agentTexts } from '../../words/index.ts'
import { estimateTokens } from '../../dialogs/rules/prompt/context-levels.ts'
import { isDocument, isImage, itemFiles, withFileData } from '../../dialogs/rules/prompt/prompt-files.ts'
import { findFamily } from '../models/families.ts'
import type { LearnedModels } from '../models/learned-models.ts'
import { computeCost } from '../models/price.ts'
import { type OutputVerdict, readOutput } from '../models/read-output.ts'
import { noUsage, type TokenUsage } from '../models/usage.ts'
import { type BuiltRequest, buildRequest } from '../wires/build-request.ts'
import { ModelErrorResponse } from '../wires/model-error-response.ts'
import type { RenderCache } from '../wires/render-cache.ts'
import { renderList } from '../wires/render-list.ts'
import type { OpenWire, Wire } from '../wires/wire.ts'
import { modelFailure } from './model-failure.ts'
import type { PromptWatch } from './prompt-watch.ts'
import { ReplyOutputs } from './reply-outputs.ts'
import { RequestPlan } from './request-plan.ts'
import { silenceLimit } from './silence-limit.ts'

export type PromptGenerationParts = {
  config: ModelConfig
  learned: LearnedModels
  open: (wire: Wire) => OpenWire
  /** Watches the prompt counts of the dialogs of this model. */
  watch: PromptWatch
  rendered: RenderCache
  clock: Clock
  signal: AbortSignal
}

/** One generation of a model that reads a list: one request, and those that the table of `AgentRuntime` leaves to the runtime. */
export async function* promptGeneration(
  input: GenerationInput,
  prompt: ModelPrompt,
  parts: PromptGenerationParts,
): AsyncGenerator<AgentOutput> {
  const run = new PromptRun(input, prompt, parts)
  // Every round but the last changes the plan, and the plan allows so many changes.
  while (!(yield* run.attempt()));
}

class PromptRun {
  #input: GenerationInput
  #prompt: ModelPrompt
  #parts: PromptGenerationParts
  #plan: RequestPlan
  #wasRetried = false
  #wasDoubled = false
  #hasSaidLayout = false
  #hasFiles = false
  /** Of earlier requests of this generation. */
  #before: TokenUsage = noUsage
  #requests = 0
  #money = 0

  constructor(input: GenerationInput, prompt: ModelPrompt, parts: PromptGenerationParts) {
    this.#input = input
    this.#prompt = prompt
    this.#parts = parts
    const most = Math.min(parts.config.maxOutputTokens ?? Infinity, input.allowance?.outputTokens ?? Infinity)
    this.#plan = new RequestPlan(parts.config, parts.learned, most === Infinity ? null : most)
  }

  /** Sends one request. True when the generation is over. */
  async *attempt(): AsyncGenerator<AgentOutput, boolean> {
    const { config, open, clock, signal } = this.#parts
    const plan = this.#plan
    await this.#readFiles()
    const request = this.#build()
    const silence = silenceLimit(clock, signal)
    const outputs = new ReplyOutputs({ maker: plan.ownMaker, holdsCalls: plan.profile.textCalls })
    const facts = { contentType: null as string | null, isAccepted: false }
    let hasWords = false
    try {
      silence.expect(config.firstTokenSeconds)
      const reply = await open(plan.wire)(request.body, silence.signal)
      facts.contentType = reply.contentType
      facts.isAccepted = true
      // Leaving this loop in the middle, as when the caller stops reading, ends the request.
      for await (const list of reply.parts) {
        silence.expect(config.betweenTokensSeconds)
        for (const part of list)
          for (const output of outputs.take(part)) {
            signal.throwIfAborted()
            if (!hasWords) yield* this.#accepted()
            hasWords ||= output.type !== 'thinking'
            yield output
          }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (silence.ranOut !== null) throw new ParleyError('model_stalled', { seconds: silence.ranOut }, { retryable: true })
      // After words the reply cannot be taken back: the driver repeats the generation.
      if (error instanceof ModelErrorResponse && !hasWords && this.#canAdjust(error, request)) return false
      throw modelFailure(error, { secrets: listSecrets(config), ...facts, now: clock.now() })
    } finally {
      silence.end()
    }
    yield* this.#accepted()
    const tokens = outputs.usage.inputTokens
    const count = { dialog: this.#input.dialog, epoch: this.#prompt.epoch, tokens, listBytes: request.listBytes }
    this.#parts.watch(this.#plan, count, () => this.#measurePrevious())
    return yield* this.#judge(outputs)
  }

  /** Before the first output of a request that was accepted only after a change. */
  *#accepted(): Generator<AgentOutput> {
    if (this.#hasSaidLayout) return
    this.#hasSaidLayout = true
    this.#plan.accept()
    const why = this.#plan.newLayout(readLayout(this.#prompt.maker))
    if (why !== null) yield { type: 'epoch', why }
  }

  #measurePrevious(): { tokens: number; listBytes: number } | null {
    const { cachedTokens, cachedItems, items } = this.#prompt
    if (cachedTokens === undefined || cachedItems === 0) return null
    return { tokens: cachedTokens, listBytes: this.#build(items.slice(0, cachedItems)).listBytes }
  }

  #build(items: ModelPrompt['items'] = this.#prompt.items): BuiltRequest {
    const { config, rendered } = this.#parts
    const { dialog, language } = this.#input
    const { wire, address, profile, changes, outputTokens, maker, vision } = this.#plan
    const family = findFamily(config.model)
    const list = renderList({ ...this.#prompt, items }, { wire, profile, family, maker, language, vision }, dialog, rendered)
    return buildRequest(list, { wire, address, config, family, profile, outputTokens, cacheKey: dialog, changes })
  }

  /** Once, and only for a model that takes them. */
  async #readFiles(): Promise<void> {
    const { readFile } = this.#input
    if (this.#hasFiles || !readFile || !this.#plan.vision) return
    this.#hasFiles = true
    const files = this.#prompt.items.flatMap(itemFiles).filter((file) => isImage(file) || isDocument(file))
    if (files.length === 0) return
    const data = new Map<string, string>()
    for (const { file } of files) {
      const bytes = data.has(file) ? null : await readFile(file)
      if (bytes) data.set(file, Buffer.from(bytes).toString('base64'))
    }
    this.#prompt = { ...this.#prompt, items: withFileData(this.#prompt.items, data) }
  }

  #canAdjust(error: ModelErrorResponse, { fields, listBytes }: BuiltRequest): boolean {
    const { maker } = this.#plan
    const hasReasoning =
      maker !== null &&
      this.#prompt.items.some(
        (item) => item.kind === 'output' && item.parts.some((part) => part.type === 'reasoning' && part.maker === maker),
      )
    const hasImages = this.#plan.vision && this.#prompt.items.some((item) => itemFiles(item).some(({ data }) => data !== undefined))
    const isWorthIt = this.#plan.adjust(error.fault, { fields, hasReasoning, hasImages, estimateTokens: estimateTokens(listBytes) })
    if (isWorthIt) this.#hasSaidLayout = false
    return isWorthIt
  }

  *#judge(outputs: ReplyOutputs): Generator<AgentOutput, boolean> {
    const usage = this.#countUsage(outputs.usage)
    const verdict = this.#read(outputs)
    // Last, where the reply is of use: the bounds of a generation are those of one reply, and this may count two.
    if (verdict.kind === 'whole') {
      yield* outputs.finish(verdict, agentTexts[this.#input.language].outputLimit)
      yield usage
      return true
    }
    yield usage
    switch (verdict.kind) {
      case 'nudge':
        return true
      case 'retry':
        if (verdict.why === 'stream-cut') throw toGarbled('the reply ends in the middle')
        if (!this.#hasRoom()) throw toGarbled('the reply is empty')
        this.#wasRetried = true
        return false
      case 'retry-larger':
        if (!this.#hasRoom()) throw outputBound(this.#plan.outputTokens)
        this.#wasDoubled = true
        this.#plan.outputTokens = verdict.outputTokens
        return false
      case 'overflow':
        return this.#plan.overflow(null, false)
      case 'failed':
        if (verdict.why === 'declined') throw new ParleyError('model_declined', { model: this.#parts.config.model })
        if (verdict.why === 'output-bound') throw outputBound(this.#plan.outputTokens)
        throw toGarbled('the reply is empty')
    }
  }

  #read(outputs: ReplyOutputs): OutputVerdict {
    const { items, tools } = this.#prompt
    const { profile, outputTokens, window } = this.#plan
    return readOutput(outputs.raw, {
      tools: tools.map(({ name }) => name),
      callIds: profile.callIds,
      taken: listCalls(items),
      seed: `${this.#input.turn}_${this.#input.generation}`,
      textCalls: profile.textCalls,
      wasRetried: this.#wasRetried,
      wasNudged: false,
      wasDoubled: this.#wasDoubled,
      outputTokens: outputTokens ?? outputs.usage.outputTokens ?? 4_096,
      maxOutputTokens: Math.min(window.maxOutputTokens ?? Infinity, this.#input.allowance?.outputTokens ?? Infinity),
    })
  }

  /** A second request costs as much as the first; a budget was asked for one. */
  #hasRoom(): boolean {
    const { allowance } = this.#input
    return allowance === undefined || (this.#before.inputTokens !== null && 2 * this.#before.inputTokens <= allowance.inputTokens)
  }

  /** Several requests cost their sum; the last one tells how full the context is. */
  #countUsage(usage: TokenUsage): Extract<AgentOutput, { type: 'usage' }> {
    this.#requests += 1
    const total = this.#requests === 1 ? usage : addUsage(this.#before, usage)
    this.#before = total
    const { price, model } = this.#parts.config
    // Each request has its own price step.
    if (price) this.#money += computeCost(usage, price)
    const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = total
    return {
      type: 'usage',
      model,
      ...(price && { money: this.#money }),
      usage: {
        inputTokens,
        outputTokens,
        ...(cachedTokens !== null && { cachedTokens }),
        ...(cacheWriteTokens !== null && { cacheWriteTokens }),
        ...(reasoningTokens !== null && { reasoningTokens }),
      },
      ...(reasoningTokens !== null && { thinkingTokens: reasoningTokens }),
      ...(this.#requests > 1 && usage.inputTokens !== null && { promptTokens: usage.inputTokens }),
    }
  }
}

function* listCalls(items: ModelPrompt['items']): Generator<string> {
  for (const item of items) if (item.kind === 'output') for (const part of item.parts) if (part.type === 'call') yield part.call
}

/** The layout in the name of a maker; null where an earlier version wrote it. */
export const readLayout = (maker: string | undefined): string | null => maker?.split('#')[1] ?? null

const toGarbled = (why: string): ParleyError => new ParleyError('model_garbled', { why }, { retryable: true })

const outputBound = (limit: number | null): ParleyError => new ParleyError('model_output_bound', { limit: limit ?? 'its own number of' })

export const listSecrets = (config: ModelConfig): string[] =>
  [config.apiKey ?? '', ...Object.values(config.headers ?? {})].filter((secret) => secret !== '')

/** The counts of two requests. One that is not known makes the sum of what is paid unknown. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum = (left: number | null, right: number | null): number | null =>
    left === null || right === null ? (left ?? right) : left + right
  return {
    inputTokens: one.inputTokens === null || other.inputTokens === null ? null : one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens === null || other.outputTokens === null ? null : one.outputTokens + other.outputTokens,
    cachedTokens: sum(one.cachedTokens, other.cachedTokens),
    cacheWriteTokens: sum(one.cacheWriteTokens, other.cacheWriteTokens),
    reasoningTokens: sum(one.reasoningTokens, other.reasoningTokens),
  }
}

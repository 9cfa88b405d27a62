import type { ModelConfig, ModelMemberConfig } from '../../app/config/schema.ts'
import type { Usage } from '../../dialogs/rules/dialog-events.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput, AgentRuntime } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { learnedModels, type LearnedModels } from '../models/learned-models.ts'
import type { probeModel } from '../models/find-window.ts'
import { modelProblems } from '../models/model-problems.ts'
import { noUsage } from '../models/usage.ts'
import { addressFor, openWire } from '../wires/open-wire.ts'
import { RenderCache } from '../wires/render-cache.ts'
import type { OpenWire, Wire } from '../wires/wire.ts'
import { addUsage, promptGeneration } from './prompt-generation.ts'
import { promptWatch } from './prompt-watch.ts'
import { RequestPlan } from './request-plan.ts'

/** An agent that is a language model. Retries are shared with the driver: see `AgentRuntime`. */
export function modelRuntime(options: {
  model: ModelConfig
  member: Pick<ModelMemberConfig, 'fbrModelParams'>
  clock?: Clock
  learned?: LearnedModels
  /** Asks the server for the window of the model, once. */
  probe?: typeof probeModel
  /** Another model, asked once when this one declines. */
  fallback?: AgentRuntime | undefined
  /** Passes on words in the pieces that the server sent, to see whether it streams. */
  keepsPieces?: boolean
}): AgentRuntime {
  const { model: config, member, clock = systemClock, learned = learnedModels(), probe, fallback, keepsPieces = false } = options
  const freshMind: ModelConfig = { ...config, ...member.fbrModelParams }
  const watch = promptWatch()
  const rendered = new RenderCache()
  const opened = new Map<Wire, OpenWire>()
  const open = (wire: Wire): OpenWire => {
    const known = opened.get(wire) ?? openWire(config, wire, { keepsPieces })
    opened.set(wire, known)
    return known
  }
  /** A window may be found until the probe has ended. */
  let isAsked = false
  let isProbed = probe === undefined || config.contextLength !== undefined
  const probeOnce = (): void => {
    if (isProbed) {
      isAsked = true
      return
    }
    isProbed = true
    void probe?.(config).then((probed) => {
      if (probed) learned.learn(addressFor(config), config.model, { probed })
      isAsked = true
    })
  }
  return {
    window: () => new RequestPlan(config, learned, null).window,
    layout: () => new RequestPlan(config, learned, null).layout,
    problems: () => [...(isAsked ? modelProblems(config, learned) : []), ...(fallback?.problems?.() ?? [])],
    async *generate(input, signal) {
      signal.throwIfAborted()
      const { prompt } = input
      if (!prompt) throw new ParleyError('agent_failed', { why: 'it was given no prompt' })
      const isFreshMind = input.isSide && prompt.tools.length === 0
      probeOnce()
      const generation = promptGeneration(input, prompt, {
        config: isFreshMind ? freshMind : config,
        learned,
        open,
        watch,
        rendered,
        clock,
        signal,
      })
      yield* fallback ? orElse(generation, () => fallback.generate(input, signal)) : generation
    },
  }
}

/** The second, when the first declines before it has said a word. */
async function* orElse(one: AsyncIterable<AgentOutput>, other: () => AsyncIterable<AgentOutput>): AsyncGenerator<AgentOutput> {
  let hasWords = false
  let paid: Usage | null = null
  let money: number | undefined
  try {
    for await (const output of one) {
      hasWords ||= output.type !== 'thinking' && output.type !== 'usage'
      if (output.type === 'usage') {
        paid = output.usage
        money = output.money
      }
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
          // Each model has its own price.
          ...((money !== undefined || output.money !== undefined) && { money: (money ?? 0) + (output.money ?? 0) }),
        }
      : output
}

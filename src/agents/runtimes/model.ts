import type { ModelConfig, ModelMemberConfig } from '../../app/config/schema.ts'
import { ParleyError } from '../../errors.ts'
import type { AgentRuntime } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { learnedModels, type LearnedModels } from '../models/learned-models.ts'
import type { probeModel } from '../models/find-window.ts'
import { addressFor, openWire } from '../wires/open-wire.ts'
import type { OpenWire, Wire } from '../wires/wire.ts'
import { promptGeneration } from './prompt-generation.ts'
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
}): AgentRuntime {
  const { model: config, member, clock = systemClock, learned = learnedModels(), probe } = options
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
      if (!prompt) throw new ParleyError('agent_failed', { why: 'it was given no prompt' })
      const isFreshMind = input.isSide && prompt.tools.length === 0
      const settings = isFreshMind ? { ...config, ...member.fbrModelParams } : config
      probeOnce()
      yield* promptGeneration(input, prompt, { config: settings, learned, open, watch, clock, signal })
    },
  }
}

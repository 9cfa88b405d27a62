import type { ModelConfig } from '../../app/config/schema.ts'
import { addressFor } from '../wires/open-wire.ts'
import type { LearnedModels } from './learned-models.ts'
import { type ProbedWindow, type ProbeOptions, probeWindow } from './probe.ts'
import { type ModelWindow, resolveWindow } from './window.ts'

/** Asks the server of a model for its window. */
export function probeModel(model: ModelConfig, options: ProbeOptions = {}): Promise<ProbedWindow | null> {
  const { apiKey } = model
  const key = apiKey === undefined ? {} : model.provider === 'anthropic' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
  return probeWindow({ baseUrl: addressFor(model), model: model.model, headers: { ...key, ...model.headers } }, options)
}

/** The window of a model as the server, its errors and the table of families tell it; `contextLength` first unless it is left out. */
export async function findWindow(
  model: ModelConfig,
  learned: LearnedModels,
  options: ProbeOptions & { withoutSetting?: boolean } = {},
): Promise<ModelWindow> {
  const address = addressFor(model)
  const probed = await probeModel(model, options)
  if (probed) learned.learn(address, model.model, { probed })
  return resolveWindow(model.model, {
    configured: options.withoutSetting ? undefined : model.contextLength,
    probed,
    learned: learned.read(address, model.model).windowTokens,
  })
}

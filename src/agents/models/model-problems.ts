import type { ModelConfig } from '../../app/config/schema.ts'
import { addressFor } from '../wires/open-wire.ts'
import type { LearnedModels } from './learned-models.ts'
import { resolveWindow } from './window.ts'

/** Problems that the server of a model revealed: each sentence ends with the setting that helps. */
export function modelProblems(config: ModelConfig, learned: LearnedModels): string[] {
  const { model, contextLength, images } = config
  const { windowTokens, probed, changes, isCut } = learned.read(addressFor(config), model)
  const window = resolveWindow(model, { configured: contextLength, probed, learned: windowTokens })
  const has = (kind: (typeof changes)[number]['kind']): boolean => changes.some((change) => change.kind === kind)
  return [
    ...(window.problem === null
      ? []
      : [`the context window of ${model} is unknown; ${window.windowTokens} tokens are assumed. Set contextLength.`]),
    ...(isCut && contextLength === undefined
      ? [
          `the server of ${model} cut a prompt at ${windowTokens ?? 0} tokens without an error. Raise its context size, or set contextLength.`,
        ]
      : []),
    ...(has('no-reasoning-effort')
      ? [`${model} refuses tools with reasoning at this address, so it works without reasoning. Set wire: responses if the server has it.`]
      : []),
    ...(has('no-images') && images === true ? [`${model} refused an image, so images are named in words. Set images: false.`] : []),
  ]
}

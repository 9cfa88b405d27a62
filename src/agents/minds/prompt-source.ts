import type { ModelConfig, ModelMemberConfig } from '../../app/config/schema.ts'
import type { AgentRuntime, PromptSource } from '../../ports/agent-runtime.ts'
import { unknownModelLimits } from '../models/window.ts'
import type { Surroundings } from './surroundings.ts'
import { zoneOffset } from './zone-offset.ts'

/** Texts that a member with a model reads besides its dialogs. */
export function promptSource(options: {
  name: string
  member: Pick<ModelMemberConfig, 'about' | 'prompt' | 'language'>
  model: ModelConfig
  around: Surroundings
  runtime: AgentRuntime
  /** That of the owner; the zone of the machine unless set. */
  timeZone?: string | undefined
}): PromptSource {
  const { name, member, model, around, runtime, timeZone } = options
  const { windowTokens, outputTokens } = unknownModelLimits
  return {
    get maker() {
      const maker = [model.provider, model.model, ...(model.effort === undefined ? [] : [model.effort])].join('/')
      const layout = runtime.layout?.()
      return layout === undefined ? maker : `${maker}#${layout}`
    },
    about: member.about ?? '',
    answersIn: member.language ?? null,
    persona: (language) => [member.prompt?.trim() ?? '', around.persona(name, language)].filter((text) => text !== '').join('\n\n'),
    teammates: () => around.teammates(name),
    notes: (language) => around.notes(name, language),
    memories: (language) => around.memories(name, language),
    taskdoc: (path, language) => around.taskdoc(path, language),
    sections: (path) => around.sections(path),
    window() {
      const found = runtime.window?.() ?? { windowTokens, inputLimitTokens: windowTokens, maxOutputTokens: outputTokens }
      return { ...found, inputLimitTokens: Math.min(found.inputLimitTokens, model.inputLength ?? Infinity) }
    },
    zoneOffset: (at) => zoneOffset(at, timeZone),
  }
}

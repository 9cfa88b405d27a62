import type { ModelMemberConfig } from '../../app/config/schema.ts'
import { tellaskTools } from '../../dialogs/rules/tellask.ts'
import type { GenerationInput } from '../../ports/agent-runtime.ts'
import type { Surroundings } from '../minds/surroundings.ts'
import { agentTexts } from '../../words/index.ts'

export type Told = Pick<ModelMemberConfig, 'about' | 'prompt' | 'language'>

/** A side dialog in which there is nothing to call is one of fresh minds that only think: every other has at least its own mind's tools. */
export const isReasoning = ({ isSide, tools }: Pick<GenerationInput, 'isSide' | 'tools'>): boolean => isSide && tools.length === 0

/** The system prompt. The stable part comes first, so that a provider's prompt cache can reuse it. */
export function systemPrompt(
  member: Told,
  input: Pick<GenerationInput, 'agent' | 'language' | 'contextDropped' | 'isSide' | 'tools'>,
  around: Surroundings | null = null,
): string {
  const words = agentTexts[member.language ?? input.language].prompt
  const lines = [
    member.prompt?.trim() || `You are ${input.agent}${member.about ? `: ${member.about.trim().replace(/\.$/, '')}` : ', a helpful agent'}.`,
  ]
  // A fresh mind has nothing but the request: no notes, no team, and one sentence about tools.
  if (isReasoning(input)) return [...lines, words.noTools].join('\n\n')
  if (around) lines.push(...around.notes(input.agent, input.language))
  const teammates = around?.teammates(input.agent) ?? []
  if (teammates.length > 0 && input.tools.some(({ name }) => name === tellaskTools.session)) {
    const listed = teammates.map(({ name, about }) => `- @${name}${about ? `: ${about}` : ''}`)
    lines.push(`${words.teammates}\n${listed.join('\n')}`, words.calls)
  }
  // Only whether, not how many: a count would change the prompt each time.
  if (input.contextDropped > 0) lines.push(words.dropped)
  return lines.join('\n\n')
}

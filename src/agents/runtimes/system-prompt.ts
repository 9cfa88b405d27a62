import type { MemberConfig } from '../../config/schema.ts'
import type { GenerationInput } from '../../ports/agent-runtime.ts'

const languages = { en: 'English', zh: 'Chinese' }

/** Who the model is told it is. The stable part comes first, so that a provider's prompt cache can keep it. */
export function systemPrompt(
  member: Pick<MemberConfig, 'about' | 'prompt' | 'language'>,
  input: Pick<GenerationInput, 'agent' | 'language' | 'contextDropped'>,
): string {
  const lines = [member.prompt?.trim() || `You are ${input.agent}${member.about ? `: ${member.about}` : ', a helpful agent'}.`]
  lines.push(
    member.language
      ? `Answer in ${languages[member.language]}.`
      : `Answer in the language of the latest message; if it has none, in ${languages[input.language]}.`,
  )
  // Only whether, not how many: a count would change the prompt each time.
  if (input.contextDropped > 0)
    lines.push('The oldest part of this dialog is no longer shown to you. If you need something from it, say so and ask.')
  return lines.join('\n\n')
}

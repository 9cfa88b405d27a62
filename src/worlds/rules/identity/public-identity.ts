import { hasInvisible } from '../../../authority/visible-text.ts'
import { type Refusal, refuse } from '../../../errors.ts'
import { worldLimits } from '../world-limits.ts'
import { readPublicCode } from './public-code.ts'

export type PublicIdentity = { displayName: string; agentCode: string }

export const formatIdentity = ({ displayName, agentCode }: PublicIdentity): string => `${displayName}#${agentCode}`

/** The name as it is stored, or why it cannot be one. Characters that look like the `#` of an identity are reserved with it. */
export function checkDisplayName(text: string): { displayName: string } | { refused: Refusal } {
  const displayName = text.trim()
  if (displayName === '') return refuse('display_name_required')
  const length = Array.from(displayName).length
  if (length > worldLimits.displayNameChars) return refuse('display_name_too_long', { length, limit: worldLimits.displayNameChars })
  if (/[#＃﹟]/.test(displayName)) return refuse('display_name_reserved_character')
  if (/(?! )[\s\u0085]/.test(displayName)) return refuse('display_name_invalid_whitespace')
  if (hasInvisible(displayName)) return refuse('display_name_invalid_character')
  return { displayName }
}

/** Splits at the last `#`. The name is only what the caller remembers: the code alone names the account. */
export function parseIdentity(text: string): PublicIdentity | { refused: Refusal } {
  const at = text.lastIndexOf('#')
  const agentCode = at === -1 ? null : readPublicCode(text.slice(at + 1))
  if (agentCode === null) return refuse('agent_code_invalid', { given: text.slice(0, 60) })
  return { displayName: text.slice(0, at).trim(), agentCode }
}

import { buildTexts } from '../../../words/index.ts'
import type { FailureCause } from './build-texts.ts'
import type { Language } from '../../../shapes/language.ts'
import type { ErrorCode } from '../../../errors.ts'

/** `session.failed.reason`: short, the same in every language, nothing of the machine in it. */
const reasons: Record<FailureCause, string> = {
  rules: 'protocol violation',
  stopped: 'agent stopped',
  slow: 'took too long',
  flooded: 'too much output',
  absent: 'agent not available',
  cancelled: 'cancelled',
  budget: 'budget used up',
  other: 'internal error',
}

const causes: Partial<Record<ErrorCode, FailureCause>> = {
  build_rules_broken: 'rules',
  command_failed: 'stopped',
  turn_crashed: 'stopped',
  command_timeout: 'slow',
  model_stalled: 'slow',
  too_many_generations: 'slow',
  command_flooded: 'flooded',
  command_missing: 'absent',
  agent_not_found: 'absent',
  model_not_set: 'absent',
  model_unreachable: 'absent',
  model_key_refused: 'absent',
  model_unpaid: 'absent',
  model_wrong_address: 'absent',
  model_overloaded: 'absent',
  model_rate_limited: 'absent',
  budget_spent: 'budget',
}

export type FailureWords = { summary: string; reason: string }

export function failureWords(code: ErrorCode | 'cancelled', locale: Language): FailureWords {
  const cause = code === 'cancelled' ? code : (causes[code] ?? 'other')
  return { summary: buildTexts[locale].failures[cause], reason: reasons[cause] }
}

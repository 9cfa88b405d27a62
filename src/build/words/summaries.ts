import type { ErrorCode } from '../../errors.ts'
import type { Locale } from '../steps.ts'

type Cause = 'rules' | 'stopped' | 'slow' | 'flooded' | 'absent' | 'cancelled' | 'budget' | 'other'

/** What the person reads when a build cannot go on: what happened to them, and what they can do. */
const failures: Record<Cause, Record<Locale, string>> = {
  rules: {
    en: 'I couldn’t finish this build: I lost track of where I was and couldn’t find my way back. Please try again.',
    zh: '这次构建没能完成：我弄乱了进度，没能恢复过来。请再试一次。',
  },
  stopped: {
    en: 'I couldn’t finish this build because I stopped unexpectedly. Please try again.',
    zh: '这次构建没能完成，因为我意外中断了。请再试一次。',
  },
  slow: {
    en: 'I couldn’t finish this build in the time I had. Please try again, perhaps with a smaller request.',
    zh: '我没能在规定时间内完成这次构建。请再试一次，也可以先把请求缩小一些。',
  },
  flooded: {
    en: 'I couldn’t finish this build because it became much larger than expected. Please try again with a smaller request.',
    zh: '这次构建没能完成，因为内容远比预期的多。请把请求缩小一些再试一次。',
  },
  absent: {
    en: 'I can’t work on builds at the moment. Please try again later.',
    zh: '我暂时无法进行构建。请稍后再试。',
  },
  cancelled: {
    en: 'I stopped this build as you asked.',
    zh: '已按您的要求停止这次构建。',
  },
  budget: {
    en: 'I couldn’t finish this build because its budget is used up. Please try again when there is more.',
    zh: '这次构建没能完成，因为预算已经用完。请在预算增加后再试一次。',
  },
  other: {
    en: 'I couldn’t finish this build because something went wrong on my side. Please try again.',
    zh: '这次构建没能完成，因为我这边出了问题。请再试一次。',
  },
}

/** `session.failed.reason`: short, the same in every language, nothing of the machine in it. */
const reasons: Record<Cause, string> = {
  rules: 'protocol violation',
  stopped: 'agent stopped',
  slow: 'took too long',
  flooded: 'too much output',
  absent: 'agent not available',
  cancelled: 'cancelled',
  budget: 'budget used up',
  other: 'internal error',
}

const causes: Partial<Record<ErrorCode, Cause>> = {
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
  model_overloaded: 'absent',
  model_rate_limited: 'absent',
  budget_spent: 'budget',
}

export type FailureWords = { summary: string; reason: string }

export function failureWords(code: ErrorCode | 'cancelled', locale: Locale): FailureWords {
  const cause = code === 'cancelled' ? code : (causes[code] ?? 'other')
  return { summary: failures[cause][locale], reason: reasons[cause] }
}

/** Said for an agent whose own summary could not be shown. */
export const plainSummary = {
  complete: { en: 'Your build is ready.', zh: '您的构建已完成。' },
  failed: { en: 'I couldn’t finish this build. Please try again.', zh: '这次构建没能完成。请再试一次。' },
} as const satisfies Record<'complete' | 'failed', Record<Locale, string>>

import type { DialogCommand } from '../dialog/decide.ts'
import type { Language } from '../dialog/events.ts'
import { diligenceAnswer } from '../dialog/question.ts'
import type { Question } from '../dialog/question.ts'
import type { DialogState, HealthLevel } from '../dialog/state.ts'
import type { Agent, Mind } from '../ports/agent-runtime.ts'
import type { Ids } from '../ports/ids.ts'
import { coursePrompt } from './tree-calls.ts'

/** How often a mind that is nearly full is told so before it is cleared without being asked. */
const countdown = 5

type Remedy =
  Extract<DialogCommand, { type: 'add-prompt' | 'clear-mind' | 'ask-question' }> extends infer Command
    ? Command extends unknown
      ? Omit<Command, 'at'>
      : never
    : never

/** How full the context is, by the provider's own count of the prompt. */
export function healthOf(promptTokens: number | null, limits: Mind['context']): HealthLevel {
  if (promptTokens === null || limits === undefined) return 'unknown'
  if (promptTokens > limits.critical) return 'critical'
  return promptTokens > limits.optimal ? 'caution' : 'healthy'
}

/**
 * What is done about a filling context before the next generation. Caution: a reminder now and then to leave notes and
 * clear the mind. Critical: a countdown, then the mind is cleared. Nothing that was said meanwhile is lost by it.
 */
export function remedyFor(state: DialogState, agent: Agent): Remedy[] {
  const { level, generations, isTold } = state.health
  // A mind that only reasons has neither reminders nor tools. What was said and not yet read is not said again.
  if (state.origin?.mode === 'reasoning' || isTold) return []
  const zh = state.language === 'zh'
  if (level === 'caution' && generations % (agent.mind?.context?.cadence ?? 10) === 0) {
    const text = zh
      ? '上下文已偏长。请把继续工作所需的内容写入提醒项（add_reminder），然后调用 clear_mind。'
      : 'Your context is getting long. Put what you need to go on into a reminder (add_reminder), then call clear_mind.'
    return [{ type: 'add-prompt', why: 'health', text }]
  }
  if (level !== 'critical') return []
  const left = countdown - generations
  if (left <= 0) return [{ type: 'clear-mind', why: 'forced', prompt: coursePrompt(state) }]
  const text = zh
    ? `上下文即将用尽。请立即写入提醒项并调用 clear_mind；再过 ${left} 次将自动清空。`
    : `Your context is almost full. Leave a reminder and call clear_mind now; after ${left} more ${left === 1 ? 'time' : 'times'} it is cleared for you.`
  return [{ type: 'add-prompt', why: 'health', text }]
}

/**
 * A root that would rest is told to look once more, within its budget. When that is spent, a person is asked whether it
 * goes on; nothing waits for the answer, and any word to the dialog gives it a new budget as well.
 */
export function pushFor(state: DialogState, agent: Agent, ids: Ids): Remedy | null {
  const diligence = agent.mind?.diligence
  if (!diligence || diligence.most < 1 || state.origin !== null) return null
  if (state.pushes < diligence.most) return { type: 'add-prompt', why: 'diligence', text: diligence.text }
  if (Object.values(state.questions).some(({ purpose }) => purpose === 'diligence')) return null
  const ask = goOnOrLeave(state.language, state.agent, diligence.most)
  return { type: 'ask-question', asked: { question: ids.next('q'), call: null, ask, expiresAt: null, purpose: 'diligence' } }
}

function goOnOrLeave(language: Language, agent: string, times: number): Question {
  const zh = language === 'zh'
  const { item, goOn, leave } = diligenceAnswer
  return {
    text: zh
      ? `@${agent} 已被提醒 ${times} 次继续检查，现在停了下来。要继续吗？`
      : `@${agent} was told ${times} ${times === 1 ? 'time' : 'times'} to look once more and has come to rest. Shall it go on?`,
    items: [
      {
        id: item,
        text: zh ? '选择' : 'Choose',
        kind: 'choice',
        options: [
          { value: goOn, label: zh ? '继续' : 'Continue' },
          { value: leave, label: zh ? '到此为止' : 'Leave it' },
        ],
      },
    ],
  }
}

import { dialogTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { Language } from '../../shapes/language.ts'
import { diligenceAnswer } from '../rules/question.ts'
import type { Question } from '../rules/question.ts'
import type { DialogState, HealthLevel } from '../rules/dialog-state.ts'
import type { Agent, Mind } from '../../ports/agent-runtime.ts'
import type { Ids } from '../../ports/ids.ts'
import { coursePrompt } from './tree-calls.ts'

/** Warnings to an agent with a nearly full context before it is cleared. */
const countdown = 5

type Remedy =
  Extract<DialogCommand, { type: 'add-prompt' | 'clear-mind' | 'ask-question' }> extends infer Command
    ? Command extends unknown
      ? Omit<Command, 'at'>
      : never
    : never

/** Fill level of the context, by the provider's count of prompt tokens. */
export function rateHealth(promptTokens: number | null, limits: Mind['context']): HealthLevel {
  if (promptTokens === null || limits === undefined) return 'unknown'
  if (promptTokens > limits.critical) return 'critical'
  return promptTokens > limits.optimal ? 'caution' : 'healthy'
}

/**
 * Reacts to a filling context before the next generation. Caution: a reminder now and then to leave notes and
 * clear the mind. Critical: a countdown, then the mind is cleared. Nothing that was said meanwhile is lost by it.
 */
export function remedyFor(state: DialogState, agent: Agent): Remedy[] {
  const { level, generations, isTold } = state.health
  // A mind that only reasons has neither reminders nor tools. What was said and not yet read is not said again.
  if (state.origin?.mode === 'reasoning' || isTold) return []
  const texts = dialogTexts[state.language]
  if (level === 'caution' && generations % (agent.mind?.context?.cadence ?? 10) === 0) {
    return [{ type: 'add-prompt', why: 'health', text: texts.contextLong }]
  }
  if (level !== 'critical') return []
  const left = countdown - generations
  if (left <= 0) return [{ type: 'clear-mind', why: 'forced', prompt: coursePrompt(state) }]
  return [{ type: 'add-prompt', why: 'health', text: texts.contextFull(left) }]
}

/**
 * A root that would rest is told to look once more, within its budget. When that is spent, a person is asked whether it
 * continues; nothing waits for the answer, and any word to the dialog gives it a new budget as well.
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
  const { choose, diligence } = dialogTexts[language]
  const { item, goOn, leave } = diligenceAnswer
  return {
    text: diligence.text(agent, times),
    items: [
      {
        id: item,
        text: choose,
        kind: 'choice',
        options: [
          { value: goOn, label: diligence.goOn },
          { value: leave, label: diligence.leave },
        ],
      },
    ],
  }
}

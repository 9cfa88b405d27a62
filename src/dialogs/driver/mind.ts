import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState, HealthLevel } from '../rules/dialog-state.ts'
import { type ContextLevel, findLevel, measureRoom } from '../rules/prompt/context-levels.ts'
import type { Agent } from '../../ports/agent-runtime.ts'
import { coursePrompt } from './tree-calls.ts'

/** Warnings to an agent with a nearly full context before it is cleared. */
const countdown = 5

type Remedy =
  Extract<DialogCommand, { type: 'add-prompt' | 'clear-mind' | 'note-prompt' | 'tell-prompt' }> extends infer Command
    ? Command extends unknown
      ? Omit<Command, 'at'>
      : never
    : never

/** Fill level of the context, by the provider's count of prompt tokens. */
export function rateHealth(promptTokens: number | null, { prompt, mind }: Pick<Agent, 'prompt' | 'mind'>): HealthLevel {
  if (promptTokens === null) return 'unknown'
  if (prompt) return levels[findLevel(promptTokens, measureRoom(prompt.window()), 0)]
  const limits = mind?.context
  if (limits === undefined) return 'unknown'
  if (promptTokens > limits.critical) return 'critical'
  return promptTokens > limits.optimal ? 'caution' : 'healthy'
}

const levels: Record<ContextLevel, HealthLevel> = {
  normal: 'healthy',
  caution: 'caution',
  compact: 'caution',
  critical: 'critical',
  full: 'critical',
}

/**
 * Reacts to a filling context before the next generation. Caution: a reminder now and then to leave notes and
 * clear the mind. Critical: a countdown, then the mind is cleared. Nothing that was said meanwhile is lost by it.
 */
export function remedyFor(state: DialogState, agent: Agent): Remedy[] {
  const { level, generations, isTold } = state.health
  // A mind that only reasons has neither reminders nor tools. What was said and not yet read is not said again.
  if (agent.prompt || state.origin?.mode === 'reasoning' || isTold) return []
  const texts = dialogTexts[state.language]
  if (level === 'caution' && generations % (agent.mind?.context?.cadence ?? 10) === 0) {
    return [{ type: 'add-prompt', why: 'health', text: texts.contextLong }]
  }
  if (level !== 'critical') return []
  const left = countdown - generations
  if (left <= 0) return [{ type: 'clear-mind', why: 'forced', prompt: coursePrompt(state) }]
  return [{ type: 'add-prompt', why: 'health', text: texts.contextFull(left) }]
}

/** Pushes of a root with a task document, unless the owner sets another number. */
const defaultPushes = 3

const endsWithQuestion = /[?？]\s*$/

/** The number of pushes between two messages of a person; 0 where there are none. */
export function countPushes({ origin, taskdoc }: Pick<DialogState, 'origin' | 'taskdoc'>, { mind }: Pick<Agent, 'mind'>): number {
  const { diligence } = mind ?? {}
  if (!diligence || origin !== null || diligence.text?.trim() === '') return 0
  return Math.max(0, diligence.most ?? (taskdoc === null ? 0 : defaultPushes))
}

/** A root that would rest is told to look once more, as often as it may be. After the last time nothing is asked. */
export function pushFor(state: DialogState, agent: Agent, words: string): Remedy | null {
  if (state.arePushesOff || endsWithQuestion.test(words) || state.pushes >= countPushes(state, agent)) return null
  const text = agent.mind?.diligence?.text ?? null
  if (!agent.prompt) return { type: 'add-prompt', why: 'diligence', text: text ?? promptTexts[state.language].notes.diligence }
  return text === null
    ? { type: 'note-prompt', notes: [{ kind: 'diligence' }] }
    : { type: 'tell-prompt', told: { block: 'diligence', name: null, text } }
}

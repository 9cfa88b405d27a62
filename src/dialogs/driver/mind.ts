import { promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState, HealthLevel } from '../rules/dialog-state.ts'
import { type ContextLevel, findLevel, measureRoom } from '../rules/prompt/context-levels.ts'
import type { Agent, PromptSource } from '../../ports/agent-runtime.ts'

type Push =
  Extract<DialogCommand, { type: 'add-prompt' | 'note-prompt' | 'tell-prompt' }> extends infer Command
    ? Command extends unknown
      ? Omit<Command, 'at'>
      : never
    : never

/** Fill level of the context of a model, by the provider's count of prompt tokens. */
export const rateHealth = (promptTokens: number | null, prompt: Pick<PromptSource, 'window'> | undefined): HealthLevel =>
  promptTokens === null || prompt === undefined ? 'unknown' : levels[findLevel(promptTokens, measureRoom(prompt.window()))]

const levels: Record<ContextLevel, HealthLevel> = {
  normal: 'healthy',
  caution: 'caution',
  critical: 'critical',
  full: 'critical',
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
export function pushFor(state: DialogState, agent: Agent, words: string): Push | null {
  if (state.arePushesOff || endsWithQuestion.test(words) || state.pushes >= countPushes(state, agent)) return null
  const text = agent.mind?.diligence?.text ?? null
  if (!agent.prompt) return { type: 'add-prompt', why: 'diligence', text: text ?? promptTexts[state.language].notes.diligence }
  return text === null
    ? { type: 'note-prompt', notes: [{ kind: 'diligence' }] }
    : { type: 'tell-prompt', told: { block: 'diligence', name: null, text } }
}

import { isAtLeast } from '../../authority/roles.ts'
import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import type { GenerationInput } from '../../ports/agent-runtime.ts'
import type { Surroundings } from '../minds/surroundings.ts'
import { agentTexts } from '../../words/index.ts'
import { isReasoning, type Told } from './system-prompt.ts'

/**
 * The input of a model besides its system prompt: memories, the task document, the dialog; and just before the latest thing
 * it has to react to, its reminders and the language to answer in. That is where a model heeds them best, and all before
 * it stays the same from one generation to the next.
 */
export function promptContext(member: Told, input: GenerationInput, around: Surroundings | null): readonly ContextItem[] {
  if (isReasoning(input)) return input.context
  const { agent, language, role, taskdoc, reminders, context, notes } = input
  const isKnownPerson = isAtLeast(role, 'member')
  const words = agentTexts[member.language ?? language].prompt
  const before = [
    // Memories and task documents come from outside this dialog, and people below member have no right to read those.
    isKnownPerson ? (around?.memories(agent, language) ?? null) : null,
    isKnownPerson && taskdoc !== null ? (around?.taskdoc(taskdoc, language) ?? null) : null,
  ]
  const late = [
    reminders.length === 0 ? null : `${words.reminders}\n${numbered(reminders)}`,
    ...(notes?.lines ?? []).map((line) => `[${line}]`),
    words.language(member.language),
  ]
  const last = Math.max(0, context.findLastIndex(isForTheModel))
  return [...prompts(before), ...context.slice(0, last), ...prompts(late), ...context.slice(last)]
}

const isForTheModel = (item: ContextItem): boolean => item.kind === 'human' || item.kind === 'prompt'

const prompts = (texts: readonly (string | null)[]): ContextItem[] =>
  texts.flatMap((text) => (text === null ? [] : [{ kind: 'prompt' as const, text }]))

const numbered = (reminders: readonly string[]): string =>
  reminders.map((text, index) => `${index + 1}. ${text.split('\n').join('\n   ')}`).join('\n')

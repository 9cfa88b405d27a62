import { type Refusal, refuse } from '../../errors.ts'
import { cancelQuestions } from './decide-question.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogEvent, PromptReason } from './dialog-events.ts'
import type { Snapshot } from './prompt/prompt-facts.ts'
import { type DialogState, dialogLimits } from './dialog-state.ts'

/** Changes to what an agent reads and remembers. */
export type MindCommand =
  /** `snapshot` is set for models. */
  | { type: 'clear-mind'; why: 'asked' | 'forced'; prompt: string; snapshot?: Snapshot; offset?: number }
  | { type: 'add-prompt'; why: PromptReason; text: string }
  | { type: 'add-reminder'; reminder: string; text: string; position?: number }
  | { type: 'update-reminder'; number: number; text: string }
  | { type: 'delete-reminder'; number: number }

type Command<Type extends MindCommand['type']> = Timed<Extract<MindCommand, { type: Type }>>

export const mindDeciders: Deciders<MindCommand> = {
  'clear-mind': clearMind,
  'add-prompt': (_state, { at, why, text }) => ({ events: [{ type: 'prompt.added', at, data: { why, text } }] }),
  'add-reminder': addReminder,
  'update-reminder': updateReminder,
  'delete-reminder': (state, { at, number }) => {
    const reminder = state.reminders[number - 1]
    if (!reminder) return refuseReminder(`there is no reminder ${number}`)
    return { events: [{ type: 'reminder.deleted', at, data: { reminder: reminder.reminder } }] }
  },
}

function clearMind(state: DialogState, { at, why, prompt, snapshot, offset }: Command<'clear-mind'>): Decision {
  const waiting = Object.values(state.calls).filter((call) => call.question !== null)
  return {
    events: [
      ...cancelQuestions(state, at, { kind: 'agent', name: state.agent }, 'mind-cleared'),
      ...waiting.map(({ call }): DialogEvent => ({
        type: 'tool.returned',
        at,
        data: { call, ok: false, output: 'Dropped when the mind was cleared.' },
      })),
      { type: 'course.started', at, data: { course: state.course + 1, why, prompt, ...(snapshot && { snapshot, offset: offset ?? 0 }) } },
    ],
  }
}

function addReminder(state: DialogState, command: Command<'add-reminder'>): Decision {
  const { at, reminder, text, position: chosen = 0 } = command
  const refusal = refuseReminderText(text)
  if (refusal) return refusal
  if (state.reminders.length >= dialogLimits.reminders) return refuseReminder(`there are already ${dialogLimits.reminders} reminders`)
  if (!Number.isInteger(chosen) || chosen < 0 || chosen > state.reminders.length + 1)
    return refuseReminder(`there is no position ${chosen}`)
  const position = chosen === 0 ? state.reminders.length : chosen - 1
  return { events: [{ type: 'reminder.added', at, data: { reminder, text, position } }] }
}

function updateReminder(state: DialogState, { at, number, text }: Command<'update-reminder'>): Decision {
  const refusal = refuseReminderText(text)
  if (refusal) return refusal
  const reminder = state.reminders[number - 1]
  if (!reminder) return refuseReminder(`there is no reminder ${number}`)
  return { events: [{ type: 'reminder.updated', at, data: { reminder: reminder.reminder, text } }] }
}

const refuseReminder = (why: string): { refused: Refusal } => refuse('bad_reminder', { why })

function refuseReminderText(text: string): { refused: Refusal } | null {
  if (text.trim() === '') return refuseReminder('it is empty')
  if (text.length > dialogLimits.reminderChars) return refuseReminder(`it has more than ${dialogLimits.reminderChars} characters`)
  return null
}

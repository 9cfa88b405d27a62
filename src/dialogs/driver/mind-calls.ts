import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import { type DialogState, dialogLimits } from '../rules/dialog-state.ts'
import { checkReminder, checkReplacement, type ContextRoom, measureRoom, type ReminderFault } from '../rules/prompt/context-levels.ts'
import { mindTools } from '../rules/tree-tools.ts'
import type { Agent } from '../../ports/agent-runtime.ts'
import type { Ids } from '../../ports/ids.ts'

type Scene = {
  /** With what the calls before this one have changed. */
  state: DialogState
  /** As the agent saw it. */
  seen: DialogState
  agent: Agent
  ids: Ids
  at: number
}

/** Turns the mind tools of an agent into commands. Returns the reason of a refusal, or null. */
export function changeMind(
  call: ToolCall,
  input: Record<string, unknown>,
  own: DialogCommand[],
  { state, seen, agent, ids, at }: Scene,
  questions: readonly AskedQuestion[],
): string | null {
  const texts = promptTexts[state.language]
  const { badArguments } = dialogTexts[state.language]
  const succeed = (output: string, ...commands: DialogCommand[]): null => {
    own.push(...commands, { type: 'return-tool', at, call: call.call, ok: true, output })
    return null
  }
  const text = input['content']
  if ((call.name === mindTools.add || call.name === mindTools.update) && (typeof text !== 'string' || text.trim() === ''))
    return badArguments('content is empty')
  const content = typeof text === 'string' ? text.trim().toWellFormed() : ''
  switch (call.name) {
    case mindTools.add: {
      const position = input['position'] ?? 0
      const count = state.reminders.length
      if (typeof position !== 'number' || !Number.isInteger(position) || position < 0 || position > count + 1)
        return badArguments(`position must be a number from 0 to ${count + 1}`)
      const fault = findReminderFault(content, state, agent)
      if (fault !== null) return fault
      const number = position === 0 ? count + 1 : position
      return succeed(texts.reminderKept(number, count + 1), {
        type: 'add-reminder',
        at,
        reminder: ids.next('rem'),
        text: content,
        position,
      })
    }
    case mindTools.update:
    case mindTools.delete: {
      const number = numberNow(input['reminder_no'], seen, state)
      if (number === null) return badArguments(`there is no reminder ${String(input['reminder_no'])}; there are ${state.reminders.length}`)
      if (call.name === mindTools.delete)
        return succeed(texts.reminderDeleted(state.reminders.length - 1), { type: 'delete-reminder', at, number })
      const all = state.reminders.map((each) => each.text)
      const fault = faultText(checkReplacement(all, number - 1, content, roomFor(agent)), state)
      return fault ?? succeed(texts.reminderChanged(number), { type: 'update-reminder', at, number, text: content })
    }
    case mindTools.clear: {
      if (questions.length > 0) return texts.clearedBesideQuestion
      if (hasJustBegun(state, agent)) return texts.clearedTooEarly
      const reminderContent = input['reminder_content']
      if (reminderContent !== undefined && typeof reminderContent !== 'string') return badArguments('reminder_content must be text')
      const note = reminderContent?.trim().toWellFormed() ?? ''
      if (note === '' || state.reminders.some((each) => each.text === note)) return succeed(texts.cleared)
      const fault = findReminderFault(note, state, agent)
      return fault ?? succeed(texts.cleared, { type: 'add-reminder', at, reminder: ids.next('rem'), text: note })
    }
  }
  return null
}

const tooLong = `it has more than ${dialogLimits.reminderChars} characters`

function findReminderFault(text: string, state: DialogState, agent: Agent): string | null {
  const all = state.reminders.map((each) => each.text)
  const same = all.indexOf(text)
  return same >= 0 ? promptTexts[state.language].sameReminder(same + 1) : faultText(checkReminder(all, text, roomFor(agent)), state)
}

function faultText(fault: ReminderFault | null, { language }: DialogState): string | null {
  switch (fault) {
    case 'too-many':
      return promptTexts[language].tooManyReminders(dialogLimits.reminders)
    case 'too-long':
      return dialogTexts[language].badArguments(tooLong)
    case 'too-large-together':
      return dialogTexts[language].badArguments('the reminders together take too much of your context')
    case null:
      return null
  }
}

const roomFor = ({ prompt }: Agent): ContextRoom =>
  measureRoom(prompt?.window() ?? { windowTokens: 1_000_000, inputLimitTokens: 1_000_000, maxOutputTokens: null })

const fewestGenerations = 3

/** A model that clears its mind again and again gets nowhere. */
function hasJustBegun({ prompt }: DialogState, agent: Agent): boolean {
  if (!agent.prompt || !prompt?.epoch) return false
  const tokens = prompt.counted?.tokens ?? 0
  return prompt.generations < fewestGenerations && tokens < roomFor(agent).cautionTokens / 2
}

/** A number is that of the list the agent saw, also when a call made at the same time has moved the others up. */
function numberNow(number: unknown, seen: DialogState, now: DialogState): number | null {
  const reminder = typeof number === 'number' ? seen.reminders[number - 1] : undefined
  const index = reminder ? now.reminders.findIndex((each) => each.reminder === reminder.reminder) : -1
  return index < 0 ? null : index + 1
}

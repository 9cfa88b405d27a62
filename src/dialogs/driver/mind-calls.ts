import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { mindTools } from '../rules/tree-tools.ts'
import type { Ids } from '../../ports/ids.ts'

type Scene = {
  /** With what the calls before this one have changed. */
  state: DialogState
  /** As the agent saw it. */
  seen: DialogState
  ids: Ids
  at: number
}

/** Turns the mind tools of an agent into commands. Returns the reason of a refusal, or null. */
export function changeMind(
  call: ToolCall,
  input: Record<string, unknown>,
  own: DialogCommand[],
  { state, seen, ids, at }: Scene,
  questions: readonly AskedQuestion[],
): string | null {
  const done = (output: string, ...commands: DialogCommand[]): null => {
    own.push(...commands, { type: 'return-tool', at, call: call.call, ok: true, output })
    return null
  }
  const text = input['content']
  if ((call.name === mindTools.add || call.name === mindTools.update) && (typeof text !== 'string' || text.trim() === ''))
    return 'content is empty.'
  const content = typeof text === 'string' ? text.trim().toWellFormed() : ''
  switch (call.name) {
    case mindTools.add: {
      const position = input['position'] ?? 0
      if (typeof position !== 'number') return 'position must be a number.'
      return done('Kept.', { type: 'add-reminder', at, reminder: ids.next('rem'), text: content, position })
    }
    case mindTools.update:
    case mindTools.delete: {
      const number = numberNow(input['reminder_no'], seen, state)
      if (number === null) return `There is no reminder ${String(input['reminder_no'])}; there are ${state.reminders.length}.`
      return call.name === mindTools.update
        ? done('Changed.', { type: 'update-reminder', at, number, text: content })
        : done('Deleted.', { type: 'delete-reminder', at, number })
    }
    case mindTools.clear: {
      if (questions.length > 0) return 'You have just asked the human something. Clear your mind after the answer, or without asking.'
      const kept = input['reminder_content']
      if (kept !== undefined && typeof kept !== 'string') return 'reminder_content must be text.'
      const note = kept?.trim().toWellFormed() ?? ''
      if (note === '') return done('Cleared.')
      return done('Cleared.', { type: 'add-reminder', at, reminder: ids.next('rem'), text: note })
    }
  }
  return `There is no tool called ${call.name}.`
}

/** A number is that of the list the agent saw, also when a call made at the same time has moved the others up. */
function numberNow(number: unknown, seen: DialogState, now: DialogState): number | null {
  const meant = typeof number === 'number' ? seen.reminders[number - 1] : undefined
  const index = meant ? now.reminders.findIndex((each) => each.reminder === meant.reminder) : -1
  return index < 0 ? null : index + 1
}

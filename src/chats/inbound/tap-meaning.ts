import { decodeAction } from '../message/action-value.ts'
import { isAboutApprovals } from '../announce/approval-copies.ts'
import { type CardTap, readCardTap } from '../announce/approval-message.ts'
import { type FailureTap, readFailureTap } from '../announce/failure-message.ts'
import type { OptionTap } from './choose-options.ts'
import { isAboutPairing } from '../announce/pairing-requests.ts'
import { readAboutShown } from '../announce/reply-names.ts'

/** The meaning of a control. Values such as `accept:123456` count only below a message that Parley sent about that: agents choose values too. */
export type TapMeaning =
  | { type: 'answer'; question: string; value: string }
  | { type: 'approval-card'; card: CardTap }
  | OptionTap
  | FailureTap
  | { type: 'pairing'; about: string; code: string; isAccepted: boolean }
  /** Text for the dialog of the address. */
  | { type: 'command'; text: string }
  /** A value chosen by an agent or a plugin; `sender` is the dialog that sent the control. */
  | { type: 'callback'; value: string; sender: string | null }
  /** A control of a reply: `messages` are those of the dialog that the reply shows. */
  | { type: 'shown'; dialog: string; messages: readonly string[]; value: string }
  /** A button of a plugin. */
  | { type: 'plugin'; plugin: string; value: string }
  | { type: 'none' }

export function readTapMeaning(controlValue: string, about: string | null): TapMeaning {
  const decoded = decodeAction(controlValue)
  const action = 'action' in decoded ? decoded.action : { type: 'callback' as const, value: controlValue }
  switch (action.type) {
    case 'question':
      return { type: 'answer', question: action.questionId, value: action.optionValue }
    case 'approval':
      return { type: 'answer', question: action.approvalId, value: action.decision }
    case 'command': {
      const shown = readAboutShown(about)
      return shown ? { type: 'shown', ...shown, value: action.command } : { type: 'command', text: action.command }
    }
    case 'callback':
      return readCallback(action.value, about)
    case 'plugin':
      return action
    case 'url':
    case 'copy-text':
      return { type: 'none' }
  }
}

function readCallback(value: string, about: string | null): TapMeaning {
  const card = isAboutApprovals(about) ? readCardTap(value) : null
  if (card) return { type: 'approval-card', card }
  const [, option] = /^toggle:(\d{1,2}|done)$/.exec(value) ?? []
  if (option !== undefined && about?.startsWith('question:'))
    return { type: 'option', question: about.slice('question:'.length), option: option === 'done' ? option : Number(option) }
  const failure = readFailureTap(value, about)
  if (failure) return failure
  const [, verb, code = ''] = /^(accept|decline):(.+)$/.exec(value) ?? []
  if (about !== null && verb !== undefined && isAboutPairing(about)) return { type: 'pairing', about, code, isAccepted: verb === 'accept' }
  const shown = readAboutShown(about)
  if (shown) return { type: 'shown', ...shown, value }
  return { type: 'callback', value, sender: about?.startsWith('dialog:') ? about.slice('dialog:'.length) : null }
}

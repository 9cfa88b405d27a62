import { type MessagePresentation, actionOf } from './presentation.ts'
import { toTapText } from './tap-text.ts'

/** A control whose tap says something in the dialog. */
export type TappableControl = { value: string; label: string; text: string; isReusable: boolean }

/** Controls of a presentation that a person can tap, in their order. `value` names one of them. */
export const listTappable = ({ blocks }: MessagePresentation): TappableControl[] =>
  blocks.flatMap((block) => {
    if (block.type === 'select') return block.options.flatMap((option) => toTappable(option, false))
    if (block.type !== 'buttons') return []
    return block.buttons.flatMap((button) => (button.disabled ? [] : toTappable(button, button.reusable === true)))
  })

function toTappable(control: Parameters<typeof actionOf>[0], isReusable: boolean): TappableControl[] {
  const action = actionOf(control)
  if (action.type === 'callback')
    return [{ value: action.value, label: control.label, text: toTapText(control.label, action.value), isReusable }]
  return action.type === 'command' ? [{ value: action.command, label: control.label, text: action.command, isReusable }] : []
}

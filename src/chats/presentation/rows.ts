import type { ActionLimits } from '../message/channel-capabilities.ts'
import type { AdaptedButton } from '../../ports/channel.ts'

/** Buttons in the author's order, as many in a row as the channel allows and as can still be read. */
export function toRows(
  buttons: readonly AdaptedButton[],
  { maxActionsPerRow = Infinity, rowWidth = Infinity }: ActionLimits,
): AdaptedButton[][] {
  const rows: AdaptedButton[][] = []
  let width = 0
  for (const button of buttons) {
    const wide = measureWidth(button.label)
    const last = rows.at(-1)
    if (last && last.length < maxActionsPerRow && width + wide <= rowWidth) {
      last.push(button)
      width += wide
    } else {
      rows.push([button])
      width = wide
    }
  }
  return rows
}

/** About how wide a label is: Chinese, Japanese, Korean and emoji take two columns. */
function measureWidth(label: string): number {
  let width = 0
  for (const char of label) width += (char.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
  return width
}

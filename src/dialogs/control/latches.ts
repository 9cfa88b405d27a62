import type { Hold } from '../rules/dialog-events.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { treeLimits } from '../rules/tellask.ts'

type Load = (dialog: string) => Promise<DialogState>

/**
 * The latch that holds back this dialog: its own or that of a dialog above it, the outermost one, because only Continue
 * there lifts all of them. `visit` is called with each dialog looked at, before it is loaded.
 */
export async function latchOver(dialog: string, state: DialogState, load: Load, visit?: (dialog: string) => void): Promise<Hold | null> {
  let hold: Hold | null = null
  let [id, at] = [dialog, state]
  for (let level = 0; ; level += 1) {
    visit?.(id)
    if (at.latch) hold = { by: at.latch.by, dialog: id }
    if (at.origin === null) return hold
    // Trees of 0.1 may be deeper than any limit. Beyond the bound only the root still counts.
    id = level < treeLimits.ancestorsRead ? at.origin.parent : at.origin.root
    visit?.(id)
    at = await load(id)
  }
}

/** Levels between a dialog and its root. Dialogs of 0.1 do not know their depth, so their parents are counted. */
export async function getDepth(state: DialogState, load: Load): Promise<number> {
  let at = state
  for (let levels = 0; levels < treeLimits.ancestorsRead; levels += 1) {
    if (at.origin === null) return levels
    if (at.origin.depth !== undefined) return levels + at.origin.depth
    at = await load(at.origin.parent)
  }
  return treeLimits.ancestorsRead
}

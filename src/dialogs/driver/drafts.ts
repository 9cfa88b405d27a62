import type { Clock } from '../../ports/clock.ts'
import type { Delta, Hints } from '../../ports/store.ts'
import { ChurnMap } from '../../streams/churn-map.ts'

/** Replies in progress, so that a page that opens in the middle sees them from the start. */
export type Drafts = {
  begin(dialog: string, turn: number, name: string): Draft
  /** The running draft of a dialog as deltas from its beginning. */
  current(dialog: string): Delta[]
}

export type Draft = {
  add(kind: 'text' | 'thinking', text: string): void
  /** The text so far. */
  readonly text: string
  end(): void
}

export const draftLimits = { gatherMs: 25, chars: 1_000_000 } as const

/** Pieces are gathered for a moment: a page cannot show more often, and 200 readers cost less. */
export function drafts(hints: Hints, clock: Clock): Drafts {
  const running = new ChurnMap<{ turn: number; name: string; text: string; thinking: string }>()

  return {
    begin(dialog, turn, name) {
      const mine = { turn, name, text: '', thinking: '' }
      running.set(dialog, mine)
      const sentLengths = { text: 0, thinking: 0 }
      let cancel: (() => void) | null = null

      const flush = (): void => {
        cancel = null
        for (const kind of ['thinking', 'text'] as const) {
          const from = sentLengths[kind]
          if (mine[kind].length === from) continue
          sentLengths[kind] = mine[kind].length
          hints.publish({ stream: dialog, draft: name, turn, kind, from, text: mine[kind].slice(from) })
        }
      }
      return {
        add(kind, text) {
          if (mine[kind].length + text.length > draftLimits.chars) return
          mine[kind] += text
          cancel ??= clock.after(draftLimits.gatherMs, flush)
        },
        get text() {
          return mine.text
        },
        end() {
          cancel?.()
          if (running.get(dialog) === mine) running.delete(dialog)
          hints.publish({ stream: dialog, draft: name, turn, kind: 'text', from: mine.text.length, text: '', end: true })
        },
      }
    },
    current(dialog) {
      const runningDraft = running.get(dialog)
      if (!runningDraft) return []
      return (['thinking', 'text'] as const)
        .filter((kind) => runningDraft[kind] !== '')
        .map((kind) => ({ stream: dialog, draft: runningDraft.name, turn: runningDraft.turn, kind, from: 0, text: runningDraft[kind] }))
    },
  }
}

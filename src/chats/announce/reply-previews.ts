import type { DeliverySide } from '../outbox/delivery-side.ts'
import { deliveryLimits } from '../outbox/delivery-limits.ts'
import type { LivePreview } from '../outbox/live-preview.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Delta, Hints } from '../../ports/store.ts'
import type { ChatAddress } from '../bindings/chat-address.ts'
import { replyName } from './reply-names.ts'

type Written = { turn: number; finished: string[]; draft: string; text: string; cancel: () => void; shown: LivePreview[] | null }

/** Long replies that can be read in a chat while they are written. A short one is simply sent when it is finished. */
export type ReplyPreviews = {
  /** Ends the preview of a dialog's reply, and resolves when nothing of it is under way. */
  stop(dialog: string): Promise<void>
  close(): void
}

export function replyPreviews(parts: {
  hints: Hints
  clock: Clock
  delivery: Pick<DeliverySide, 'preview'>
  /** Where a reply of this dialog may be seen early; nowhere for most. */
  listPlaces: (dialog: string) => Promise<readonly ChatAddress[]>
}): ReplyPreviews {
  const { hints, clock, delivery, listPlaces } = parts
  const writing = new Map<string, Written>()

  const toWords = ({ finished, text }: Written): string => [...finished, text].filter((part) => part.trim() !== '').join('\n\n')

  async function begin(dialog: string, one: Written): Promise<void> {
    const places = await listPlaces(dialog)
    if (writing.get(dialog) !== one) return
    one.shown = places.map((place) =>
      delivery.preview({
        ...place,
        once: replyName(dialog, one.turn, place),
        reply: { dialog, turn: one.turn, isDraft: true },
      }),
    )
    for (const preview of one.shown) preview.show(toWords(one))
  }

  function hear(delta: Delta): void {
    const { stream: dialog, turn, kind, draft, from, text, end } = delta
    if (typeof turn !== 'number' || kind !== 'text') return
    let one = writing.get(dialog)
    if (one && one.turn !== turn) {
      void stop(dialog)
      one = undefined
    }
    if (!one) {
      if (text === '') return
      const written: Written = { turn, finished: [], draft, text: '', shown: null, cancel: () => {} }
      written.cancel = clock.after(deliveryLimits.previewEveryMs, () => void begin(dialog, written).catch(() => {}))
      writing.set(dialog, (one = written))
    }
    if (one.draft !== draft) {
      one.draft = draft
      one.text = ''
    }
    // A piece that does not fit what came before is from a try that was given up.
    one.text = one.text.slice(0, from) + text
    if (end === true) {
      if (one.text.trim() !== '') one.finished.push(one.text)
      one.text = ''
      return
    }
    for (const preview of one.shown ?? []) preview.show(toWords(one))
  }

  async function stop(dialog: string): Promise<void> {
    const one = writing.get(dialog)
    if (!one) return
    writing.delete(dialog)
    one.cancel()
    await Promise.all((one.shown ?? []).map((preview) => preview.stop()))
  }

  const stopHearing = hints.onDelta(hear)
  return {
    stop,
    close() {
      stopHearing()
      for (const dialog of writing.keys()) void stop(dialog)
    },
  }
}

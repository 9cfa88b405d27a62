import { useEffect, useState } from 'react'
import type { ControlsView, ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'

export type Control = ControlsView['rows'][number][number]

/** Result of the buttons: the tapped one if it counted, and the server's toast. */
export type Said = { chosen: Control | null; toast: string }

export type ReplyEnd = {
  /** Null until the server has said. */
  rows: Control[][] | null
  /** The tap on its way. */
  sending: Control | null
  said: Said | null
  error: ErrorWords | null
  tap(control: Control): Promise<void>
}

type Known = Pick<ReplyEnd, 'rows' | 'sending' | 'said' | 'error'> & { at: string; turn: number }

/**
 * The buttons that plugins put below the last reply. They are asked for once when the dialog comes to rest, and belong to
 * that rest: whatever happens next ends them. Null while there is nothing to put them under.
 */
export function useReplyEnd(dialog: string, rest: string | null): ReplyEnd | null {
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => {
    if (rest === null) return
    const abort = new AbortController()
    const settle = ({ turn, rows }: ControlsView): void => setKnown({ at: rest, turn, rows, sending: null, said: null, error: null })
    // Without a response the buttons are not shown: nothing depends on them.
    client.controls
      .of(dialog, { signal: abort.signal })
      .then(settle, () => (abort.signal.aborted ? undefined : settle({ turn: 0, rows: [] })))
    return () => abort.abort()
  }, [dialog, rest])

  if (rest === null) return null
  if (known?.at !== rest) return { rows: null, sending: null, said: null, error: null, tap: async () => {} }
  const change = (changes: Partial<Known>): void => setKnown((now) => (now?.at === rest ? { ...now, ...changes } : now))
  return {
    ...known,
    async tap(control) {
      if (known.sending || known.said) return
      change({ sending: control, error: null })
      try {
        const { toast, isTaken = false } = await client.controls.tap(dialog, { turn: known.turn, data: control.data })
        if (toast !== null) announce(toast)
        change({ sending: null, said: { chosen: isTaken ? control : null, toast: toast ?? '' } })
      } catch (failure) {
        const error = asWords(failure)
        change({ sending: null, error, ...(error.code === 'control_unknown' && { rows: [] }) })
      }
    },
  }
}

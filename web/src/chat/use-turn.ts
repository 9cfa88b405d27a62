import { useEffect, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { ErrorWords, StopView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { inbox, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { useTrees } from '../tree/tree-store.ts'

export type Turn = {
  /** The one thing its person may do about the turn now. */
  kind: 'works' | 'ended' | 'stopped-above' | 'emergency' | 'none'
  stop: StopView | null
  isStopping: boolean
  isContinuing: boolean
  error: ErrorWords | null
  ask(what: 'stop' | 'continue'): Promise<void>
}

/** Stop while the agent works or waits for teammates, continue after it was stopped or failed. */
export function useTurn(dialog: string, view: DialogView): Turn {
  const { byDialog } = useTrees()
  const isEmergency = (useRefreshing(inbox).value?.emergency ?? null) !== null
  const { status } = view
  // A stop further up is known from the tree where the dialog itself had nothing to hold back.
  const stop = view.stop ?? byDialog.get(dialog)?.stop ?? null
  const [asked, setAsked] = useState<'stop' | 'continue' | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  useEffect(() => {
    setAsked(null)
    setError(null)
  }, [status])

  const ask = async (what: 'stop' | 'continue'): Promise<void> => {
    if (asked) return
    setAsked(what)
    setError(null)
    try {
      await client.dialogs[what](dialog)
    } catch (failure) {
      const text = asWords(failure)
      setAsked(null)
      // It ended by itself, or another tab was first: the log says so already.
      if (text.code !== 'nothing_to_stop' && text.code !== 'nothing_to_continue') setError(text)
    }
  }
  const isWorking = status === 'working' || status === 'stopping' || status === 'delegated'
  const kind = ((): Turn['kind'] => {
    if (status === 'dead' || status === 'retired') return 'none'
    if (isEmergency && status !== 'stopping' && status !== 'failed' && view.draft === null) return 'emergency'
    if (stop !== null && stop.in !== null && stop.in !== dialog && status !== 'working' && status !== 'stopping') return 'stopped-above'
    if (isWorking) return 'works'
    return status === 'stopped' || status === 'failed' ? 'ended' : 'none'
  })()
  return { kind, stop, isStopping: status === 'stopping' || asked === 'stop', isContinuing: asked === 'continue', error, ask }
}

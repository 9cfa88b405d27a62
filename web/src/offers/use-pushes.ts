import { useEffect, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { DialogDetail } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useOfferWords } from './offer-words.ts'

type Pushes = NonNullable<DialogDetail['pushes']>

export type PushControl = { pushes: Pushes; error: string | null; change(what: 'on' | 'off' | 'refill'): Promise<void> }

/** The pushes of a root. The server knows how many its agent has; the log says when to ask again. Null for a dialog without. */
export function usePushes(dialog: string, { fold, origin, seq, status }: DialogView, isShown: boolean): PushControl | null {
  const words = useWords()
  const texts = useOfferWords()
  const [known, setKnown] = useState<DialogDetail | null>(null)
  const [error, setError] = useState<string | null>(null)
  const isWanted = isShown && origin === null
  // Several pushes and a refill may come in one frame and leave the count as it was.
  const restSeq = status === 'working' ? 0 : seq
  useEffect(() => {
    if (!isWanted) return
    const abort = new AbortController()
    // Without a response they are not shown: nothing depends on them.
    client.dialogs.get(dialog, { signal: abort.signal }).then(
      (detail) => (abort.signal.aborted ? undefined : setKnown((now) => newer(now, detail))),
      () => {},
    )
    return () => abort.abort()
  }, [dialog, isWanted, fold.pushes, fold.arePushesOff, restSeq])

  const pushes = known?.id === dialog ? known.pushes : undefined
  if (pushes === undefined) return null
  return {
    pushes,
    error,
    async change(what) {
      try {
        const detail = await client.dialogs.changePushes(dialog, what)
        setKnown((now) => newer(now, detail))
        setError(null)
        if (detail.pushes && what === 'refill') announce(texts.pushes(detail.pushes.left))
      } catch (failure) {
        setError(inWords(asWords(failure), words).message)
      }
    },
  }
}

/** Responses may overtake each other: a refill gives a push at once, and its reply asks again. */
const newer = (now: DialogDetail | null, next: DialogDetail): DialogDetail =>
  now !== null && now.id === next.id && now.head > next.head ? now : next

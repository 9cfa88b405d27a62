import { useState } from 'react'
import { inbox } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'

export type Deciding = {
  isSending: boolean
  done: string | null
  error: string | null
  decide(act: () => Promise<unknown>, done: string): Promise<void>
}

/** One decision about one row: sent once, said aloud, and shown where it was made. */
export function useDeciding(): Deciding {
  const words = useWords()
  const [now, setNow] = useState<Omit<Deciding, 'decide'>>({ isSending: false, done: null, error: null })
  return {
    ...now,
    async decide(act, done) {
      if (now.isSending || now.done !== null) return
      setNow({ isSending: true, done: null, error: null })
      try {
        await act()
        setNow({ isSending: false, done, error: null })
        announce(done)
        inbox.refresh()
      } catch (failure) {
        const { message, hint } = inWords(asWords(failure), words)
        setNow({ isSending: false, done: null, error: `${message} ${hint}`.trim() })
      }
    },
  }
}

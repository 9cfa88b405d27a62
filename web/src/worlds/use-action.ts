import { useState } from 'react'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'

export type Action = {
  isSending: boolean
  error: string | null
  /** True once it is done. A second call while one runs does nothing. */
  run(act: () => Promise<unknown>, done: string): Promise<boolean>
}

/** Sends one change at a time, announces the result and shows the error beside the button. `onDone` reads what is shown again. */
export function useAction(onDone: () => void): Action {
  const words = useWords()
  const [now, setNow] = useState<{ isSending: boolean; error: string | null }>({ isSending: false, error: null })
  return {
    ...now,
    async run(act, done) {
      if (now.isSending) return false
      setNow({ isSending: true, error: null })
      try {
        await act()
        setNow({ isSending: false, error: null })
        announce(done)
        onDone()
        return true
      } catch (failure) {
        const { message, hint } = inWords(asWords(failure), words)
        setNow({ isSending: false, error: `${message} ${hint}`.trim() })
        return false
      }
    },
  }
}

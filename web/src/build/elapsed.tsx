import { type ReactNode, useContext, useEffect, useState } from 'react'
import { secondsText } from '../chat/seconds-text.ts'
import { LanguageContext } from '../words/use-words.ts'

/** Time since a step began; it moves once a second, so that a long step is seen to go on. */
export function Elapsed({ since }: { since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <Took ms={now - since} />
}

export function Took({ ms }: { ms: number }): ReactNode {
  return <time data-part="elapsed">{secondsText(Math.floor(Math.max(0, ms) / 1_000) * 1_000, useContext(LanguageContext))}</time>
}

import { type ReactNode, useEffect, useState } from 'react'

/** Time since a step began, as 0:42; it moves once a second, so that a long step is seen to go on. */
export function Elapsed({ since }: { since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const minutes = Math.floor(seconds / 60)
  return <time data-part="elapsed">{`${minutes}:${String(seconds % 60).padStart(2, '0')}`}</time>
}

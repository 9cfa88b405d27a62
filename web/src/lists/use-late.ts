import { useEffect, useState } from 'react'

/** True once something has gone on for a while: what is quick shows no waiting at all. */
export function useLate(goesOn: boolean, afterMs: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!goesOn) return
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [goesOn, afterMs])
  return goesOn && isLate
}

/** A bounded number at a time; the others wait in the order they came. */
export type Places = {
  /** Waits for a place. What is returned gives it back. Throws what aborted the wait. */
  take(signal: AbortSignal): Promise<() => void>
}

export function places(most: number): Places {
  const waiting: (() => void)[] = []
  let free = most
  const giveBack = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else {
        await new Promise<void>((resolve, reject) => {
          const mine = (): void => {
            signal.removeEventListener('abort', leave)
            resolve()
          }
          const leave = (): void => {
            waiting.splice(waiting.indexOf(mine), 1)
            reject(signal.reason as Error)
          }
          signal.addEventListener('abort', leave, { once: true })
          waiting.push(mine)
        })
      }
      let isMine = true
      return () => {
        if (isMine) giveBack()
        isMine = false
      }
    },
  }
}

export const turnLimits = {
  pagesPerLoopTurn: 4,
  /** Events that are there already are handed out no faster than this to all readers together; what just happened is not counted. */
  pageBytesPerSecond: 8_000_000,
  pageBytesAtOnce: 2_000_000,
  /** Smaller pieces are events as they happen. */
  uncountedBytes: 16_000,
} as const

/**
 * Reading and writing a page of events takes about a millisecond, and a reader whose connection takes everything would ask for
 * one page after the other without ever leaving the event loop free. So each page waits for its turn: a few for each turn of
 * the event loop, one token after the other however many connections each has, and no more bytes in a second than the garbage
 * collector can follow without letting the heap grow.
 */
export type Turns = {
  /** Resolves when it is this caller's turn. */
  wait(caller: string): Promise<void>
  /** Called with the size of each page that was written. */
  written(bytes: number): void
}

export function turns(): Turns {
  /** Callers in the order they are served; a caller moves to the end when it was. */
  const waiting = new Map<string, (() => void)[]>()
  let scheduled = 0
  let bytesLeft: number = turnLimits.pageBytesAtOnce
  let bytesAt = performance.now()
  let pause: ReturnType<typeof setTimeout> | undefined

  function grant(): void {
    scheduled -= 1
    const [next] = waiting
    if (!next || bytesLeft < 0) return schedule()
    const [caller, queue] = next
    const resolve = queue.shift()
    waiting.delete(caller)
    if (queue.length > 0) waiting.set(caller, queue)
    resolve?.()
    schedule()
  }

  /** Node runs the immediates that were there when it began, with all promises in between, and then looks for input. */
  function schedule(): void {
    if (waiting.size === 0 || pause !== undefined) return
    if (bytesLeft < 0) refill()
    if (bytesLeft < 0) {
      pause = setTimeout(
        () => {
          pause = undefined
          schedule()
        },
        Math.ceil((-bytesLeft / turnLimits.pageBytesPerSecond) * 1000),
      )
      return
    }
    while (waiting.size > 0 && scheduled < turnLimits.pagesPerLoopTurn) {
      scheduled += 1
      setImmediate(grant)
    }
  }

  function refill(): void {
    const now = performance.now()
    bytesLeft = Math.min(turnLimits.pageBytesAtOnce, bytesLeft + ((now - bytesAt) / 1000) * turnLimits.pageBytesPerSecond)
    bytesAt = now
  }

  return {
    wait: (caller) =>
      new Promise((resolve) => {
        const queue = waiting.get(caller)
        if (queue) queue.push(resolve)
        else waiting.set(caller, [resolve])
        schedule()
      }),
    written(bytes) {
      if (bytes < turnLimits.uncountedBytes) return
      refill()
      bytesLeft -= bytes
    },
  }
}

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
 * collector can follow without letting the heap grow. Every second turn belongs to callers with `admin` when one of them waits.
 */
export type Turns = {
  /** Resolves when it is this caller's turn. */
  wait(caller: string, isOwner: boolean): Promise<void>
  /** True when no caller waits and more may be written at once. */
  readonly isFree: boolean
  /** Called with the size of each page that was written. */
  written(bytes: number): void
}

/** Callers in the order they are served, each with those that wait; a caller moves to the end when it was served. */
type Line = Map<string, (() => void)[]>

export function turns(): Turns {
  const owners: Line = new Map()
  const others: Line = new Map()
  let wasOwner = false
  let scheduled = 0
  let bytesLeft: number = turnLimits.pageBytesAtOnce
  let bytesAt = performance.now()
  let pause: ReturnType<typeof setTimeout> | undefined

  const isEmpty = (): boolean => owners.size === 0 && others.size === 0

  function grant(): void {
    scheduled -= 1
    if (isEmpty() || bytesLeft < 0) return schedule()
    wasOwner = owners.size > 0 && (!wasOwner || others.size === 0)
    takeFirst(wasOwner ? owners : others)
    schedule()
  }

  /** Node runs the immediates that were there when it began, with all promises in between, and then looks for input. */
  function schedule(): void {
    if (isEmpty() || pause !== undefined) return
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
    while (!isEmpty() && scheduled < turnLimits.pagesPerLoopTurn) {
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
    wait: (caller, isOwner) =>
      new Promise((resolve) => {
        const line = isOwner ? owners : others
        const queue = line.get(caller)
        if (queue) queue.push(resolve)
        else line.set(caller, [resolve])
        schedule()
      }),
    get isFree() {
      if (bytesLeft < 0) refill()
      return isEmpty() && bytesLeft >= 0
    },
    written(bytes) {
      if (bytes < turnLimits.uncountedBytes) return
      refill()
      bytesLeft -= bytes
    },
  }
}

function takeFirst(line: Line): void {
  const [next] = line
  if (!next) return
  const [caller, queue] = next
  const resolve = queue.shift()
  line.delete(caller)
  if (queue.length > 0) line.set(caller, queue)
  resolve?.()
}

import type { Clock } from '../ports/clock.ts'

/**
 * Bounds the wait for work that ignores its abort signal. JavaScript cannot end such work, so its caller goes on without
 * it and ignores whatever it produces later.
 */
export type AbandonOptions = {
  signal: AbortSignal
  clock: Clock
  /** Grace period after the signal aborts; read at that moment. */
  afterMs(): number
  onAbandoned(): void
  /** Called at most once, when abandoned work produces something after all. */
  onLate(): void
}

export const abandonLimits = { afterMs: 10_000 } as const

export class AbandonedError extends Error {
  constructor() {
    super('It ignored its abort signal and was abandoned.')
    this.name = 'AbandonedError'
  }
}

/** The outcome of `work`, or an AbandonedError once it has ignored the abort for `afterMs`. */
export async function orAbandon<Result>(work: Promise<Result>, options: AbandonOptions): Promise<Result> {
  const deadline = abandonDeadline(options)
  try {
    return await deadline.wait(work)
  } finally {
    deadline.end()
  }
}

/**
 * The values of `source`, until it ends or is abandoned. A consumer that leaves early waits for the clean-up of the
 * source no longer than `afterMs`.
 */
export async function* untilAbandoned<Value>(source: AsyncIterable<Value>, options: AbandonOptions): AsyncGenerator<Value, void> {
  const iterator = source[Symbol.asyncIterator]()
  const deadline = abandonDeadline(options)
  let isOpen = true
  try {
    for (;;) {
      let next: IteratorResult<Value, unknown>
      try {
        next = await deadline.wait(iterator.next())
      } catch (error) {
        isOpen = error instanceof AbandonedError
        throw error
      }
      if (next.done === true) {
        isOpen = false
        return
      }
      yield next.value
    }
  } finally {
    if (isOpen) {
      deadline.begin()
      const cleanUp = Promise.resolve(iterator.return?.())
      // Abandoned work may clean up in its own time; what that throws concerns no caller any more.
      if (deadline.isOver) cleanUp.catch(() => {})
      else await deadline.wait(cleanUp).catch(ignoreAbandoned)
    }
    deadline.end()
  }
}

function ignoreAbandoned(error: unknown): void {
  if (!(error instanceof AbandonedError)) throw error
}

type Deadline = {
  readonly isOver: boolean
  /** Starts the clock although the signal has not aborted. */
  begin(): void
  wait<Result>(work: Promise<Result>): Promise<Result>
  end(): void
}

/** One timer and one listener for any number of waits: a generation waits once for each piece of its output. */
function abandonDeadline({ signal, clock, afterMs, onAbandoned, onLate }: AbandonOptions): Deadline {
  let isOver = false
  let isLateReported = false
  let giveUp: (() => void) | null = null
  let cancelTimer: (() => void) | null = null

  const begin = (): void => {
    cancelTimer ??= clock.after(afterMs(), () => {
      isOver = true
      giveUp?.()
    })
  }
  const reportLate = (): void => {
    if (isLateReported) return
    isLateReported = true
    onLate()
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })

  return {
    get isOver() {
      return isOver
    },
    begin,
    wait: (work) =>
      new Promise((resolve, reject) => {
        let isAbandoned = false
        giveUp = () => {
          isAbandoned = true
          onAbandoned()
          reject(new AbandonedError())
        }
        work.then(
          (result) => {
            if (isAbandoned) return reportLate()
            giveUp = null
            resolve(result)
          },
          (error: unknown) => {
            if (isAbandoned) return reportLate()
            giveUp = null
            reject(error)
          },
        )
        if (isOver) giveUp()
      }),
    end() {
      cancelTimer?.()
      signal.removeEventListener('abort', begin)
      giveUp = null
    },
  }
}

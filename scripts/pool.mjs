// Work that waits and work that computes, as much of it at a time as leaves the processors little idle time.
import { availableParallelism, cpus } from 'node:os'

/** A share of idle time from which one more fits. */
const enoughIdle = 0.1

/**
 * `run(work)` begins the work when there is room, in the order of the calls, and resolves to its result. `least` run at any
 * time, and one more begins after each look that found the processors idle, up to `most`. `rest()` resolves when all of it
 * has ended.
 */
export function makePool({
  least = availableParallelism() + 1,
  most = 3 * availableParallelism(),
  lookEveryMs = 2000,
  times = processorTimes,
} = {}) {
  const waiting = []
  const resting = []
  let running = 0
  let lastTimes = times()
  let timer

  function begin() {
    const { work, resolve, reject } = waiting.shift()
    running += 1
    work()
      .finally(() => {
        running -= 1
        fill()
      })
      .then(resolve, reject)
  }

  function fill() {
    while (waiting.length > 0 && running < least) begin()
    if (running === 0) for (const resolve of resting.splice(0)) resolve()
    if (waiting.length > 0) timer ??= setInterval(look, lookEveryMs)
    else timer = clearInterval(timer)
  }

  function look() {
    const now = times()
    const idle = (now.idle - lastTimes.idle) / (now.all - lastTimes.all)
    lastTimes = now
    if (waiting.length > 0 && running < most && idle >= enoughIdle) begin()
    fill()
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject })
        fill()
      }),
    rest: () =>
      new Promise((resolve) => {
        resting.push(resolve)
        fill()
      }),
  }
}

function processorTimes() {
  const total = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    total.idle += times.idle
    total.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return total
}

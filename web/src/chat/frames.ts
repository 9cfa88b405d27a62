/** Gathers what comes in and hands it on once per drawn frame; a hidden tab draws none and is served by a timer. */
export function perFrame<Item>(take: (items: Item[]) => void): { add(item: Item): void; stop(): void } {
  let waiting: Item[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    timer = undefined
    const items = waiting
    waiting = []
    if (items.length > 0) take(items)
  }

  return {
    add(item) {
      waiting.push(item)
      if (timer !== undefined) return
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, 250)
    },
    stop() {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      waiting = []
    },
  }
}

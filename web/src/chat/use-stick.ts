import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Nearer to the end than this counts as being there. */
const nearPx = 48

export type Stick = {
  isAtEnd: boolean
  toEnd(): void
  /** Shows a long part from its beginning to a reader who follows. */
  toStart(part: HTMLElement): void
  keepPlace(): void
}

/**
 * Follows the newest text only at the end of the log; a reader further up is not moved.
 * `keepPlace` holds what is on screen still while rows are put above it.
 */
export function useStick(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, isReady: boolean): Stick {
  const [isAtEnd, setAtEnd] = useState(true)
  const follows = useRef(true)
  const anchor = useRef<number | null>(null)
  const lastTop = useRef(0)

  const toEnd = useCallback(() => {
    const box = scroller.current
    if (!box) return
    follows.current = true
    setAtEnd(true)
    box.scrollTop = box.scrollHeight
    lastTop.current = box.scrollTop
  }, [scroller])

  const toStart = useCallback(
    (part: HTMLElement) => {
      const box = scroller.current
      if (!box || !follows.current || part.offsetHeight <= box.clientHeight) return
      follows.current = false
      setAtEnd(false)
      box.scrollTop += part.getBoundingClientRect().top - box.getBoundingClientRect().top
      lastTop.current = box.scrollTop
    },
    [scroller],
  )

  const keepPlace = useCallback(() => {
    const box = scroller.current
    if (box) anchor.current = box.scrollHeight - box.scrollTop
  }, [scroller])

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || anchor.current === null) return
    box.scrollTop = box.scrollHeight - anchor.current
    anchor.current = null
  })

  useEffect(() => {
    const box = scroller.current
    const inside = content.current
    if (!box || !inside) return
    const onScroll = (): void => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx
      // The event comes a frame late: text that grew meanwhile, or a card that took room, is no reader who scrolled up.
      follows.current = isNear || (follows.current && box.scrollTop >= lastTop.current)
      lastTop.current = box.scrollTop
      setAtEnd(follows.current)
    }
    const resized = new ResizeObserver(() => {
      if (!follows.current) return onScroll()
      box.scrollTop = box.scrollHeight
      lastTop.current = box.scrollTop
    })
    // A part that a reader opens grows downwards from where it is.
    const onOpen = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest('summary')) follows.current = false
    }
    resized.observe(inside)
    resized.observe(box)
    box.addEventListener('scroll', onScroll, { passive: true })
    box.addEventListener('click', onOpen, true)
    return () => {
      resized.disconnect()
      box.removeEventListener('scroll', onScroll)
      box.removeEventListener('click', onOpen, true)
    }
  }, [scroller, content])

  useLayoutEffect(() => {
    if (isReady) toEnd()
  }, [isReady, toEnd])

  return { isAtEnd, toEnd, toStart, keepPlace }
}

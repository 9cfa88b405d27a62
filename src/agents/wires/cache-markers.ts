import { isRecord } from '../../shapes/record.ts'

/**
 * Anthropic's messages with a marker on the last block of the previous request and on the last block: the server looks back only
 * 20 blocks for what it has cached, so the older marker finds it and the newer one is found next time.
 */
export function markForCache(elements: readonly object[], cachedElements: number, marker: object): object[] {
  const marked = [...elements]
  const places = new Set([findUser(elements, cachedElements - 1), findUser(elements, elements.length - 1)])
  for (const at of places) if (at >= 0) marked[at] = withMarker(marked[at] as object, marker)
  return marked
}

/** Messages of the system and thinking blocks take no marker. */
function findUser(elements: readonly object[], from: number): number {
  for (let at = Math.min(from, elements.length - 1); at >= 0; at -= 1) if ((elements[at] as { role?: unknown }).role === 'user') return at
  return -1
}

function withMarker(element: object, marker: object): object {
  const { content } = element as { content?: unknown }
  if (!Array.isArray(content)) return element
  const blocks = content as unknown[]
  const last = blocks.at(-1)
  return isRecord(last) ? { ...element, content: [...blocks.slice(0, -1), { ...last, ...marker }] } : element
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { ClientError } from '../../../src/client/index.ts'
import type { SearchHit, SearchPage } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'

const typingMs = 200
const hitsPerPage = 20

export type Search = {
  state: 'idle' | 'searching' | 'done' | 'failed'
  hits: readonly SearchHit[]
  indexing: SearchPage['indexing']
  /** Where the next page begins; null at the end. */
  next: string | null
}

const idle: Search = { state: 'idle', hits: [], indexing: null, next: null }

/** Two letters or digits, or one character of another script, are enough to search for. */
export const isSearchable = (text: string): boolean => /[^\0-\x7f]|[A-Za-z0-9]{2}/.test(text)

/** Messages with these words. The earlier result stays until the next one is there. */
export function useSearch(text: string): { search: Search; loadMore(): void } {
  const [search, setSearch] = useState<Search>(idle)
  const abort = useRef<AbortController | null>(null)
  const load = useCallback(async (words: string, after?: string): Promise<void> => {
    abort.current?.abort()
    const { signal } = (abort.current = new AbortController())
    setSearch((before) => ({ ...before, state: 'searching' }))
    try {
      const { items, next, indexing } = await client.search(words, { limit: hitsPerPage, after, signal })
      if (signal.aborted) return
      // Chats are found by their titles in a group of their own.
      const said = items.filter(({ kind }) => kind !== 'title')
      setSearch((before) => ({ state: 'done', hits: after === undefined ? said : [...before.hits, ...said], indexing, next }))
    } catch (error) {
      if (signal.aborted) return
      // Punctuation alone, or too many words: nothing has them.
      const isRefused = error instanceof ClientError && error.status === 400
      setSearch({ ...idle, state: isRefused ? 'done' : 'failed' })
    }
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => (isSearchable(text) ? void load(text) : setSearch(idle)), isSearchable(text) ? typingMs : 0)
    return () => {
      clearTimeout(timer)
      abort.current?.abort()
    }
  }, [text, load])
  const { next } = search
  const loadMore = useCallback(() => void (next !== null && load(text, next)), [load, text, next])
  return { search, loadMore }
}

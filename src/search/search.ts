import { rootView, sideView } from '../dialogs/rows/dialog-rows.ts'
import { ParleyError } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { type Cursor, pageLimits, readCursor, writeCursor } from '../shapes/paging.ts'
import type { Parley, SearchReach } from '../shapes/parley.ts'
import type { DialogSummary, EventView, SearchHit } from '../shapes/wire.ts'
import { findExcerpt } from './excerpt.ts'
import { foldText } from './fold-text.ts'
import { listSaid } from './said.ts'
import { searchLimits } from './search-limits.ts'
import type { WordIndexer } from './word-index.ts'
import { listRuns, type Run, wordsOfRun } from './words.ts'

/** The key of a cursor says what the list is of. */
const cursorKey = 'said'

/** The words of a search. */
function readSearch(search: string): Run[] {
  const refuse = (why: string): never => {
    throw new ParleyError('bad_request', { field: 'q', why })
  }
  if (search.length > searchLimits.chars) refuse(`it is longer than ${searchLimits.chars} characters`)
  const runs = listRuns(foldText(search))
  if (runs.length === 0) refuse('it has no letters or digits')
  if (runs.length > searchLimits.words) refuse(`it has more than ${searchLimits.words} words`)
  if (runs.every(({ text, isJoined }) => !isJoined && text.length < 2)) refuse('one letter is too little to search for')
  return runs
}

/**
 * Searches what was said. The index proposes events; the events themselves decide, as this reader may see them: so an excerpt
 * never has words that are hidden from the reader, and all stores find the same.
 */
export function searching({ store, indexer }: { store: Store; indexer: Pick<WordIndexer, 'catchUp'> }): Parley['search'] {
  async function toHits(events: readonly EventView[], wanted: readonly Run[]): Promise<SearchHit[]> {
    const hits: SearchHit[] = []
    for (const event of events) {
      for (const { kind, item, by, text, at } of listSaid(event)) {
        const excerpt = findExcerpt(text, wanted)
        if (!excerpt) continue
        const { title, agent, root } = await findDialog(event.stream)
        hits.push({
          dialog: event.stream,
          root,
          title,
          agent,
          kind,
          item,
          seq: event.seq,
          at,
          by: by ?? { kind: 'agent', name: agent },
          excerpt,
        })
        // Further messages of a branch with the same words are found in the chat they come from.
        break
      }
    }
    return hits
  }

  async function findDialog(dialog: string): Promise<{ root: string; title: string; agent: string }> {
    const row = (await store.row(sideView, dialog)) ?? (await store.row(rootView(dialog), dialog))
    const { title = '', agent = '', origin = null } = (row?.body ?? {}) as Partial<DialogSummary>
    return { root: origin?.root ?? dialog, title, agent }
  }

  return async ({ q, limit = searchLimits.hits, after }, reach: SearchReach = { groups: null, show: async (events) => events }) => {
    const wanted = readSearch(q)
    const most = Math.min(limit, pageLimits.most)
    const words = wanted.flatMap(wordsOfRun)
    const cursor: Cursor | undefined = readCursor(after)
    const indexing = await indexer.catchUp()
    const items: SearchHit[] = []
    let before = cursor?.sort
    for (let looked = 0; looked < searchLimits.looked;) {
      const events = await store.findWords({ words, groups: reach.groups ?? undefined, before, limit: searchLimits.page })
      const last = events.at(-1)
      for (const event of await reach.show(events)) {
        items.push(...(await toHits([event], wanted)))
        if (items.length < most) continue
        return { items, next: writeCursor({ sort: event.position, key: cursorKey }), indexing }
      }
      if (!last || events.length < searchLimits.page) return { items, next: null, indexing }
      before = last.position
      looked += events.length
    }
    return { items, next: before === undefined ? null : writeCursor({ sort: before, key: cursorKey }), indexing }
  }
}

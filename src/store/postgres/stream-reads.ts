import type { Snapshot, StoredEvent, StreamId } from '../../ports/store.ts'
import { upcast } from '../upcasts.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { sharedQuery } from './shared-query.ts'

/** Streams in one query. Pages of full length come one for each stream, so this bounds the memory of an answer. */
export const readsPerQuery = 32

export type EventRow = { position: string; stream: string; seq: string; at: number; type: string; data: string }

export const toEvent = ({ position, stream, seq, at, type, data }: EventRow): StoredEvent =>
  upcast({ stream, seq: Number(seq), position: Number(position), type, at, data: JSON.parse(data) as object })

type Page = { stream: StreamId; after: number; limit: number }

/**
 * Before a turn, a generation and a tool, the driver reads the latest state of its dialog and of the emergency stop. Nearly
 * every such read finds nothing new and costs a round trip; those of all dialogs of a turn of the event loop share one.
 */
export function streamReads(
  connection: PostgresConnection,
  schema: string,
): { read(page: Page): Promise<StoredEvent[]>; snapshot(stream: StreamId): Promise<Snapshot | null> } {
  const read = sharedQuery<Page, StoredEvent[]>(readsPerQuery, async (pages) => {
    const rows = await connection.query<EventRow & { page: string }>(
      `SELECT asked.page, event.position, event.stream, event.seq, event.at, event.type, event.data
       FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS asked (stream, after, most, page), LATERAL (
         SELECT * FROM ${schema}.event WHERE stream = asked.stream AND seq > asked.after ORDER BY seq LIMIT asked.most
       ) AS event ORDER BY asked.page, event.seq`,
      [pages.map(({ stream }) => stream), pages.map(({ after }) => after), pages.map(({ limit }) => limit)],
    )
    const found = pages.map((): StoredEvent[] => [])
    for (const row of rows) found[Number(row.page) - 1]?.push(toEvent(row))
    return found
  })
  const snapshot = sharedQuery<StreamId, Snapshot | null>(readsPerQuery, async (streams) => {
    const rows = await connection.query<{ stream: string; seq: string; version: string; state: string }>(
      `SELECT stream, seq, version, state FROM ${schema}.snapshot WHERE stream = ANY ($1)`,
      [[...new Set(streams)]],
    )
    const found = new Map(rows.map((row) => [row.stream, row]))
    return streams.map((stream) => {
      const row = found.get(stream)
      return row ? { stream, seq: Number(row.seq), version: Number(row.version), state: JSON.parse(row.state) as unknown } : null
    })
  })
  return { read, snapshot }
}

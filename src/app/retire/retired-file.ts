import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { ParleyError } from '../../errors.ts'
import type { StoredEvent } from '../../ports/store.ts'

/** The events of a tree of dialogs, oldest first within each. */
export type RetiredTree = { root: string; events: readonly StoredEvent[] }

const format = 'parley-retired-dialog'

const header = z.strictObject({ format: z.literal(format), version: z.literal(1), root: z.string(), events: z.int(), sha256: z.string() })
const line = z.strictObject({
  position: z.int(),
  stream: z.string(),
  seq: z.int().min(1),
  at: z.number(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
})

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Gzip of a header line and one line of JSON for each event. The name has a part of the hash, so that a file is never replaced
 * by one with other events.
 */
export function packTree({ root, events }: RetiredTree): { name: string; bytes: Uint8Array } {
  const body = events
    .map(({ position, stream, seq, at, type, data }) => `${JSON.stringify({ position, stream, seq, at, type, data })}\n`)
    .join('')
  const sha256 = hash(body)
  const head = { format, version: 1, root, events: events.length, sha256 } satisfies z.output<typeof header>
  return { name: `${root}-${sha256.slice(0, 12)}`, bytes: gzipSync(`${JSON.stringify(head)}\n${body}`) }
}

/** Every line of a file is checked: what comes back goes into the store as it is. */
export function unpackTree(file: string, bytes: Uint8Array | null): RetiredTree {
  const damaged = (why: string): ParleyError => new ParleyError('retired_damaged', { file, why })
  if (bytes === null) throw damaged('it does not exist')
  let text: string
  try {
    text = gunzipSync(bytes).toString('utf8')
  } catch {
    throw damaged('it is no complete gzip file')
  }
  const end = text.indexOf('\n') + 1
  const head = header.safeParse(parse(text.slice(0, end)))
  if (!head.success) throw damaged('its first line is none that Parley has written')
  const body = text.slice(end)
  if (hash(body) !== head.data.sha256) throw damaged('its events differ from their checksum')
  const events = body
    .split('\n')
    .slice(0, -1)
    .map((each) => line.safeParse(parse(each)).data)
  if (events.length !== head.data.events || !events.every((event) => event !== undefined)) throw damaged('a line is no event')
  return { root: head.data.root, events }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

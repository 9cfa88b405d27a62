import type { StoredEvent } from '../ports/store.ts'

type Data = Record<string, unknown>

/** Turns the data of one version of an event into that of the next. */
type Upcast = (data: Data, event: StoredEvent) => Data

/**
 * Events whose shape has changed, by type. The step at index 0 turns version 1 into version 2, and so on. The version of an
 * event is `v` in its data, 1 where it is missing. A step that only fills in a field needs no `v`: it keeps a field that is there.
 * Every reader of a store gets the latest version, so rules and pages know no other.
 */
const upcasts: Readonly<Record<string, readonly Upcast[]>> = {
  // 0.1 knew no audiences: its questions are for the owner.
  'question.asked': [(data) => ({ audience: { kind: 'owner' }, ...data })],
  // Until 0.2 the runtime wrote its own reason as a text, where a person's text could be the same.
  'question.cancelled': [(data) => ('why' in data ? data : { ...data, ...readCancelCause(data) })],
  // A turn of 0.1 counts as having seen everything before its end.
  'turn.failed': [(data, { seq }) => ({ seen: seq, ...data })],
  'turn.stopped': [(data, { seq }) => ({ seen: seq, ...data })],
}

export function upcast(event: StoredEvent, table: Readonly<Record<string, readonly Upcast[]>> = upcasts): StoredEvent {
  const steps = table[event.type]
  if (!steps) return event
  const data = event.data as Data
  const version = typeof data['v'] === 'number' ? data['v'] : 1
  return { ...event, data: steps.slice(version - 1).reduce((before, step) => step(before, event), data) }
}

const cancelCauses: Readonly<Record<string, string>> = {
  covered: 'covered',
  'mind cleared': 'mind-cleared',
  stopped: 'stopped',
  'dialog declared dead': 'dead',
}

/** Only the runtime or an agent cancelled as covered; of the other texts it is unknown who chose them, and they decide nothing. */
function readCancelCause({ reason, by }: Data): Data {
  const why = typeof reason === 'string' ? cancelCauses[reason] : undefined
  const isAgent = (by as { kind?: string } | undefined)?.kind === 'agent'
  return why === undefined || (why === 'covered' && !isAgent) ? { why: null } : { why, reason: null }
}

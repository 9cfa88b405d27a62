import type { BuildEvent } from './build-events.ts'
import { type Fault, fault, ruleIds } from './fault.ts'
import { readBuildEvent } from './read-build-event.ts'

/** One line of a log, as far as a check has a use for it. */
export type LogLine = { seq: number | null; at: number | null } & (
  | { kind: 'blank' }
  | { kind: 'event'; event: BuildEvent }
  | { kind: 'opened'; prompt: string }
  | { kind: 'answers'; question: string | null; answers: Record<string, string> }
  | { kind: 'message'; message: string }
  | { kind: 'fault'; fault: Fault }
)

type Loose = Record<string, unknown>

/** Reads `{type, payload}`, `{type, data}` as it is stored, a saved event stream (`data: …`), and messages to the agent. */
export function readLogLine(line: string): LogLine {
  const none = { seq: null, at: null }
  const text = line.trim().replace(/^data: ?/, '')
  if (text === '' || /^(?:id|event|retry)?:/.test(line.trim())) return { kind: 'blank', ...none }
  const input = parsed(text)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { kind: 'fault', ...none, ...fault('T8', 'This line is not one JSON object.') }
  const loose = input as Loose
  const place = { seq: typeof loose.seq === 'number' ? loose.seq : null, at: measureTime(loose.at) }
  const data = loose.payload ?? loose.data
  if (typeof loose.message === 'string' && loose.type === undefined) return { kind: 'message', message: loose.message, ...place }
  if (typeof loose.type === 'string' && loose.type.startsWith('build.')) return { ...internal(loose.type, data), ...place }
  const read = readBuildEvent({ type: loose.type, payload: data })
  if ('event' in read) {
    // The mark of a reassurance is the backend's; an agent cannot set it.
    const event = withKind(read.event, data)
    return { kind: 'event', event, ...place }
  }
  if (loose.type === 'session.started') return { kind: 'event', event: bareStart, ...place }
  return { kind: 'fault', fault: read.fault, ...place }
}

/** The protocol names no payload for it, so any is accepted in a foreign log. */
const bareStart: BuildEvent = { type: 'session.started', payload: { build_id: '', session_id: '', source: 'backend' } }

function withKind(event: BuildEvent, data: unknown): BuildEvent {
  const isMarked = (data as Loose).kind === 'reassurance'
  if (event.type !== 'assistant.message.created' || !isMarked) return event
  return { ...event, payload: { ...event.payload, kind: 'reassurance' } }
}

type Internal =
  | { kind: 'blank' }
  | { kind: 'opened'; prompt: string }
  | { kind: 'answers'; question: string | null; answers: Record<string, string> }
  | { kind: 'fault'; fault: Fault }

function internal(type: string, data: unknown): Internal {
  const loose = (typeof data === 'object' && data !== null ? data : {}) as Loose
  if (type === 'build.opened' && typeof loose.prompt === 'string') return { kind: 'opened', prompt: loose.prompt }
  if (type === 'build.faulted') {
    const rule = ruleIds.find((id) => id === loose.rule)
    return rule ? { kind: 'fault', ...fault(rule, typeof loose.words === 'string' ? loose.words : '') } : { kind: 'blank' }
  }
  if (type !== 'build.answered' || typeof loose.answers !== 'object' || loose.answers === null) return { kind: 'blank' }
  const answers = Object.fromEntries(Object.entries(loose.answers).map(([id, value]) => [id, String(value)]))
  return { kind: 'answers', question: typeof loose.question === 'string' ? loose.question : null, answers }
}

function measureTime(at: unknown): number | null {
  if (typeof at === 'number' && Number.isFinite(at)) return at
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return Number.isNaN(time) ? null : time
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

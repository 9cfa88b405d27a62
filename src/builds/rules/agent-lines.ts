import { type AgentItem, isPublicType } from './build-events.ts'
import { buildLimits } from './build-limits.ts'
import { cleanText } from './clean-text.ts'
import { type Fault, fault } from './fault.ts'
import { jsonValues } from './json-values.ts'
import { isRecord } from '../../shapes/record.ts'
import { readBuildEvent } from './read-build-event.ts'

/** A note is what is no event and claims to be none, such as a line a program prints for itself. It is for the operator. */
export type LineItem = AgentItem | { note: string }

export type AgentLines = {
  /** Lines that are complete after these bytes. */
  push(chunk: Uint8Array): LineItem[]
  /** The rest when the agent has ended: the last line needs no line break. */
  end(): LineItem[]
}

const keptNotes = 50

/**
 * The output of an agent program, as events and faults: one JSON event on a line. Never holds more than one line of
 * bounded length, whatever is written.
 */
export function agentLines(): AgentLines {
  const decoder = new TextDecoder()
  let begun = ''
  let isSkipping = false
  let notes = 0

  function take(text: string): LineItem[] {
    const items: LineItem[] = []
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      items.push(...lineEnd(text.slice(from, end)))
      from = end + 1
    }
    if (!isSkipping) {
      begun += text.slice(from)
      if (begun.length > buildLimits.lineBytes) {
        begun = ''
        isSkipping = true
        items.push(tooLong())
      }
    }
    return items.filter(isKept)
  }

  function lineEnd(rest: string): LineItem[] {
    const line = begun + rest
    begun = ''
    if (isSkipping) {
      isSkipping = false
      return []
    }
    return line.length > buildLimits.lineBytes ? [tooLong()] : readLine(line)
  }

  /** A program that chatters does not fill the log. */
  function isKept(item: LineItem): boolean {
    if ('note' in item) notes += 1
    return !('note' in item) || notes <= keptNotes
  }

  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      const last = take(decoder.decode())
      return [...last, ...lineEnd('').filter(isKept)]
    },
  }
}

const tooLong = (): { fault: Fault } =>
  fault('T8', `A line has more than ${buildLimits.lineBytes} bytes. Send one short event on each line.`)

/** One line: no event, one, or several. */
export function readLine(raw: string): LineItem[] {
  const line = cleanText(raw).trim()
  if (line === '') return []
  // Also a list: some programs send several events at once that way. `[FROM:TIDY]` is none.
  if (!line.startsWith('{') && !/^\[\s*[{\]]/.test(line)) return [{ note: line.slice(0, 200) }]
  const { values, rest } = jsonValues(line)
  const items = values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .map((value): LineItem => (isLogLine(value) ? { note: line.slice(0, 200) } : readBuildEvent(value)))
  if (rest === '') return items
  return [...items, /^[{[]/.test(rest) ? half(rest) : { note: rest.slice(0, 200) }]
}

/** Output of loggers: an object that names no event of the protocol and has no payload. */
function isLogLine(value: unknown): boolean {
  if (!isRecord(value) || value.payload !== undefined) return false
  return typeof value.type !== 'string' || (!isPublicType(value.type) && value.type !== 'phase.changed')
}

const half = (rest: string): { fault: Fault } =>
  fault(
    'T8',
    `This is not a whole JSON object: ${rest.slice(0, 60)}${rest.length > 60 ? '…' : ''} Write each event on one line of its own, strings escaped.`,
  )

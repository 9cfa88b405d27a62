import { gunzipSync } from 'node:zlib'

/** One row of the table of events, as it is stored. */
export type RawEvent = { position: number; stream: string; seq: number; type: string; data: Record<string, unknown> }

/** A change that Parley acknowledged: its event is found by a word that occurs once in the campaign. */
export type Acknowledged = { kind: 'said' | 'answered' | 'built' | 'build-answered' | 'sent'; stream: string; word: string }

/** The events that one live reader received, in its order. `stream` is null for a reader of all streams, whose places are positions. */
export type Reading = { reader: string; stream: string | null; from: number; places: number[] }

/** Everything outside Parley that the checker looks at. It imports nothing of Parley. */
export type Evidence = {
  acknowledged: readonly Acknowledged[]
  /** Messages that people wrote in the chat app, by their word. */
  written: readonly string[]
  /** Texts of the bot in all chats of the emulator. */
  shown: readonly string[]
  /** Lines that the tool wrote: the key of its call and the word. */
  effects: readonly { key: string; word: string }[]
  readings: readonly Reading[]
  /** Files of retired dialogs. */
  archive: readonly { file: string; bytes: Uint8Array }[]
  /** Streams that no reader is handed. */
  isPrivate(stream: string): boolean
}

export type Verdict = {
  violations: string[]
  /** Effects that were repeated under the same key. */
  repeatedEffects: number
  /** Deliveries whose arrival is uncertain and that say so. */
  reportedDeliveries: number
  counts: {
    events: number
    dialogs: number
    sideDialogs: number
    retiredDialogs: number
    builds: number
    deliveries: number
    turns: number
    cutTurns: number
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const hasWord = (value: string, word: string): boolean => value.split(/[^\w.-]+/).includes(word)

/** Judges a campaign from the raw events and from what was seen outside. Each violation begins with the name of its rule. */
export function check(stored: readonly RawEvent[], evidence: Evidence): Verdict {
  const archived = readArchive(stored, evidence.archive)
  const events = [...archived.events, ...stored].toSorted((a, b) => a.position - b.position)
  const streams = Map.groupBy(events, ({ stream }) => stream)
  const violations: string[] = [...archived.violations]
  const counts: Verdict['counts'] = {
    events: events.length,
    dialogs: 0,
    sideDialogs: 0,
    retiredDialogs: archived.dialogs,
    builds: 0,
    deliveries: 0,
    turns: 0,
    cutTurns: 0,
  }
  violations.push(...numbering(events, streams))
  for (const [stream, log] of streams) {
    const first = log[0]
    if (first?.type === 'dialog.opened') {
      counts.dialogs += 1
      if ('origin' in first.data) counts.sideDialogs += 1
      violations.push(...turns(stream, log, counts, dialogTurns), ...stuckDialog(stream, log))
    } else if (first?.type === 'build.opened') {
      counts.builds += 1
      violations.push(...turns(stream, log, counts, buildTurns))
      if (!log.some(({ type }) => type === 'session.completed')) violations.push(`stuck: build ${stream} ended with ${log.at(-1)?.type}`)
    }
  }
  violations.push(...acknowledgements(streams, evidence))
  const delivered = deliveries(streams, evidence.shown)
  counts.deliveries = delivered.count
  const effects = keyedEffects(events, evidence.effects)
  violations.push(...delivered.violations, ...effects.violations, ...readings(events, streams, evidence))
  return { violations, repeatedEffects: effects.repeated, reportedDeliveries: delivered.reported, counts }
}

/** Events of retired dialogs, from the files that the store names. A file that the store does not name has to be whole, too. */
function readArchive(
  stored: readonly RawEvent[],
  archive: Evidence['archive'],
): { events: RawEvent[]; dialogs: number; violations: string[] } {
  const violations: string[] = []
  const files = new Map<unknown, RawEvent[]>()
  for (const { file, bytes } of archive) {
    try {
      const [head = '', ...lines] = gunzipSync(bytes).toString('utf8').trimEnd().split('\n')
      const { events } = JSON.parse(head) as { events: number }
      if (events !== lines.length) throw new Error(`it holds ${lines.length} of ${events} events`)
      files.set(
        file,
        lines.map((line) => JSON.parse(line) as RawEvent),
      )
    } catch (error) {
      violations.push(`archive: ${file} is not whole: ${String(error)}`)
    }
  }
  const retirements = stored.filter(({ type }) => type === 'dialog.retired')
  const events: RawEvent[] = []
  for (const { stream, data } of retirements) {
    const log = files.get(data['file'])?.filter((event) => event.stream === stream) ?? []
    if (log.length !== data['events'])
      violations.push(
        `lost: ${stream} left the store and ${String(data['file'])} has ${log.length} of its ${String(data['events'])} events`,
      )
    events.push(...log)
  }
  return { events, dialogs: retirements.length, violations }
}

function numbering(events: readonly RawEvent[], streams: ReadonlyMap<string, readonly RawEvent[]>): string[] {
  const problems: string[] = []
  if (new Set(events.map(({ position }) => position)).size !== events.length) problems.push('numbers: two events have one position')
  for (const [stream, log] of streams) {
    if (log.some(({ seq }, index) => seq !== index + 1)) problems.push(`numbers: ${stream} has a gap or a repeat`)
    if (log.some(({ position }, index) => index > 0 && position <= (log[index - 1]?.position ?? 0)))
      problems.push(`numbers: positions of ${stream} are out of order`)
  }
  return problems
}

type TurnTypes = { start: string; ends: readonly string[]; cut: string }
/** A cut does not end a turn: a dialog goes on with it, a build ends it or resumes it under the next number. */
const dialogTurns: TurnTypes = { start: 'turn.started', ends: ['turn.finished', 'turn.failed', 'turn.stopped'], cut: 'turn.cut' }
const buildTurns: TurnTypes = { start: 'build.turn.started', ends: ['build.turn.ended'], cut: 'build.turn.cut' }

/** A turn starts when none is open, and each number is used once. */
function turns(stream: string, log: readonly RawEvent[], counts: Verdict['counts'], { start, ends, cut }: TurnTypes): string[] {
  const problems: string[] = []
  const used = new Set<number>()
  let open: number | null = null
  for (const { type, data, seq } of log) {
    const number = Number(data['turn'])
    if (type === start) {
      counts.turns += 1
      if (open !== null && data['resumes'] !== true)
        problems.push(`overlap: ${stream} starts turn ${number} at ${seq} while ${open} is open`)
      if (used.has(number)) problems.push(`overlap: ${stream} starts turn ${number} twice`)
      used.add(number)
      open = number
    } else if (type === cut || ends.includes(type)) {
      if (type === cut) counts.cutTurns += 1
      if (open !== number) problems.push(`overlap: ${stream} ends turn ${number} at ${seq}, open is ${open}`)
      if (ends.includes(type)) open = null
    }
  }
  if (open !== null) problems.push(`stuck: turn ${open} of ${stream} never ended`)
  return problems
}

const questionEnds = ['question.answered', 'question.declined', 'question.cancelled', 'question.expired']

/** At the end every question has an outcome, every call a result, every request a reply, and every message an answer. */
function stuckDialog(stream: string, log: readonly RawEvent[]): string[] {
  const problems: string[] = []
  const findOpen = (opens: string, closes: readonly string[], name: string): unknown[] => {
    const open = new Map<unknown, number>()
    for (const { type, data, seq } of log) {
      const key = data[name]
      if (type === opens) {
        if (open.has(key)) problems.push(`twice: ${opens} ${String(key)} of ${stream}`)
        open.set(key, seq)
      } else if (closes.includes(type) && !open.delete(key)) problems.push(`twice: ${type} ${String(key)} of ${stream} at ${seq}`)
    }
    return [...open.keys()]
  }
  for (const question of findOpen('question.asked', questionEnds, 'question'))
    problems.push(`stuck: question ${String(question)} of ${stream} is open`)
  const requests = new Set(log.flatMap(({ type, data }) => (type === 'tellask.made' ? [data['call']] : [])))
  // A request to another agent is a call whose result is the reply.
  for (const call of findOpen('tool.called', ['tool.returned'], 'call'))
    if (!requests.has(call)) problems.push(`stuck: call ${String(call)} of ${stream} has no result`)
  for (const tellask of findOpen('tellask.made', ['reply.received'], 'tellask'))
    problems.push(`stuck: request ${String(tellask)} of ${stream} has no reply`)
  const lastHuman = log.findLast(({ type, data }) => type === 'message.said' && data['turn'] === null)
  const lastTurn = log.findLast(({ type }) => type === 'turn.finished')
  if (lastHuman && Number(lastTurn?.data['seen'] ?? 0) < lastHuman.seq)
    problems.push(`stuck: ${stream} never answered its message ${lastHuman.seq}`)
  return problems
}

/** Acknowledged changes are there once, in the stream that was named; messages of the chat app are there once, anywhere. */
function acknowledgements(streams: ReadonlyMap<string, readonly RawEvent[]>, { acknowledged, written }: Evidence): string[] {
  const problems: string[] = []
  const types: Record<Acknowledged['kind'], string> = {
    said: 'message.said',
    answered: 'question.answered',
    built: 'build.opened',
    'build-answered': 'build.answered',
    sent: 'delivery.planned',
  }
  for (const { kind, stream, word } of acknowledged) {
    // Messages of agents have a turn, and repeat words of people.
    const total = (streams.get(stream) ?? []).filter(
      ({ type, data }) => type === types[kind] && (data['turn'] ?? null) === null && hasWord(JSON.stringify(data), word),
    ).length
    if (total === 0) problems.push(`lost: ${kind} ${word} of ${stream} was acknowledged and is not stored`)
    if (total > 1) problems.push(`twice: ${kind} ${word} of ${stream} is stored ${total} times`)
  }
  const wordCounts = new Map<string, number>()
  for (const log of streams.values())
    for (const { type, data } of log) {
      if (type !== 'message.said' || data['turn'] !== null) continue
      for (const word of text(data['text']).split(/[^\w.-]+/)) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1)
    }
  for (const word of written) {
    const times = wordCounts.get(word) ?? 0
    if (times === 0) problems.push(`lost: message ${word} of the chat app was confirmed and is not stored`)
    if (times > 1) problems.push(`twice: message ${word} of the chat app is stored ${times} times`)
  }
  return problems
}

/** The log agrees with the chat app on each delivery. */
function deliveries(
  streams: ReadonlyMap<string, readonly RawEvent[]>,
  shown: readonly string[],
): { violations: string[]; reported: number; count: number } {
  const violations: string[] = []
  let reported = 0
  let count = 0
  const words = new Map<string, string>()
  const planned = new Map<string, number>()
  for (const [stream, log] of streams) {
    if (log[0]?.type !== 'delivery.planned') continue
    count += 1
    const message = JSON.stringify(log.findLast(({ type }) => type === 'delivery.edited')?.data['message'] ?? log[0].data['message'])
    const word = /\bw\d+[a-z]?\b/.exec(message)?.[0]
    if (word === undefined) continue
    words.set(stream, word)
    planned.set(word, (planned.get(word) ?? 0) + 1)
  }
  for (const [stream, word] of words) {
    const log = streams.get(stream) ?? []
    const times = shown.filter((each) => hasWord(each, word)).length
    const expected = planned.get(word) ?? 0
    const types = new Set(log.map(({ type }) => type))
    const isUncertain =
      types.has('delivery.unknown') ||
      types.has('delivery.failed') ||
      types.has('delivery.parked') ||
      log.some(({ type, data }) => type === 'delivery.postponed' && data['maybeSent'] === true)
    const isSent = types.has('delivery.sent')
    if (isUncertain) reported += 1
    else if (!isSent) violations.push(`stuck: ${stream} is neither sent nor reported (${log.at(-1)?.type})`)
    if (times > expected && !isUncertain) violations.push(`twice: ${stream} is shown ${times} times and reports nothing`)
    if (isSent && !isUncertain && times === 0) violations.push(`lost: ${stream} is recorded as sent and the chat app does not show it`)
  }
  return { violations, reported, count }
}

/** Each call of the tool has one result and at least one effect; a repeated effect has the key of the first. */
function keyedEffects(
  events: readonly RawEvent[],
  effects: readonly { key: string; word: string }[],
): { violations: string[]; repeated: number } {
  const violations: string[] = []
  const keys = Map.groupBy(effects, ({ word }) => word)
  for (const { type, data, stream } of events) {
    if (type !== 'tool.called' || data['name'] !== 'mark') continue
    const word = text((data['input'] as { about?: unknown }).about)
    if (!keys.has(word)) violations.push(`lost: the effect ${word} of ${stream} never happened`)
  }
  for (const [word, lines] of keys) {
    const distinct = new Set(lines.map(({ key }) => key)).size
    if (distinct > 1) violations.push(`twice: the effect ${word} happened under ${distinct} keys`)
  }
  return { violations, repeated: effects.length - new Set(effects.map(({ key }) => key)).size }
}

/** Live readers were handed every event after their start, once, in order. */
function readings(
  events: readonly RawEvent[],
  streams: ReadonlyMap<string, readonly RawEvent[]>,
  { readings: all, isPrivate }: Evidence,
): string[] {
  const problems: string[] = []
  const everyPosition = events
    .filter(({ stream }) => !isPrivate(stream))
    .map(({ position }) => position)
    .toSorted((a, b) => a - b)
  for (const { reader, stream, from, places } of all) {
    // A reader of one dialog may have left before it was retired.
    const log = (streams.get(stream ?? '') ?? []).filter(({ type, seq }) => type !== 'dialog.retired' || places.includes(seq))
    const expected = (stream === null ? everyPosition : log.map(({ seq }) => seq)).filter((place) => place > from)
    const wrong = expected.findIndex((place, index) => place !== places[index])
    if (wrong === -1 && places.length === expected.length) continue
    const at = wrong === -1 ? expected.length : wrong
    problems.push(
      `reader: ${reader} of ${stream ?? 'everything'} saw ${places.length} of ${expected.length} events; number ${at + 1} is ${places[at] ?? 'missing'}, expected ${expected[at] ?? 'none'}`,
    )
  }
  return problems
}

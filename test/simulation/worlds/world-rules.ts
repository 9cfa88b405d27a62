import type { Store, StoredEvent } from '../../../src/ports/store.ts'
import type { ConversationEvent } from '../../../src/worlds/rules/conversation-events.ts'
import type { LedgerEvent } from '../../../src/worlds/rules/ledger-events.ts'
import { daySpending, evolveLedger, initialLedger, type LedgerState } from '../../../src/worlds/rules/ledger-state.ts'
import type { ReportEvent } from '../../../src/worlds/rules/report-events.ts'
import type { SeatEvent } from '../../../src/worlds/rules/seat-events.ts'
import { worldLimits } from '../../../src/worlds/rules/world-limits.ts'

export type Written = { request: string; text: string }

type Streams = ReadonlyMap<string, readonly StoredEvent[]>

/** Everything the log of a run must satisfy once it is at rest. Each violation starts with the name of its rule. */
export async function worldViolations(store: Store, written: readonly Written[]): Promise<string[]> {
  const streams = new Map<string, StoredEvent[]>()
  for (const event of await store.readAll(0, 1_000_000)) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
  const found: string[] = []
  const secrets = listSecrets(streams)
  for (const [stream, events] of streams) {
    if (stream.startsWith('conversation:')) found.push(...checkConversation(stream, events as never, streams, secrets))
    if (stream.startsWith('seat:')) found.push(...checkSeat(stream, events as never, streams))
    if (stream.startsWith('ledger:')) found.push(...checkLedger(stream, events as never))
  }
  const turns = [...streams.values()].flat().filter(({ type }) => type === 'turn.added') as unknown as TurnAdded[]
  for (const { request, text } of written) {
    const times = turns.filter(({ data }) => data.request === request && data.text === text).length
    if (times !== 1) found.push(`written: the turn of an owner in ${request} is there ${times} times`)
  }
  return found
}

type TurnAdded = Extract<ConversationEvent, { type: 'turn.added' }>

/** Canaries and briefs: none of them may be in a turn of an agent. */
function listSecrets(streams: Streams): string[] {
  return [...streams].flatMap(([stream, events]) =>
    stream.startsWith('seat:')
      ? (events as unknown as SeatEvent[]).flatMap((event) => {
          if (event.type === 'seat.opened') return [event.data.canary]
          if (event.type === 'run.reserved') return event.data.canary === undefined ? [] : [event.data.canary]
          return event.type === 'brief.written' ? [event.data.text] : []
        })
      : [],
  )
}

const ofType = <Event extends { type: string }, Type extends Event['type']>(events: readonly Event[], type: Type) =>
  events.filter((event): event is Extract<Event, { type: Type }> => event.type === type)

function checkConversation(stream: string, events: readonly ConversationEvent[], streams: Streams, secrets: readonly string[]): string[] {
  const found: string[] = []
  for (const { data: asked } of ofType(events, 'request.submitted')) {
    const own = events.filter(({ data }) => data.request === asked.request)
    const name = `${asked.request} in ${stream}`
    const accepted = own.findIndex(({ type }) => type === 'request.accepted')
    const ends = own.flatMap(({ type }, index) => (type === 'conversation.ended' ? [index] : []))
    const turns = ofType(own, 'turn.added')
    if (ends.length > 1) found.push(`ended: ${name} ended ${ends.length} times`)
    if (accepted >= 0 && ends.length === 0) found.push(`rest: ${name} is not over`)
    own.forEach(({ type }, index) => {
      const isAct = type === 'turn.added' || type === 'delivery.made'
      if (isAct && (accepted < 0 || index < accepted)) found.push(`consent: ${type} before acceptance in ${name}`)
      if (isAct && ends.some((end) => index > end)) found.push(`ended: ${type} after the end of ${name}`)
    })
    if (turns.length > worldLimits.turns) found.push(`budget: ${turns.length} turns in ${name}`)
    let head = asked.head
    turns.forEach(({ data }, index) => {
      if (data.turn !== index + 1 || data.previous !== head) found.push(`chain: turn ${data.turn} does not follow in ${name}`)
      head = data.hash
      if (data.author === 'agent' && (data.text.includes('NO_REPLY') || secrets.some((secret) => data.text.includes(secret))))
        found.push(`leak: turn ${data.turn} of ${name}`)
    })
    const results = own.flatMap((event) =>
      event.type === 'delivery.silent' || (event.type === 'turn.added' && event.data.delivery !== null) ? [event.data.delivery] : [],
    )
    if (new Set(results).size < results.length) found.push(`once: a delivery of ${name} has two results`)
    if (accepted >= 0) found.push(...checkSides(name, asked, streams))
  }
  return found
}

/** Both owners learn the same end, and each gets exactly one report. */
function checkSides(name: string, asked: { request: string; from: string; to: string }, streams: Streams): string[] {
  return [asked.from, asked.to].flatMap((agent) => {
    const seat = (streams.get(`seat:${asked.request}:${agent}`) ?? []) as unknown as SeatEvent[]
    const report = (streams.get(`report:${asked.request}:${agent}`) ?? []) as unknown as ReportEvent[]
    const found: string[] = []
    if (ofType(seat, 'seat.ended').length !== 1) found.push(`told: ${agent} heard ${ofType(seat, 'seat.ended').length} ends of ${name}`)
    if (ofType(report, 'report.filed').length !== 1)
      found.push(`report: ${agent} has ${ofType(report, 'report.filed').length} reports of ${name}`)
    if (ofType(report, 'report.announced').length !== 1) found.push(`report: that of ${agent} about ${name} did not arrive`)
    const [stored] = ofType(report, 'report.stored')
    const said =
      stored && (streams.get(stored.data.dialog) ?? []).filter(({ data }) => (data as { message?: string }).message === stored.data.message)
    if (stored && stored.data.dialog !== '' && said?.filter(({ type }) => type === 'message.said').length !== 1)
      found.push(`report: that of ${agent} about ${name} is not once in the dialog`)
    return found
  })
}

function checkSeat(stream: string, events: readonly SeatEvent[], streams: Streams): string[] {
  const found: string[] = []
  const agent = stream.split(':').at(-1) ?? ''
  const ledger = (streams.get(`ledger:${agent}`) ?? []) as unknown as LedgerEvent[]
  let isAccepted = false
  let running: string | null = null
  for (const event of events) {
    if (event.type === 'request.settled') isAccepted = event.data.status === 'accepted'
    if (event.type === 'run.reserved') {
      if (!isAccepted) found.push(`stranger: a model call before acceptance in ${stream}`)
      if (running !== null) found.push(`overlap: two runs at once in ${stream}`)
      running = event.data.run
    }
    if (event.type === 'run.finished' || event.type === 'run.failed') running = null
    if (event.type === 'brief.written' && !isApproved(ledger, event.data.consent, event.data.text))
      found.push(`consent: a brief without an entry in ${stream}`)
  }
  return found
}

const isApproved = (ledger: readonly LedgerEvent[], consent: string, text: string): boolean =>
  ofType(ledger, 'consent.given').some(({ data }) => data.consent === consent && data.text === text)

function checkLedger(stream: string, events: readonly LedgerEvent[]): string[] {
  const found: string[] = []
  let state: LedgerState = initialLedger
  for (const event of events) {
    state = evolveLedger(state, event)
    const spent = daySpending(state, state.day.day)
    if (event.type === 'budget.reserved' && spent.tokens > state.budget.tokens) found.push(`budget: over the day in ${stream}`)
  }
  return found
}

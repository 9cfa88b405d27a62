import { ParleyError, type Refusal } from '../errors.ts'
import type { NewEvent, Settle, Store, StoredEvent, Unit, WorkKey } from '../ports/store.ts'
import type { Committer } from './committer.ts'
import type { StreamKind } from './decider.ts'
import { shapeVersion } from './shape-version.ts'
import { type Folded, StateCache } from './state-cache.ts'
import { takingTurns } from './taking-turns.ts'

export type Under = {
  /** The claim the commands are given under. */
  lease?: WorkKey & { epoch: number }
  settle?: Settle
  /** A name that may be used once, and what to remember under it, given the number of the first event. */
  once?: { key: string; value: (firstSeq: number) => unknown }
  /** Rows of others that are written in the same unit. */
  rows?: Unit['rows']
  sums?: Unit['sums']
  trim?: Unit['trim']
  /** As of a unit: it may be done again after a power cut. */
  repeatable?: true
  /** The stream has a fresh id and is not read. If it exists after all, the commit conflicts and it is read. */
  isNew?: true
}

export type Handled<State> =
  | { ok: true; state: State; before: State; events: StoredEvent[] }
  | { ok: false; why: 'refused'; refusal: Refusal; state: State }
  | { ok: false; why: 'fenced' }
  | { ok: false; why: 'seen'; value: unknown }
  /** A sum would pass its bound. */
  | { ok: false; why: 'over'; key: string }

export type StreamHandler<State, Command> = {
  /** The state as of now: what the cache holds, brought up to date from the store. */
  load(stream: string): Promise<State>
  /** The cached state, or a fresh read without a cache entry. For uses where it may be a moment old. */
  known(stream: string): Promise<State>
  /**
   * Decides each command on the state the one before left, and commits all their events as one unit.
   * One refused command refuses all. Decides again after a conflict.
   */
  handle(stream: string, commands: Command[] | ((state: State) => Command[]), under?: Under): Promise<Handled<State>>
  /**
   * The same for several streams in one unit: all of it happens or none. `plan` is asked again with fresh states when
   * a conflict, so it must depend only on what it loads.
   */
  handleAll(plan: Plan<State, Command>, under?: Under): Promise<HandledAll<State>>
}

export type Plan<State, Command> = (load: (stream: string) => Promise<State>) => Promise<{
  /** A stream with a fresh id is not read. If it exists after all, the commit conflicts and everything is read again. */
  orders: readonly { stream: string; commands: readonly Command[]; isNew?: boolean }[]
  /** Set where settling the claim depends on the states too. */
  settle?: Settle | undefined
}>

export type HandledAll<State> =
  | { ok: true; states: ReadonlyMap<string, State> }
  | { ok: false; why: 'refused'; stream: string; refusal: Refusal }
  | { ok: false; why: 'fenced' }
  | { ok: false; why: 'seen'; value: unknown }
  /** A sum would pass its bound. */
  | { ok: false; why: 'over'; key: string }

export const streamLimits = { readPage: 500, conflictRetries: 50, eventsPerSnapshot: 100 } as const

export function streamHandler<State, Command, Event extends NewEvent>(
  kind: StreamKind<State, Command, Event>,
  store: Store,
  committer: Committer,
): StreamHandler<State, Command> {
  const cache = new StateCache<State>(kind.weigh)
  const snapshotVersion = shapeVersion(kind.sample)
  const inTurn = takingTurns()

  const apply =
    kind.apply ??
    ((state: State, command: Command) => {
      const decision = kind.decide(state, command)
      return 'refused' in decision ? decision : { events: decision.events, state: decision.events.reduce(kind.evolve, state) }
    })

  async function catchUp(stream: string): Promise<Folded<State>> {
    const cached = cache.get(stream)
    let folded = cached
    if (!folded) {
      const snapshot = await store.snapshot(stream)
      folded =
        snapshot?.version === snapshotVersion ? { state: snapshot.state as State, seq: snapshot.seq } : { state: kind.initial, seq: 0 }
    }
    for (;;) {
      const events = await store.read(stream, folded.seq, streamLimits.readPage)
      for (const event of events) folded = { state: kind.evolve(folded.state, event as unknown as Event), seq: event.seq }
      if (events.length < streamLimits.readPage) break
    }
    // Most looks find nothing new, and weighing a state is not free.
    if (folded.seq > 0 && folded !== cached) cache.set(stream, folded)
    return folded
  }

  function decideAll(from: Folded<State>, commands: readonly Command[]): { events: Event[]; state: State } | { refused: Refusal } {
    let { state } = from
    const events: Event[] = []
    for (const command of commands) {
      const applied = apply(state, command)
      if ('refused' in applied) return applied
      state = applied.state
      events.push(...applied.events)
    }
    return { events, state }
  }

  async function attempt(stream: string, commands: Command[] | ((state: State) => Command[]), under: Under): Promise<Handled<State>> {
    let folded = cache.get(stream)
    let isFresh = folded === undefined && !under.isNew
    folded ??= under.isNew ? { state: kind.initial, seq: 0 } : await catchUp(stream)
    for (let tries = 0; tries < streamLimits.conflictRetries; tries += 1) {
      const decided = decideAll(folded, typeof commands === 'function' ? commands(folded.state) : commands)
      const isNoOp = 'refused' in decided || (decided.events.length === 0 && (typeof commands === 'function' || commands.length > 0))
      if (isNoOp && !isFresh) {
        // The cache may lag behind another process, and only a commit with events would notice.
        folded = await catchUp(stream)
        isFresh = true
        continue
      }
      if ('refused' in decided) return { ok: false, why: 'refused', refusal: decided.refused, state: folded.state }
      const unit = unitFor([{ stream, seq: folded.seq, before: folded.state, ...decided }], false, under)
      const result = await committer.commit(unit)
      if (result.ok) {
        if (decided.events.length > 0) cache.set(stream, { state: decided.state, seq: folded.seq + decided.events.length })
        return { ok: true, state: decided.state, before: folded.state, events: result.events }
      }
      if (result.why === 'fenced') return { ok: false, why: 'fenced' }
      if (result.why === 'seen') return { ok: false, why: 'seen', value: result.value }
      if (result.why === 'over') return { ok: false, why: 'over', key: result.key }
      folded = await catchUp(stream)
      isFresh = true
    }
    throw new ParleyError('busy', {}, { retryable: true })
  }

  async function attemptAll(plan: Plan<State, Command>, under: Under): Promise<HandledAll<State>> {
    for (let tries = 0; tries < streamLimits.conflictRetries; tries += 1) {
      const loaded = new Map<string, Folded<State>>()
      // The cached state is nearly always current, and the commit notices when it is not: then everything is read again.
      let isFresh = true
      const load = async (stream: string): Promise<State> => {
        let folded = loaded.get(stream)
        if (!folded) {
          const cached = tries === 0 ? cache.get(stream) : undefined
          if (cached) isFresh = false
          loaded.set(stream, (folded = cached ?? (await catchUp(stream))))
        }
        return folded.state
      }
      const parts: Decided[] = []
      let refused = false
      const { orders, settle = under.settle } = await plan(load)
      for (const { stream, commands, isNew } of orders) {
        if (isNew && tries === 0 && !loaded.has(stream)) {
          isFresh = false
          loaded.set(stream, { state: kind.initial, seq: 0 })
        } else await load(stream)
        const from = loaded.get(stream) as Folded<State>
        const decided = decideAll(from, commands)
        if ('refused' in decided) {
          if (isFresh) return { ok: false, why: 'refused', stream, refusal: decided.refused }
          refused = true
          break
        }
        loaded.set(stream, { state: decided.state, seq: from.seq + decided.events.length })
        parts.push({ stream, seq: from.seq, before: from.state, ...decided })
      }
      if (refused) continue
      // Streams that were only read must be unchanged: two plans that each depend on the other's stream must not both succeed.
      const written = new Set(parts.map(({ stream }) => stream))
      for (const [stream, { state, seq }] of loaded) if (!written.has(stream)) parts.push({ stream, seq, events: [], before: state, state })
      const letOthersOn = holdUp(written)
      const result = await committer
        .commit(unitFor(parts, true, settle === undefined ? under : { ...under, settle }))
        .then((committed) => {
          if (committed.ok) for (const [stream, folded] of loaded) if (folded.seq > 0) cache.set(stream, folded)
          return committed
        })
        .finally(letOthersOn)
      if (result.ok) return { ok: true, states: new Map(parts.map(({ stream }) => [stream, (loaded.get(stream) as Folded<State>).state])) }
      if (result.why === 'fenced') return { ok: false, why: 'fenced' }
      if (result.why === 'seen') return { ok: false, why: 'seen', value: result.value }
      if (result.why === 'over') return { ok: false, why: 'over', key: result.key }
    }
    throw new ParleyError('busy', {}, { retryable: true })
  }

  /**
   * Lets commands for these streams wait until the cache knows what is just being committed: who is told of a commit by
   * a hint is often quicker than we are, and would decide on the state before it.
   */
  function holdUp(streams: Iterable<string>): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const stream of streams) void inTurn(stream, () => promise)
    return resolve
  }

  type Decided = { stream: string; seq: number; events: Event[]; before: State; state: State }

  /** `provesHeads`: streams that were only read must be unchanged too. */
  function unitFor(
    parts: readonly Decided[],
    provesHeads: boolean,
    { lease, settle, once, rows: more, sums: given, trim, repeatable }: Under,
  ): Unit {
    const unit: Unit = {}
    if (more) unit.rows = more
    if (given) unit.sums = given
    if (trim) unit.trim = trim
    if (repeatable) unit.repeatable = true
    if (lease) unit.lease = lease
    if (settle) unit.settle = settle
    if (once) unit.once = [{ key: once.key, value: once.value((parts[0]?.seq ?? 0) + 1) }]
    for (const { stream, seq, events, before, state } of parts) {
      if (events.length === 0) {
        if (provesHeads) unit.append = [...(unit.append ?? []), { stream, expect: seq, events }]
        continue
      }
      const head = seq + events.length
      const { wake = [], cancel = [], rows = [], sums = [] } = kind.consequences(stream, events, state, before)
      unit.append = [...(unit.append ?? []), { stream, expect: seq, events }]
      unit.wake = [...(unit.wake ?? []), ...wake]
      unit.cancel = [...(unit.cancel ?? []), ...cancel]
      unit.rows = [...(unit.rows ?? []), ...rows]
      if (sums.length > 0) unit.sums = [...(unit.sums ?? []), ...sums]
      if (Math.floor(head / streamLimits.eventsPerSnapshot) > Math.floor(seq / streamLimits.eventsPerSnapshot)) {
        unit.snapshots = [...(unit.snapshots ?? []), { stream, seq: head, version: snapshotVersion, state }]
      }
    }
    return unit
  }

  return {
    load: async (stream) => (await catchUp(stream)).state,
    known: async (stream) => (cache.get(stream) ?? (await catchUp(stream))).state,
    handleAll: (plan, under = {}) => attemptAll(plan, under),
    handle: (stream, commands, under = {}) => inTurn(stream, () => attempt(stream, commands, under)),
  }
}

import { createHash } from 'node:crypto'
import type { ModelConfig } from '../../app/config/schema.ts'
import { ParleyError } from '../../errors.ts'
import { chooseWire } from '../models/choose-wire.ts'
import { measureRoom } from '../../dialogs/rules/prompt/context-levels.ts'
import { findFamily } from '../models/families.ts'
import type { LearnedModels } from '../models/learned-models.ts'
import { readOverflow } from '../models/overflow.ts'
import { findChange, type RequestChange, type RequestFacts } from '../models/parameter-faults.ts'
import { findProfile, takesImages, type WireProfile } from '../models/profiles.ts'
import type { ProviderFault } from '../models/provider-fault.ts'
import { type ModelWindow, resolveWindow } from '../models/window.ts'
import { addressFor } from '../wires/open-wire.ts'
import type { Wire } from '../wires/wire.ts'

/** Changes of one generation; a server that always finds another fault is given up. */
const mostChanges = 6

/** Changes with which the list is laid out in another way. */
const layoutChanges: ReadonlySet<RequestChange['kind']> = new Set(['strict-roles', 'notes-as-user', 'use-responses', 'no-images'])

/** The size of a sent request, and the names of its fields. */
export type SentRequest = { fields: readonly string[]; estimateTokens: number; hasReasoning: boolean; hasImages: boolean }

/** Derived from the configuration and a list of changes. */
type PlanFacts = { changes: readonly RequestChange[]; wire: Wire; profile: WireProfile; vision: boolean; layout: string }

/** The latest of each configuration: requests ask for them several times, and they change only when a server teaches something. */
const latestFacts = new WeakMap<ModelConfig, PlanFacts>()

/** Plan of the next request of a generation; refusals of the server change it. */
export class RequestPlan {
  readonly address: string
  #config: ModelConfig
  #learned: LearnedModels
  #facts: PlanFacts
  /** Changes of this generation, not yet known to help. */
  #tried: RequestChange[] = []
  #wasLowered = false
  /** null: the provider's own bound. */
  outputTokens: number | null
  #mostTokens: number | null

  constructor(config: ModelConfig, learned: LearnedModels, mostOutputTokens: number | null) {
    this.address = addressFor(config)
    this.#config = config
    this.#learned = learned
    this.#facts = findFacts(config, this.address, learned.read(this.address, config.model).changes)
    this.#mostTokens = mostOutputTokens
    this.outputTokens = this.#bound()
  }

  get changes(): readonly RequestChange[] {
    return this.#facts.changes
  }

  get wire(): Wire {
    return this.#facts.wire
  }

  get window(): ModelWindow {
    const { windowTokens: learned, probed } = this.#learned.read(this.address, this.#config.model)
    return resolveWindow(this.#config.model, { configured: this.#config.contextLength, probed, learned })
  }

  get profile(): WireProfile {
    return this.#facts.profile
  }

  /** The model takes images. A refusal is remembered, unless the owner has set it. */
  get vision(): boolean {
    return this.#facts.vision
  }

  /** The model whose reasoning goes back; null once it was refused. */
  get maker(): string | null {
    return this.#tried.some(({ kind }) => kind === 'drop-reasoning') ? null : this.ownMaker
  }

  get ownMaker(): string {
    return `${this.wire} ${this.address} ${this.#config.model}`
  }

  /** The cause of an epoch, when the list is laid out in another way than `before`: this request or another dialog has learned. */
  newLayout(before: string | null): 'reasoning-refused' | 'model' | null {
    if (this.maker === null) return 'reasoning-refused'
    const isTried = this.#tried.some(({ kind }) => layoutChanges.has(kind))
    return isTried || (before !== null && before !== this.layout) ? 'model' : null
  }

  /** Everything the bytes of a list depend on besides its items, as a short key. An epoch holds it. */
  get layout(): string {
    return this.#facts.layout
  }

  /** True when the request is worth repeating with what changed. Throws on overflow. */
  adjust(fault: ProviderFault, sent: SentRequest): boolean {
    const { window } = this
    const overflow = readOverflow(fault, { estimateTokens: sent.estimateTokens, windowTokens: window.windowTokens })
    if (overflow?.kind === 'lower-output' && !this.#wasLowered) {
      this.#wasLowered = true
      this.outputTokens = Math.min(overflow.outputTokens, this.outputTokens ?? Infinity)
      this.learnWindow(overflow.windowTokens)
      return true
    }
    if (overflow?.kind === 'overflow' || overflow?.kind === 'lower-output') this.overflow(overflow.windowTokens, fault.status !== null)
    if (overflow?.kind === 'rate-limit' || this.#tried.length >= mostChanges) return false
    const change = findChange(fault, this.#requestFacts(sent))
    if (change === null) return false
    this.#tried.push(change)
    this.#facts = findFacts(this.#config, this.address, [...this.changes, change])
    this.outputTokens = this.#bound()
    return true
  }

  /** The prompt does not fit. The window is remembered where it is known. */
  overflow(windowTokens: number | null, isUnmetered: boolean): never {
    if (windowTokens !== null) this.learnWindow(windowTokens)
    throw new ParleyError('context_overflow', { window: windowTokens ?? this.window.windowTokens }, { isUnmetered })
  }

  /** `isCut`: the server did not refuse, it read a part only. */
  learnWindow(windowTokens: number, isCut = false): void {
    this.#learned.learn(this.address, this.#config.model, { windowTokens, ...(isCut && { isCut }) })
  }

  /** The server took the request: the changes helped. */
  accept(): void {
    for (const change of this.#tried) this.#learned.learn(this.address, this.#config.model, { change })
  }

  #requestFacts({ fields, hasReasoning, hasImages }: SentRequest): RequestFacts {
    const { wire, address, profile, changes } = this
    return { wire, address, fields, profile, hasReasoning, hasImages, tried: changes }
  }

  /** Anthropic wants a bound with every request; elsewhere only a set one is sent. */
  #bound(): number | null {
    if (this.#mostTokens !== null || this.wire !== 'anthropic') return this.#mostTokens
    return findFamily(this.#config.model) ? measureRoom(this.window).outputTokens : 4_096
  }
}

function findFacts(config: ModelConfig, address: string, changes: readonly RequestChange[]): PlanFacts {
  const latest = latestFacts.get(config)
  if (latest?.changes === changes) return latest
  const has = (kind: RequestChange['kind']): boolean => changes.some((change) => change.kind === kind)
  const wire = chooseWire(config, address, changes)
  const set = Object.fromEntries(Object.entries(config.profile ?? {}).filter(([, value]) => value !== undefined))
  const profile: WireProfile = {
    ...findProfile(config.model, address),
    ...set,
    ...(has('strict-roles') && { alternate: true, bridge: true }),
    ...(has('notes-as-user') && { notes: 'user' as const }),
  }
  const vision = !has('no-images') && (config.images ?? takesImages(config.model))
  const layout = createHash('sha256')
    .update(JSON.stringify([wire, address, profile, vision]))
    .digest('hex')
    .slice(0, 12)
  const facts = { changes, wire, profile, vision, layout }
  latestFacts.set(config, facts)
  return facts
}

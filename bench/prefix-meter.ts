import type { Request } from '../test/dialogs/model-scene.ts'

const wires = ['chat', 'responses', 'anthropic'] as const

export type WireShare = {
  wire: (typeof wires)[number]
  requests: number
  /** Of all requests but the first of each dialog. */
  bytes: number
  /** Of these bytes, those that the request before it begins with too. */
  sameBytes: number
  /** Pairs of requests within an epoch, and those of them of which the first is a prefix of the second. */
  pairs: number
  prefixPairs: number
  /** The first pair that is none; null where all are. */
  fault: string | null
}

/** Compares each request with the one before it in the same dialog, in every wire. */
export class PrefixMeter {
  readonly #last = new Map<string, Request>()
  readonly #shares = new Map(wires.map((wire) => [wire, emptyShare(wire)]))
  readonly #spoil: (wire: string, request: number) => string
  #count = 0

  constructor(spoil: (wire: string, request: number) => string) {
    this.#spoil = spoil
  }

  add(sent: Request): void {
    this.#count += 1
    const texts = wires.map((wire) => [wire, this.#spoil(sent.wires[wire], this.#count)] as const)
    const request = { ...sent, wires: Object.fromEntries(texts) as Request['wires'] }
    const before = this.#last.get(request.dialog)
    this.#last.set(request.dialog, request)
    for (const share of this.#shares.values()) addPair(share, before, request, this.#count)
  }

  read(): Record<WireShare['wire'], WireShare> {
    return Object.fromEntries(this.#shares) as Record<WireShare['wire'], WireShare>
  }
}

const emptyShare = (wire: WireShare['wire']): WireShare => ({
  wire,
  requests: 0,
  bytes: 0,
  sameBytes: 0,
  pairs: 0,
  prefixPairs: 0,
  fault: null,
})

function addPair(share: WireShare, before: Request | undefined, request: Request, number: number): void {
  share.requests += 1
  if (!before) return
  const [older, newer] = [before.wires[share.wire], request.wires[share.wire]]
  const same = countSame(older, newer)
  share.bytes += Buffer.byteLength(newer)
  share.sameBytes += Buffer.byteLength(newer.slice(0, same))
  if (before.prompt.epoch !== request.prompt.epoch) return
  share.pairs += 1
  if (same === older.length) share.prefixPairs += 1
  else share.fault ??= `request ${number} of ${request.agent} differs from character ${same}: ${newer.slice(same, same + 80)}`
}

function countSame(older: string, newer: string): number {
  if (newer.startsWith(older)) return older.length
  let at = 0
  while (at < older.length && older.charCodeAt(at) === newer.charCodeAt(at)) at += 1
  return at
}

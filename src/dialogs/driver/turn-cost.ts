import { ParleyError } from '../../errors.ts'
import type { Agent } from '../../ports/agent-runtime.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Spent } from '../rules/dialog-events.ts'
import { type TokenKinds, toTokenKinds } from '../rules/token-kinds.ts'
import type { Admitted } from './budget.ts'
import { computeCost, type Heard, nothingHeard } from './generation-cost.ts'

const metricKinds: Record<keyof TokenKinds, string> = {
  input: 'input',
  cachedRead: 'cached_read',
  cacheWrite: 'cache_write',
  output: 'output',
  reasoning: 'reasoning',
}

/** Counts the generation that is running, or has ended and is not in the log yet. */
export class TurnCost {
  readonly #metrics: Metrics
  #uncounted: { by: Agent; admitted: Admitted; heard: Heard; isInMetrics: boolean } | null = null

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  begin(by: Agent, admitted: Admitted): Heard {
    const heard = nothingHeard()
    this.#uncounted = { by, admitted, heard, isInMetrics: false }
    return heard
  }

  /** The cost for the event that records how the generation ended. `cause` is the error that ended it. */
  read(cause?: unknown): { spent?: Spent } {
    if (this.#uncounted === null) return {}
    const { by, admitted, heard } = this.#uncounted
    const spent = computeCost(heard, admitted, by.spending, cause instanceof ParleyError && cause.isUnmetered)
    if (spent.tokens === 0 && spent.money === 0) return {}
    if (!this.#uncounted.isInMetrics) {
      this.addToMetrics(by.name, spent)
      this.#countKinds(by.name, heard, spent)
    }
    this.#uncounted.isInMetrics = true
    return { spent }
  }

  /** The cost is in the log. */
  clear(): void {
    this.#uncounted = null
  }

  /** Tokens by kind, as the provider counted them; an estimate without its count. */
  #countKinds(agent: string, { usage, model, isFinished }: Heard, { tokens }: Spent): void {
    const labels = { agent, model: model ?? 'unknown' }
    if (usage === null || !isFinished) return this.#metrics.count('model_tokens_total', tokens, { ...labels, kind: 'estimated' })
    for (const [kind, count] of Object.entries(toTokenKinds(usage)))
      if (count > 0) this.#metrics.count('model_tokens_total', count, { ...labels, kind: metricKinds[kind as keyof TokenKinds] })
  }

  addToMetrics(agent: string, spent: Spent): void {
    this.#metrics.count('tokens_total', spent.tokens, { agent })
    this.#metrics.count('money_total', spent.money, { agent })
  }
}

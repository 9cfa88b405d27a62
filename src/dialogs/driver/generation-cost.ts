import type { Spent, Usage } from '../rules/dialog-events.ts'
import type { AgentOutput, Spending } from '../../ports/agent-runtime.ts'
import { type Admitted, computePrice } from './budget.ts'

/** Everything one generation has produced so far, kept so that one that fails or is cut can still be counted. */
export type Heard = {
  usage: Usage | null
  model: string | null
  /** By the price of the model that answered; null where it is not known. */
  money: number | null
  /** Bytes of text, thinking and calls. A token is at least one byte, so bytes bound tokens. */
  outputBytes: number
  deltaBytes: number
  textBytes: number
  thinkingBytes: number
  /** The provider's count of thinking, where it gives one. */
  thinkingTokens: number | null
  /** Of `outputBytes`, those that came after the last usage. */
  bytesSinceUsage: number
  isFinished: boolean
}

export const nothingHeard = (): Heard => ({
  usage: null,
  model: null,
  money: null,
  outputBytes: 0,
  deltaBytes: 0,
  textBytes: 0,
  thinkingBytes: 0,
  thinkingTokens: null,
  bytesSinceUsage: 0,
  isFinished: false,
})

export const meterLimits = { bytesPerToken: 4 } as const

/** Changes `heard` in place: it is called for every piece of a reply. */
export function hear(heard: Heard, output: AgentOutput): void {
  switch (output.type) {
    case 'usage':
      heard.usage = output.usage
      heard.model = output.model
      heard.money = output.money ?? null
      heard.thinkingTokens = output.thinkingTokens ?? heard.thinkingTokens
      heard.bytesSinceUsage = 0
      return
    case 'thinking':
      heard.thinkingBytes += Buffer.byteLength(output.text)
      return add(heard, Buffer.byteLength(output.text))
    case 'delta':
      heard.deltaBytes += Buffer.byteLength(output.text)
      return add(heard, Buffer.byteLength(output.text))
    case 'text': {
      // Finished words repeat the deltas before them; only what goes beyond those is new.
      const bytes = Buffer.byteLength(output.text)
      heard.textBytes += bytes
      return add(heard, Math.min(bytes, Math.max(heard.textBytes - heard.deltaBytes, 0)))
    }
    case 'call':
      return add(heard, Buffer.byteLength(output.name) + Buffer.byteLength(JSON.stringify(output.input ?? null)))
    case 'presentation':
      return add(heard, Buffer.byteLength(JSON.stringify(output.presentation ?? null)))
    // It was heard as thinking already.
    case 'reasoning':
    case 'question':
    case 'title':
    case 'again':
    case 'epoch':
  }
}

function add(heard: Heard, bytes: number): void {
  heard.outputBytes += bytes
  heard.bytesSinceUsage += bytes
}

/**
 * Tokens by an estimate that is rather too low: four bytes each, which is English text. Used only where exceeding a bound
 * ends a generation; a cost is never estimated this way.
 */
export const fewestTokens = (bytes: number): number => Math.floor(bytes / meterLimits.bytesPerToken)

/**
 * The cost of a generation, however it ended. Never less than what the provider meters:
 *
 * | the generation                                  | prompt                      | output                                   |
 * |-------------------------------------------------|-----------------------------|------------------------------------------|
 * | was refused before the model accepted it        | 0                           | 0                                        |
 * | gave its usage and finished                     | usage, each kind at its price | usage                                  |
 * | gave a usage and was cut later                  | usage                       | usage and every byte heard since         |
 * | gave none, under a budget                       | the allowance               | the allowance, or every byte if it broke |
 * | gave none, without a budget                     | bytes of the prompt         | bytes heard                              |
 *
 * An agent that is not a model costs what it reports and nothing else.
 */
export function computeCost(
  heard: Heard,
  { allowance, worst }: Pick<Admitted, 'allowance' | 'worst'>,
  spending: Spending | undefined,
  isUnmetered: boolean,
): Spent {
  if (isUnmetered && heard.usage === null) return { tokens: 0, money: 0 }
  const { inputTokens = null, outputTokens = null } = heard.usage ?? {}
  const since = heard.isFinished ? 0 : heard.bytesSinceUsage
  const tokens = {
    inputTokens: inputTokens ?? worst?.inputTokens ?? 0,
    outputTokens: outputTokens === null ? uncounted(heard, allowance, worst) : outputTokens + (spending ? since : 0),
  }
  const worstCost = computePrice(tokens, spending ?? {})
  const isCounted = heard.isFinished && inputTokens !== null && outputTokens !== null
  return isCounted && heard.money !== null ? { ...worstCost, money: heard.money } : worstCost
}

function uncounted({ outputBytes }: Heard, allowance: Admitted['allowance'], worst: Admitted['worst']): number {
  if (worst === null) return 0
  if (allowance === null) return outputBytes
  // More text than the bound allows: the provider ignored it, and only the bytes are certain.
  return fewestTokens(outputBytes) > allowance.outputTokens ? outputBytes : allowance.outputTokens
}

/** Cost of a generation of which a crash left only its admission. */
export const costOfLost = ({ worst }: Pick<Admitted, 'worst'>, spending: Spending | undefined): Spent | null =>
  worst === null ? null : computePrice(worst, spending ?? {})

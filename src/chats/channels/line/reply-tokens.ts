import type { ReplyToken } from './parse.ts'

export const replyTokenLimits = { kept: 10_000 } as const

/** The newest reply token of each chat. Each is used once. */
export type ReplyTokens = {
  keep(token: ReplyToken): void
  /** Null when there is none, or its time is over. */
  find(address: string): string | null
  /** Null when it was used already, or its time is over. */
  use(token: string): ReplyToken | null
}

export function replyTokens(now: () => number): ReplyTokens {
  const byAddress = new Map<string, ReplyToken>()
  const getFresh = (one: ReplyToken | undefined): ReplyToken | null => (one && one.expiresAt > now() ? one : null)
  return {
    keep(token) {
      if (!getFresh(token)) return
      byAddress.delete(token.address)
      byAddress.set(token.address, token)
      const [oldest] = byAddress.keys()
      if (byAddress.size > replyTokenLimits.kept && oldest !== undefined) byAddress.delete(oldest)
    },
    find: (address) => getFresh(byAddress.get(address))?.token ?? null,
    use(token) {
      for (const [address, one] of byAddress)
        if (one.token === token) {
          byAddress.delete(address)
          return getFresh(one)
        }
      return null
    },
  }
}

import type { Spent } from '../dialog/events.ts'
import type { DialogState } from '../dialog/state.ts'
import type { Agent, Spending } from '../ports/agent-runtime.ts'
import type { Store } from '../ports/store.ts'

/**
 * What a tree of dialogs has spent and what it may still spend.
 *
 * A generation is admitted only if even its worst case fits: every byte of the prompt a token, every output token used.
 * So a budget is kept, not noticed afterwards; the last few per cent of it may stay unspent. What is under way is
 * reserved in memory, so several processes on one store may each have one generation more under way than fits.
 */
export type Budgets = {
  /** The most it may use, or null when nothing more fits. `end` gives back what was reserved. */
  admit(dialog: string, state: DialogState, agent: Agent): Promise<Admitted | null>
}

export type Admitted = { allowance: { inputTokens: number; outputTokens: number } | null; end(): void }

const nothing: Spent = { tokens: 0, money: 0 }

const sum = (left: Spent, right: Spent): Spent => ({ tokens: left.tokens + right.tokens, money: left.money + right.money })

export function budgets(store: Store, views: { root(dialog: string): string; sides: string }): Budgets {
  const reserved = new Map<string, Spent>()

  async function spentBy(root: string): Promise<Spent> {
    const spentIn = (row: { body: object } | null): Spent => (row === null ? nothing : ((row.body as { spent?: Spent }).spent ?? nothing))
    let total = spentIn(await store.row(views.root(root), root))
    let before: { sort: number; key: string } | undefined
    for (;;) {
      const rows = await store.rows({ view: views.sides, group: root, limit: 500, ...(before ? { before } : {}) })
      for (const row of rows) total = sum(total, spentIn(row))
      const last = rows.at(-1)
      if (!last || rows.length < 500) return total
      before = { sort: last.sort, key: last.key }
    }
  }

  return {
    async admit(dialog, state, agent) {
      const { spending } = agent
      if (!spending || !isBounded(spending)) return { allowance: null, end() {} }
      const root = state.origin?.root ?? dialog
      const worst = worstCase(state, spending)
      // Reserved before looking, so that two of one tree that start together see each other.
      reserved.set(root, sum(reserved.get(root) ?? nothing, worst.spent))
      const end = (): void => {
        const left = sum(reserved.get(root) ?? nothing, { tokens: -worst.spent.tokens, money: -worst.spent.money })
        if (left.tokens <= 0) reserved.delete(root)
        else reserved.set(root, left)
      }
      const wanted = sum(await spentBy(root), reserved.get(root) ?? nothing)
      const { tokens = Infinity, money = Infinity } = spending.budget
      if (wanted.tokens <= tokens && wanted.money <= money) return { allowance: worst.allowance, end }
      end()
      return null
    },
  }
}

const isBounded = ({ budget }: Spending): boolean => budget.tokens !== undefined || budget.money !== undefined

/** A token is at least one byte, so bytes bound tokens, whatever the tokenizer. */
function worstCase(state: DialogState, spending: Spending): { spent: Spent; allowance: { inputTokens: number; outputTokens: number } } {
  const bytes = Buffer.byteLength(JSON.stringify(state.context)) + Buffer.byteLength(JSON.stringify(state.reminders))
  const allowance = { inputTokens: bytes + spending.promptOverheadTokens, outputTokens: spending.maxOutputTokens }
  return { allowance, spent: priceOf(allowance.inputTokens, allowance.outputTokens, spending) }
}

const priceOf = (inputTokens: number, outputTokens: number, { price }: Spending): Spent => ({
  tokens: inputTokens + outputTokens,
  money: price ? (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000 : 0,
})

/** What a generation cost. Where the provider does not say, the worst case counts. */
export function spentOn(
  usage: { inputTokens: number | null; outputTokens: number | null },
  allowance: Admitted['allowance'],
  spending: Spending | undefined,
): Spent {
  const input = usage.inputTokens ?? allowance?.inputTokens ?? 0
  const output = usage.outputTokens ?? allowance?.outputTokens ?? 0
  return spending ? priceOf(input, output, spending) : { tokens: input + output, money: 0 }
}

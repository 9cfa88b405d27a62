import type { Spent } from '../dialog/events.ts'
import type { DialogState } from '../dialog/state.ts'
import type { Agent, Spending } from '../ports/agent-runtime.ts'
import type { Store } from '../ports/store.ts'
import { type RunningMark, runningView } from '../streams/running-mark.ts'

/**
 * What a tree of dialogs has spent and what it may still spend.
 *
 * A generation is admitted only if even its worst case fits: every byte of the prompt a token, every output token used.
 * So a budget is kept, not noticed afterwards; the last few per cent of it may stay unspent. What is under way here is
 * reserved in memory; what is under way in another process, or was lost in a crash and not counted yet, is known by its
 * mark in the store. Two processes that admit at the same moment may each have one generation more under way than fits.
 */
export type Budgets = {
  /** The most it may use, or null when nothing more fits. `end` gives back what was reserved. */
  admit(dialog: string, state: DialogState, agent: Agent): Promise<Admitted | null>
}

export type Admitted = {
  /** Under a budget: the most the generation may use. */
  allowance: Tokens | null
  /** The most a generation that is lost without a trace is counted as; null for an agent that is not a model. */
  worst: Tokens | null
  end(): void
}

export type Tokens = { inputTokens: number; outputTokens: number }

const nothing: Spent = { tokens: 0, money: 0 }

const sum = (left: Spent, right: Spent): Spent => ({ tokens: left.tokens + right.tokens, money: left.money + right.money })

export function budgets(store: Store, views: { root(dialog: string): string; sides: string }): Budgets {
  const reserved = new Map<string, Spent>()

  const spentIn = ({ body }: { body: object }): Spent => (body as { spent?: Spent }).spent ?? nothing

  /** A generation that another process runs, or was running when it died: it is not in any total yet. */
  const runningElsewhere = ({ body }: { body: object }): Spent => {
    const { owner, note } = body as RunningMark<Spent | null>
    return owner === store.owner ? nothing : (note ?? nothing)
  }

  async function total(view: string, root: string, spentOf: (row: { body: object }) => Spent): Promise<Spent> {
    let found = nothing
    let before: { sort: number; key: string } | undefined
    for (;;) {
      const rows = await store.rows({ view, group: root, limit: 500, ...(before ? { before } : {}) })
      for (const row of rows) found = sum(found, spentOf(row))
      const last = rows.at(-1)
      if (!last || rows.length < 500) return found
      before = { sort: last.sort, key: last.key }
    }
  }

  async function spentBy(root: string): Promise<Spent> {
    const own = await store.row(views.root(root), root)
    const sides = await total(views.sides, root, spentIn)
    return sum(sum(own === null ? nothing : spentIn(own), sides), await total(runningView, root, runningElsewhere))
  }

  return {
    async admit(dialog, state, agent) {
      const { spending } = agent
      if (!spending) return { allowance: null, worst: null, end() {} }
      const worst = worstCase(state, spending)
      if (!isBounded(spending)) return { allowance: null, worst, end() {} }
      const reservation = priceOf(worst, spending)
      const root = state.origin?.root ?? dialog
      // Reserved before looking, so that two of one tree that start together see each other.
      reserved.set(root, sum(reserved.get(root) ?? nothing, reservation))
      const end = (): void => {
        const left = sum(reserved.get(root) ?? nothing, { tokens: -reservation.tokens, money: -reservation.money })
        if (left.tokens <= 0) reserved.delete(root)
        else reserved.set(root, left)
      }
      const wanted = sum(await spentBy(root), reserved.get(root) ?? nothing)
      const { tokens = Infinity, money = Infinity } = spending.budget
      if (wanted.tokens <= tokens && wanted.money <= money) return { allowance: worst, worst, end }
      end()
      return null
    },
  }
}

const isBounded = ({ budget }: Spending): boolean => budget.tokens !== undefined || budget.money !== undefined

/** A token is at least one byte, so bytes bound tokens, whatever the tokenizer. */
function worstCase(state: DialogState, spending: Spending): Tokens {
  const bytes = Buffer.byteLength(JSON.stringify(state.context)) + Buffer.byteLength(JSON.stringify(state.reminders))
  return { inputTokens: bytes + spending.promptOverheadTokens, outputTokens: spending.maxOutputTokens }
}

export const priceOf = ({ inputTokens, outputTokens }: Tokens, { price }: Pick<Spending, 'price'>): Spent => ({
  tokens: inputTokens + outputTokens,
  money: price ? (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000 : 0,
})

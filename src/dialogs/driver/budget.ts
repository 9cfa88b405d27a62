import type { Spent } from '../rules/dialog-events.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { measurePrompt } from '../rules/prompt/prompt-size.ts'
import type { Agent, Spending } from '../../ports/agent-runtime.ts'
import type { Store } from '../../ports/store.ts'
import { markedKey, type RunningMark, runningView } from '../../streams/running-mark.ts'

/**
 * The spending of a tree of dialogs, and the rest of its budget.
 *
 * A generation is admitted only if even its worst case fits: every byte of the prompt a token, every output token used.
 * So a budget is kept, not noticed afterwards; the last few per cent of it may stay unspent. What is under way here is
 * reserved in memory; what is under way in another process, or was lost in a crash or with its claim and not counted yet,
 * is known by its mark in the store. Two processes that admit at the same moment may each have one generation more under way than fits.
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
  /** Generations with a reservation, by dialog. A lost claim may still be ending while the next one has begun. */
  const underWay = new Map<string, number>()

  const spentIn = ({ body }: { body: object }): Spent => (body as { spent?: Spent }).spent ?? nothing

  /** A generation that is in no total yet: another process runs it, or its process or claim was lost. */
  const unreserved = ({ key, body }: { key: string; body: object }): Spent => {
    const { owner, note } = body as RunningMark<Spent | null>
    return owner === store.owner && underWay.has(markedKey(key)) ? nothing : (note ?? nothing)
  }

  async function total(view: string, root: string, spentOf: (row: { key: string; body: object }) => Spent): Promise<Spent> {
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

  /** Marks are read before totals: what moves from one to the other meanwhile is counted twice rather than not at all. */
  async function spentBy(root: string): Promise<Spent> {
    const marked = await total(runningView, root, unreserved)
    const own = await store.row(views.root(root), root)
    const sides = await total(views.sides, root, spentIn)
    return sum(sum(own === null ? nothing : spentIn(own), sides), marked)
  }

  return {
    async admit(dialog, state, agent) {
      const { spending } = agent
      if (!spending) return { allowance: null, worst: null, end() {} }
      const worst = worstCase(state, spending)
      if (!isBounded(spending)) return { allowance: null, worst, end() {} }
      const reservation = computePrice(worst, spending)
      const root = state.origin?.root ?? dialog
      // Reserved before looking, so that two of one tree that start together see each other.
      reserved.set(root, sum(reserved.get(root) ?? nothing, reservation))
      underWay.set(dialog, (underWay.get(dialog) ?? 0) + 1)
      const end = (): void => {
        const others = (underWay.get(dialog) ?? 1) - 1
        if (others === 0) underWay.delete(dialog)
        else underWay.set(dialog, others)
        const left = sum(reserved.get(root) ?? nothing, { tokens: -reservation.tokens, money: -reservation.money })
        if (left.tokens <= 0) reserved.delete(root)
        else reserved.set(root, left)
      }
      const { tokens = Infinity, money = Infinity } = spending.budget
      for (;;) {
        // Taken before looking: a generation that ends meanwhile may be missing in the totals that were read.
        const ahead = reserved.get(root)
        const wanted = sum(await spentBy(root), ahead ?? nothing)
        if (wanted.tokens <= tokens && wanted.money <= money) return { allowance: worst, worst, end }
        if (reserved.get(root) === ahead) break
      }
      end()
      return null
    },
  }
}

const isBounded = ({ budget }: Spending): boolean => budget.tokens !== undefined || budget.money !== undefined

/** A token is at least one byte, so bytes bound tokens, whatever the tokenizer. */
function worstCase(state: DialogState, spending: Spending): Tokens {
  const bytes = state.prompt?.epoch
    ? measurePrompt(state.prompt, state.language)
    : Buffer.byteLength(JSON.stringify(state.context)) + Buffer.byteLength(JSON.stringify(state.reminders))
  return { inputTokens: bytes + spending.promptOverheadTokens, outputTokens: spending.maxOutputTokens }
}

export const computePrice = ({ inputTokens, outputTokens }: Tokens, { price }: Pick<Spending, 'price'>): Spent => ({
  tokens: inputTokens + outputTokens,
  money: price ? (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000 : 0,
})

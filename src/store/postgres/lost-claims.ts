import type { PostgresConnection } from './postgres-connection.ts'

export const lostClaimLimits = {
  /** For so long after a claim without an answer its work is looked for: the server may still be running the statement. */
  lookForMs: 10_000,
} as const

type Doubt = {
  /** Highest epoch of this kind before the claim. */
  after: number
  /** Epochs of later claims whose answer came. */
  held: Set<number>
  until: number
}

/**
 * Gives back work that was claimed for this process while the answer got lost: this process does not know of it, and as the
 * process is alive no other one would take it before its lease ends. Claims of one kind take turns, so that every epoch above
 * that of the last answer belongs to the claim without one.
 */
export class LostClaims {
  readonly #connection: PostgresConnection
  readonly #schema: string
  readonly #owner: string
  readonly #doubts = new Map<string, Doubt>()
  readonly #lastEpochs = new Map<string, number>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(connection: PostgresConnection, schema: string, owner: string) {
    this.#connection = connection
    this.#schema = schema
    this.#owner = owner
  }

  /** Runs a claim after those of the same kind before it. */
  claim<Row extends { epoch: string }>(kind: string, run: () => Promise<Row[]>): Promise<Row[]> {
    const before = this.#turns.get(kind) ?? Promise.resolve()
    const turn = before.then(() => this.#claimInTurn(kind, run))
    this.#turns.set(
      kind,
      turn.catch(() => {}),
    )
    return turn
  }

  async #claimInTurn<Row extends { epoch: string }>(kind: string, run: () => Promise<Row[]>): Promise<Row[]> {
    await this.#release(kind)
    const doubt = this.#doubts.get(kind)
    try {
      const rows = await run()
      for (const { epoch } of rows) {
        this.#lastEpochs.set(kind, Math.max(this.#lastEpochs.get(kind) ?? 0, Number(epoch)))
        doubt?.held.add(Number(epoch))
      }
      return rows
    } catch (error) {
      const until = performance.now() + lostClaimLimits.lookForMs
      if (doubt) doubt.until = until
      else this.#doubts.set(kind, { after: this.#lastEpochs.get(kind) ?? 0, held: new Set(), until })
      throw error
    }
  }

  async #release(kind: string): Promise<void> {
    const doubt = this.#doubts.get(kind)
    if (!doubt) return
    await this.#connection.change(
      `UPDATE ${this.#schema}.work SET owner = NULL, due_at = 0, attempts = greatest(attempts - 1, 0)
       WHERE owner = $1 AND kind = $2 AND epoch > $3 AND epoch <> ALL ($4::bigint[])`,
      [this.#owner, kind, doubt.after, [...doubt.held]],
    )
    if (performance.now() > doubt.until) this.#doubts.delete(kind)
  }
}

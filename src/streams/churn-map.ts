type Box<Value> = { value: Value | undefined }

/**
 * A map for entries that come and go all the time and hold much, such as running turns.
 *
 * V8 replaces the table of a `Map` that has had many entries removed, and links the old table, entries included, to its successor.
 * Once one table of that chain has been promoted, every later one survives collections of young objects, with all that its entries
 * held, until the next collection of the whole heap (decision 62). Here an old table holds empty boxes.
 */
export class ChurnMap<Value extends object> {
  readonly #boxes = new Map<string, Box<Value>>()

  get(key: string): Value | undefined {
    return this.#boxes.get(key)?.value
  }

  set(key: string, value: Value): void {
    const box = this.#boxes.get(key)
    if (box) box.value = value
    else this.#boxes.set(key, { value })
  }

  delete(key: string): void {
    const box = this.#boxes.get(key)
    if (!box) return
    box.value = undefined
    this.#boxes.delete(key)
  }

  *entries(): Generator<[key: string, value: Value]> {
    for (const [key, { value }] of this.#boxes) if (value) yield [key, value]
  }
}

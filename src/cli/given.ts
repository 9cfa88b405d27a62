/** Arguments and flags of a command, read by name. */
export class Given {
  readonly #args: readonly (string | undefined)[]
  readonly #flags: Readonly<Record<string, unknown>>

  constructor(args: readonly (string | undefined)[], flags: Readonly<Record<string, unknown>>) {
    this.#args = args
    this.#flags = flags
  }

  /** An argument that commander has made sure is there. */
  arg(index: number): string {
    return this.#args[index] ?? ''
  }

  optionalArg(index: number): string | undefined {
    return this.#args[index]
  }

  has(name: string): boolean {
    return this.#flags[name] !== undefined && this.#flags[name] !== false
  }

  text(name: string): string | undefined {
    const value = this.#flags[name]
    return typeof value === 'string' ? value : undefined
  }

  number(name: string): number | undefined {
    const value = this.#flags[name]
    return typeof value === 'number' ? value : undefined
  }

  list(name: string): string[] {
    const value = this.#flags[name]
    return Array.isArray(value) ? value.map(String) : []
  }

  /** A switch. */
  on(name: string): boolean {
    return this.#flags[name] === true
  }

  /** Said no to: `--no-check` is read as `off('check')`. */
  off(name: string): boolean {
    return this.#flags[name] === false
  }
}

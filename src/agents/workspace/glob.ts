/** A compiled glob. It is no RegExp: several `**` would take polynomial time to fail. */
export type Glob = { test(name: string): boolean }

type State = { empty: number[]; fits: ((char: string) => boolean) | null; next: number }

/**
 * `*` stands for anything within one name, `**` for anything, `?` for one character, `{a,b}` for either. Unlike a shell's,
 * these also fit names that begin with a dot: what closes a folder must not leave its hidden files open.
 */
export function globPattern(glob: string, options: { andBelow?: boolean } = {}): Glob {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
  const states: State[] = []
  const add = (): number => states.push({ empty: [], fits: null, next: -1 }) - 1
  const link = (from: number, to: number): void => void states[from]?.empty.push(to)
  let end = add()
  const one = (fits: (char: string) => boolean): void => {
    const next = add()
    Object.assign(states[end] ?? {}, { fits, next })
    end = next
  }
  const many = (fits: (char: string) => boolean): void => {
    const [loop, next] = [add(), add()]
    link(end, loop)
    Object.assign(states[loop] ?? {}, { fits, next: loop })
    link(loop, next)
    end = next
  }
  const optional = (...parts: (() => void)[]): void => {
    const [first, last] = [add(), add()]
    link(end, first)
    link(end, last)
    end = first
    for (const part of parts) part()
    link(end, last)
    end = last
  }
  const groups: { first: number; last: number }[] = []
  const alternative = (): void => {
    const group = groups.at(-1)
    if (!group) return
    end = add()
    link(group.first, end)
  }
  const closeGroup = (): void => {
    const group = groups.pop()
    if (!group) return
    link(end, group.last)
    end = group.last
  }
  const lastBrace = plain.lastIndexOf('}')
  if (plain === '' || plain === '.') many(isAny)
  else {
    for (let at = 0; at < plain.length;) {
      const char = String.fromCodePoint(plain.codePointAt(at) ?? 0)
      const from = at
      at += char.length
      if (plain.startsWith('/**', from) && (plain.length === from + 3 || plain[from + 3] === '/')) {
        optional(
          () => one(isSlash),
          () => many(isAny),
        )
        at = from + 3
      } else if (plain.startsWith('**/', from)) {
        optional(
          () => many(isAny),
          () => one(isSlash),
        )
        at = from + 3
      } else if (plain.startsWith('**', from)) {
        many(isAny)
        at = from + 2
      } else if (char === '*') many(isNoSlash)
      else if (char === '?') one(isNoSlash)
      else if (char === '{' && lastBrace > from) {
        groups.push({ first: end, last: add() })
        alternative()
      } else if (char === '}' && groups.length > 0) closeGroup()
      else if (char === ',' && groups.length > 0) {
        link(end, groups.at(-1)?.last ?? end)
        alternative()
      } else one((given) => given === char)
    }
    while (groups.length > 0) closeGroup()
  }
  if (options.andBelow)
    optional(
      () => one(isSlash),
      () => many(isAny),
    )
  return { test: (name) => isMatch(states, end, name) }
}

const isAny = (): boolean => true
const isSlash = (char: string): boolean => char === '/'
const isNoSlash = (char: string): boolean => char !== '/'

/** Follows all ways through the states at once, so the time is bounded by the lengths of name and glob multiplied. */
function isMatch(states: readonly State[], end: number, name: string): boolean {
  let current = closure(states, [0])
  for (const char of name) {
    const reached: number[] = []
    for (const at of current) {
      const state = states[at]
      if (state?.fits?.(char)) reached.push(state.next)
    }
    if (reached.length === 0) return false
    current = closure(states, reached)
  }
  return current.has(end)
}

function closure(states: readonly State[], from: readonly number[]): Set<number> {
  const all = new Set(from)
  // A set that grows while it is walked is walked to its new end.
  for (const at of all) for (const to of states[at]?.empty ?? []) all.add(to)
  return all
}

import { parseRegex, type RegexNode } from './regex-syntax.ts'

/** Text on which a backtracking matcher may take more than linear time: `prefix`, then `pump` again and again, then one of `ends`. */
export type Attack = { prefix: string; pump: string; ends: readonly string[] }

/**
 * Searches an expression for ambiguity: two different states p and q and a text `pump` that leads from p to p, from p to
 * q and from q to q. Without such a pair the number of ways to match is bounded for each length, and matching takes
 * linear time. Conditions around a match (`\b`, `$`, look-ahead) are ignored here, so a pair is a suspicion that has to
 * be measured; no pair is a proof. A finite repetition counts as a constant factor.
 */
export function ambiguities(source: string, flags: string): Attack[] {
  const match = attacksOn(parseRegex(source, flags), flags)
  return [...new Map(match.map((attack) => [`${attack.prefix}\0${attack.pump}`, attack])).values()]
}

/** Each of these is a state of the search: where the next character must fit one of `next`. */
type State = { chars: ReadonlySet<string>; next: Map<number, number>; isEnd: boolean }

type Step = { to: number; isStart: boolean; isGuarded: boolean }

/** States 0 and 1 are the beginning of the text and any later beginning of a match; 2 stands after a line break. */
const [textStart, anyStart, lineStart] = [0, 1, 2]

function attacksOn(tree: RegexNode, flags: string): Attack[] {
  const alphabet = alphabetFor(tree, flags)
  const states = automaton(tree, flags, alphabet)
  const ends = ['', ...alphabet]
  const component = components(states)
  const isLoop = (state: number): boolean =>
    item(states, state).next.has(state) || component.some((other, index) => index !== state && other === component[state])
  const loops = states.map((_, index) => index).filter(isLoop)
  const attacks: Attack[] = []
  for (const q of loops) {
    for (const [to, ways] of item(states, q).next)
      if (ways > 1 && component[to] === component[q])
        attacks.push({ prefix: wordTo(states, q), pump: loopThrough(states, q, to, component), ends })
    // A loop that may end anywhere never fails, so what came before it is not tried again.
    if (q === anyStart || item(states, q).isEnd) continue
    for (const p of loops) {
      const pump = p === q ? null : commonPump(states, component, p, q)
      if (pump !== null) attacks.push({ prefix: wordTo(states, p), pump, ends })
    }
  }
  return attacks
}

function automaton(tree: RegexNode, flags: string, alphabet: readonly string[]): State[] {
  const edges: Step[][] = []
  const node = (): number => edges.push([]) - 1
  const link = (from: number, to: number, more: Partial<Step> = {}): void =>
    void item(edges, from).push({ to, isStart: false, isGuarded: false, ...more })
  const chars: { source: string; from: number; to: number }[] = []
  const first = node()
  const last = node()
  build(tree, first, last)

  const states: State[] = [
    { chars: new Set(), next: new Map(), isEnd: false },
    { chars: new Set(alphabet), next: new Map(), isEnd: false },
    { chars: new Set(['\n']), next: new Map(), isEnd: false },
    ...chars.map(({ source }) => ({ chars: matching(source, flags, alphabet), next: new Map<number, number>(), isEnd: false })),
  ]
  const isMany = flags.includes('m')
  const enter = (state: number, { char, isStart }: { char: number; isStart: boolean }, ifStart: boolean): void => {
    if (isStart === ifStart) add(item(states, state).next, char + 3)
  }
  const begun = reach(first)
  for (const way of begun.chars) {
    enter(textStart, way, true)
    enter(textStart, way, false)
    enter(anyStart, way, false)
    enter(lineStart, way, true)
  }
  if (!flags.includes('y')) {
    add(item(states, textStart).next, anyStart)
    add(item(states, anyStart).next, anyStart)
    if (isMany) add(item(states, anyStart).next, lineStart)
    if (isMany) add(item(states, textStart).next, lineStart)
  }
  chars.forEach(({ to }, index) => {
    const { chars: followed, isEnd } = reach(to)
    for (const { char, isStart } of followed) if (!isStart || isMany) add(item(states, index + 3).next, char + 3)
    item(states, index + 3).isEnd = isEnd
  })
  return states

  function build(part: RegexNode, from: number, to: number): void {
    switch (part.kind) {
      case 'char':
        chars.push({ source: part.source, from, to })
        return
      case 'sequence': {
        let at = from
        for (const each of part.parts) {
          const next = node()
          build(each, at, next)
          at = next
        }
        return link(at, to)
      }
      case 'either':
        for (const each of part.parts) {
          const [start, end] = [node(), node()]
          link(from, start)
          build(each, start, end)
          link(end, to)
        }
        return
      case 'repeat':
        return buildRepeat(part, from, to)
      case 'assertion':
        return link(from, to, { isGuarded: true, isStart: part.source === '^' })
      case 'look':
        // A way of its own that leads nowhere: it is walked at each place, also where the match then succeeds.
        build(part.body, from, node())
        return link(from, to, { isGuarded: true })
      case 'reference': {
        const any: RegexNode = { kind: 'repeat', body: { kind: 'char', source: '[^]' }, least: 0, most: Infinity }
        return build(any, from, to)
      }
    }
  }

  /** Needed copies are all there, so that an attack gets past them; of the optional ones two show the same ambiguity as all. */
  function buildRepeat({ body, least, most }: RegexNode & { kind: 'repeat' }, from: number, to: number): void {
    const needed = Math.min(least, 64)
    let at = from
    const copy = (): number => {
      const [start, end] = [node(), node()]
      link(at, start)
      build(body, start, end)
      return end
    }
    for (let count = 0; count < needed; count += 1) at = copy()
    if (most === Infinity) {
      const [start, end] = [node(), node()]
      link(at, start)
      link(at, to)
      build(body, start, end)
      link(end, start)
      return link(end, to)
    }
    for (let count = needed; count < Math.min(most, needed + 2); count += 1) {
      link(at, to)
      at = copy()
    }
    link(at, to)
  }

  /** The characters that can follow a node, once for each way to them, and whether the match can end without a condition. */
  function reach(start: number): { chars: { char: number; isStart: boolean }[]; isEnd: boolean } {
    const matches: { char: number; isStart: boolean }[] = []
    let isEnd = false
    let budget = 20_000
    const onPath = new Set<number>()
    const walk = (at: number, isStart: boolean, isGuarded: boolean): void => {
      if (onPath.has(at) || budget <= 0) return
      budget -= 1
      onPath.add(at)
      if (at === last && !isGuarded) isEnd = true
      chars.forEach(({ from }, char) => from === at && matches.push({ char, isStart }))
      for (const step of item(edges, at)) walk(step.to, isStart || step.isStart, isGuarded || step.isGuarded)
      onPath.delete(at)
    }
    walk(start, false, false)
    if (budget <= 0) throw new Error('the expression has too many empty ways; write it in a simpler way')
    return { chars: matches, isEnd }
  }
}

function item<Item>(list: readonly Item[], index: number): Item {
  const entry = list[index]
  if (entry === undefined) throw new RangeError(`there is no item ${index}`)
  return entry
}

const add = (next: Map<number, number>, to: number): void => void next.set(to, (next.get(to) ?? 0) + 1)

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const others = Array.from('\u0085\u009b\u00a0é߀界完。，！？；、…“”’–—•\u2028\u2029\u200b\u202a\u2066\ufeff\ufffd\ud83d\ude00ａЖعกあ가')

/** One character for each group that no part of the expression tells apart. */
function alphabetFor(tree: RegexNode, flags: string): string[] {
  const sources = [...new Set(charsIn(tree))]
  const literal = Array.from(sources.join(''))
  const all = [...new Set([...ascii, ...others, ...literal])]
  const tests = sources.map((source) => matching(source, flags, all))
  const groups = new Map<string, string>()
  // Letters are easier to read than control characters, and come first.
  const order = [...all].toSorted((a, b) => Number(b >= '!') - Number(a >= '!'))
  for (const char of order) {
    const key = tests.map((set) => (set.has(char) ? '1' : '0')).join('') + (char === '\n' ? 'n' : '')
    if (!groups.has(key)) groups.set(key, char)
  }
  return [...groups.values()]
}

function charsIn(node: RegexNode): string[] {
  if (node.kind === 'char') return [node.source]
  if (node.kind === 'repeat' || node.kind === 'look') return charsIn(node.body)
  return node.kind === 'sequence' || node.kind === 'either' ? node.parts.flatMap(charsIn) : []
}

function matching(source: string, flags: string, alphabet: readonly string[]): Set<string> {
  const whole = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ''))
  return new Set(alphabet.filter((char) => whole.test(char)))
}

/** The number of the strongly connected component of each state (Tarjan). */
function components(states: readonly State[]): number[] {
  const index: number[] = []
  const low: number[] = []
  const component: number[] = []
  const stack: number[] = []
  let count = 0
  const visit = (state: number): void => {
    index[state] = low[state] = count++
    stack.push(state)
    for (const to of item(states, state).next.keys()) {
      if (index[to] === undefined) visit(to)
      if (component[to] === undefined) low[state] = Math.min(item(low, state), item(low, to))
    }
    if (low[state] !== index[state]) return
    for (let member = stack.pop(); member !== undefined; member = member === state ? undefined : stack.pop()) component[member] = state
  }
  states.forEach((_, state) => index[state] === undefined && visit(state))
  return component
}

/** A shortest text on which three walkers go p→p, p→q and q→q. */
function commonPump(states: readonly State[], component: readonly number[], p: number, q: number): string | null {
  const within = (from: number, of: number): number[] => [...item(states, from).next.keys()].filter((to) => component[to] === component[of])
  type Place = { a: number; b: number; c: number; word: string }
  const seenKeys = new Set<string>()
  let front: Place[] = [{ a: p, b: p, c: q, word: '' }]
  while (front.length > 0) {
    const ahead: Place[] = []
    for (const { a, b, c, word } of front) {
      for (const toA of within(a, p))
        for (const toC of within(c, q)) {
          for (const toB of item(states, b).next.keys()) {
            const key = `${toA} ${toB} ${toC}`
            if (seenKeys.has(key)) continue
            const char = common(item(states, toA).chars, item(states, toB).chars, item(states, toC).chars)
            if (char === undefined) continue
            seenKeys.add(key)
            if (toA === p && toB === q && toC === q) return word + char
            ahead.push({ a: toA, b: toB, c: toC, word: word + char })
          }
        }
    }
    front = ahead
  }
  return null
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>, c: ReadonlySet<string>): string | undefined {
  for (const char of c) if (b.has(char) && a.has(char)) return char
  return undefined
}

function shortest(
  states: readonly State[],
  from: number,
  isThere: (state: number) => boolean,
  may: (state: number) => boolean,
): string | null {
  const visited = new Set<number>()
  let front = [{ at: from, word: '' }]
  while (front.length > 0) {
    const ahead: { at: number; word: string }[] = []
    for (const { at, word } of front)
      for (const to of item(states, at).next.keys()) {
        const [char] = item(states, to).chars
        if (char === undefined || visited.has(to) || !may(to)) continue
        if (isThere(to)) return word + char
        visited.add(to)
        ahead.push({ at: to, word: word + char })
      }
    front = ahead
  }
  return null
}

const wordTo = (states: readonly State[], state: number): string =>
  state === anyStart
    ? ''
    : (shortest(
        states,
        textStart,
        (at) => at === state,
        () => true,
      ) ?? '')

function loopThrough(states: readonly State[], from: number, to: number, component: readonly number[]): string {
  const [char = ''] = item(states, to).chars
  if (from === to) return char
  const isInside = (state: number): boolean => component[state] === component[from]
  return char + (shortest(states, to, (state) => state === from, isInside) ?? '')
}

import { blockNames, lookAlike } from '../fences.ts'
import type { PromptItem } from '../prompt-items.ts'
import { initialPromptList } from '../prompt-list.ts'
import { type History, type Sent, type WireName, wireNames } from './histories.ts'

/** The first rule a history breaks, in words; null when it breaks none. */
export function findHistoryFault(history: History): string | null {
  const { sent, facts } = history
  const written = new Set(facts.flatMap((fact) => (fact.type === 'arrived' && fact.arrival.kind === 'message' ? [fact.arrival.text] : [])))
  const ids = new WireIds()
  for (const [at, request] of sent.entries()) {
    const before = sent[at - 1]
    const fault =
      prefixFault(before, request) ??
      ids.findFault(before, request) ??
      resultFault(request.items) ??
      fenceFault(before, request) ??
      orderFault(request) ??
      wordsFault(before, request, written)
    if (fault !== null) return `request ${at}: ${fault}`
  }
  return foldFault(history)
}

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** P2: two folds give equal bytes, also one by a later process, which has a snapshot and the facts as the log has them. */
function foldFault({ facts, isSide, fold, list }: History): string | null {
  const again = facts.reduce((before, fact) => fold.evolve(before, fact), initialPromptList(isSide))
  if (JSON.stringify(again) !== JSON.stringify(list)) return 'folding the facts a second time gives another list'
  const stored = copy(facts)
  const middle = Math.floor(stored.length / 2)
  const half = stored.slice(0, middle).reduce((before, fact) => fold.evolve(before, fact), initialPromptList(isSide))
  const resumed = stored.slice(middle).reduce((before, fact) => fold.evolve(before, fact), copy(half))
  return JSON.stringify(resumed) === JSON.stringify(list) ? null : 'folding on from a snapshot gives another list'
}

/** The elements of a request that the one before it did not have. */
function newElements(before: Sent | undefined, { epoch, wires }: Sent, wire: WireName): unknown[] {
  const known = before?.epoch === epoch ? before.wires[wire].length + 1 : 1
  return JSON.parse(`[${wires[wire].slice(known)}]`) as unknown[]
}

type CallElement = { type?: string; call_id?: string; tool_calls?: { id: string }[]; content?: unknown }

/** Ids of calls, as a model reads them. */
function listCallIds(elements: readonly unknown[]): string[] {
  return (elements as CallElement[]).flatMap(({ type, call_id: id, tool_calls: calls = [], content }) => [
    ...calls.map((call) => call.id),
    ...(type === 'function_call' && id !== undefined ? [id] : []),
    ...(Array.isArray(content) ? (content as { type?: string; id?: string }[]) : []).flatMap((part) =>
      part.type === 'tool_use' && part.id !== undefined ? [part.id] : [],
    ),
  ])
}

/** P16: in each wire an id names one call of an epoch. That it never changes follows from the prefix. */
class WireIds {
  #epoch = 0
  #taken = new Set<string>()

  findFault(before: Sent | undefined, request: Sent): string | null {
    if (this.#epoch !== request.epoch) this.#taken.clear()
    this.#epoch = request.epoch
    for (const wire of wireNames)
      for (const id of listCallIds(newElements(before, request, wire))) {
        if (this.#taken.has(`${wire} ${id}`)) return `${wire}: the id ${id} names two calls`
        this.#taken.add(`${wire} ${id}`)
      }
    return null
  }
}

/** P1: within an epoch, a request begins with the bytes of the one before it. A retry has the same bytes. */
function prefixFault(before: Sent | undefined, request: Sent): string | null {
  if (!before || before.epoch !== request.epoch) return null
  for (const wire of wireNames) {
    const [older, newer] = [before.wires[wire], request.wires[wire]]
    if (request.isRetry ? newer !== older : !newer.startsWith(older)) return `${wire}: the request before it is no prefix`
  }
  return null
}

/** P4: every call has one result, in call order, in the batch after its output; ids are unique. */
export function resultFault(items: readonly PromptItem[]): string | null {
  let expected: string[] = []
  const ids = new Set<string>()
  for (const item of items) {
    if (item.kind === 'result') {
      if (expected.shift() !== item.call) return `the result of ${item.call} is not in its place`
      continue
    }
    if (expected.length > 0) return `${expected[0]} has no result`
    if (item.kind !== 'output') continue
    expected = item.parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))
    for (const id of expected) {
      if (ids.has(id)) return `${id} is used twice`
      ids.add(id)
    }
  }
  return expected.length > 0 ? `${expected[0]} has no result` : null
}

/** The tags of blocks in a text, such as `message` and `/message`. */
const listTags = (text: string): string[] =>
  [...text.matchAll(lookAlike)].map(({ index }) => {
    const inner = text
      .slice(index + 1, index + 60)
      .replace(/[\s\p{Cf}]/gu, '')
      .toLowerCase()
    const slash = inner.startsWith('/') ? '/' : ''
    return slash + (blockNames.find((name) => inner.startsWith(name, slash.length)) ?? '')
  })

/** P7: the only tags are those of the runtime, so that they open and close in turn. */
function fenceFault(before: Sent | undefined, request: Sent): string | null {
  for (const element of newElements(before, request, 'responses') as {
    role?: string
    content?: { text: string }[]
    output?: string | { text: string }[]
  }[]) {
    if (element.role === 'assistant' || (element.role === undefined && element.output === undefined)) continue
    const output = typeof element.output === 'object' ? element.output[0]?.text : element.output
    const text = element.content?.[0]?.text ?? output ?? ''
    const tags = listTags(text)
    const isFenced = element.output === undefined
    const waitingText =
      /it will arrive as an? <(?:reply|answer)>|as an? <outcome> block|回复将以 <reply>|答案将以 <answer>|结果将以 <outcome>/.test(text)
    if (isFenced && !(tags.length >= 2 && tags.at(-1) === `/${tags[0]}`)) return `an element is not one block: ${text.slice(0, 80)}`
    const inside = isFenced ? tags.slice(1, -1) : tags
    if (inside.length > 0 && !waitingText && !/<waiting>|在 <waiting>/.test(text)) return `a tag inside an element: ${text.slice(0, 80)}`
  }
  return null
}

/** Batches and outputs take turns, and a request never ends with the agent's own words. */
function orderFault({ items }: Sent): string | null {
  if (items.at(-1)?.kind === 'output') return 'it ends with an output'
  const doubled = items.some((item, at) => item.kind === 'output' && items[at + 1]?.kind === 'output')
  return doubled ? 'two outputs follow each other' : null
}

type Part = { type?: string; text?: string }
type Element = { role?: string; content?: string | Part[] }

/** Texts of the elements of people: each is a message of its own, and in the wire of Anthropic a block. */
const listTexts = (elements: readonly Element[]): string[] =>
  elements
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => (text === undefined ? [] : [text])),
    )

const blocks =
  /[<＜](?=[\s\p{Cf}]*\/?[\s\p{Cf}]*(?:diligence|message|request|ask-back|reply|answer|outcome|plugin|runtime|memories|task-document|reminders|waiting|trail)(?![\w-]))/giu

/** Words of a person as a model has to read them, written down a second time. */
const asRead = (text: string): string =>
  text
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .replaceAll(/[\u{E0000}-\u{E007F}]/gu, '')
    .replaceAll(blocks, '&lt;')

/** P6: roles of the runtime hold its notes alone. P8: the words of a person are one element, equal to what was written. */
function wordsFault(before: Sent | undefined, request: Sent, written: ReadonlySet<string>): string | null {
  const { items, epoch } = request
  const from = before?.epoch === epoch ? before.items.length : 0
  const said = items.slice(from).flatMap((item) => (item.kind === 'arrival' && item.arrival.kind === 'message' ? [item.arrival.text] : []))
  const changed = said.find((words) => !written.has(words))
  if (changed !== undefined) return `nobody wrote: ${changed.slice(0, 80)}`
  for (const wire of wireNames) {
    const elements = newElements(before, request, wire) as Element[]
    for (const { role, content } of elements) {
      const text = typeof content === 'string' ? content : (content?.[0]?.text ?? '')
      if ((role === 'developer' || role === 'system') && !/^<runtime>[^]*<\/runtime>$/.test(text))
        return `${wire}: ${role} says ${text.slice(0, 80)}`
    }
    const texts = listTexts(elements)
    for (const words of said) {
      const one = (text: string): boolean => {
        const inner = /^<message from="[^"]*" at="[^"]*">\n?([^]*?)\n?<\/message>(?:\n\[(?:image|file) [^]*)?$/.exec(text)?.[1]
        return inner !== undefined && inner.trim() === asRead(words).trim()
      }
      const found = wire === 'strict chat' ? texts.flatMap(toParagraphs).filter(one) : texts.filter(one)
      if (found.length !== 1) return `${wire}: a person's message is in ${found.length} elements`
    }
  }
  return null
}

/** Messages of people in a joined text: a block begins after a blank line or at the start. */
const toParagraphs = (text: string): string[] => text.split(/\n\n(?=<[a-z])/)

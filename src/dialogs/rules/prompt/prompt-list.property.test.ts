import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { evolvePrompt, itemsToSend, type PromptList } from './prompt-list.ts'
import { findHistoryFault } from './test/history-faults.ts'
import { type Fold, History, realFold } from './test/histories.ts'

/** `npm run prefix` looks at 100,000. */
const histories = 400
const generations = 10

/** The first seed whose history shows a fault. */
function findFault(fold: Fold, most: number): string | null {
  for (let seed = 1; seed <= most; seed += 1) {
    const fault = findHistoryFault(new History(seed, fold).run(generations))
    if (fault !== null) return `seed ${seed}: ${fault}`
  }
  return null
}

test('every request begins with the bytes of the one before it, in every wire [P1] [P2] [P3] [P4] [P6] [P7] [P8] [P16]', () => {
  assert.equal(findFault(realFold, histories), null)
})

const forget = (list: PromptList): PromptList => ({ ...list, fixedSeen: null })

/** Counts folds of outputs, as a clock would. */
let folds = 0

/** Facts that were folded into a list, known to this process alone. */
const folded = new WeakMap<PromptList, number>()

/** The chat wire with other ids: each by its old one, its place and the number of all calls. */
const withIds =
  (change: (id: string, at: number, count: number) => string): Fold['render']['chat'] =>
  (items, language) => {
    const ids = items.flatMap((item) =>
      item.kind === 'output' ? item.parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])) : [],
    )
    const rename = (id: string): string => change(id, ids.indexOf(id), ids.length)
    return realFold.render.chat(items, language).map((element) => {
      const { tool_calls: calls, tool_call_id: result } = element as { tool_calls?: { id: string }[]; tool_call_id?: string }
      return {
        ...element,
        ...(calls && { tool_calls: calls.map((call) => ({ ...call, id: rename(call.id) })) }),
        ...(result !== undefined && { tool_call_id: rename(result) }),
      }
    })
  }

/** Each breaks one rule, as a careless change would, and that rule has to notice it. */
const planted: Record<string, { found: RegExp; fold: Fold }> = {
  'a late result replaces the waiting text': {
    found: /no prefix/,
    fold: {
      ...realFold,
      evolve(list, fact) {
        if (fact.type !== 'settled' || fact.end.is !== 'result') return evolvePrompt(list, fact)
        const { end } = fact
        const items = list.items.map((item) =>
          item.kind === 'result' && item.call === fact.call
            ? { ...item, result: { is: 'outcome' as const, ok: end.ok, text: end.text } }
            : item,
        )
        return { ...evolvePrompt(list, fact), items }
      },
    },
  },
  'a retry takes in what has arrived since': {
    found: /no prefix/,
    fold: {
      ...realFold,
      evolve: (list, fact) => (fact.type === 'tried' ? list : evolvePrompt(list, fact)),
    },
  },
  'an output is put before what arrived while it was made': {
    found: /no prefix|not in its place|ends with an output|no result/,
    fold: {
      ...realFold,
      evolve: (list, fact) => evolvePrompt(list, fact.type === 'generated' ? { ...fact, seen: fact.seq } : fact),
    },
  },
  'the oldest items are dropped without a new epoch': {
    found: /no prefix|not in its place/,
    fold: {
      ...realFold,
      itemsToSend: (list) => itemsToSend(list).slice(-12),
    },
  },
  'reasoning is dropped without a new epoch': {
    found: /chat: .* no prefix/,
    fold: {
      ...realFold,
      render: {
        ...realFold.render,
        chat: (items, language) =>
          realFold.render.chat(
            items.map((item, at) =>
              item.kind === 'output' && at < items.length - 6
                ? { ...item, parts: item.parts.filter(({ type }) => type !== 'reasoning') }
                : item,
            ),
            language,
          ),
      },
    },
  },
  'results come in the order in which they ended': {
    found: /not in its place/,
    fold: {
      ...realFold,
      itemsToSend: (list) =>
        itemsToSend({ ...list, lastCalls: list.lastCalls.toSorted((one, two) => (one.end?.seq ?? 0) - (two.end?.seq ?? 0)).toReversed() }),
    },
  },
  'an item says what comes after it': {
    found: /anthropic: .* no prefix/,
    fold: {
      ...realFold,
      render: {
        ...realFold.render,
        anthropic: (items, language) =>
          realFold.render.anthropic(items, language).map((message, at, all) => ({ ...message, of: all.length - at > 3 ? 'old' : 'new' })),
      },
    },
  },
  'a person is quoted in a note': {
    found: /responses: developer says/,
    fold: {
      ...realFold,
      render: {
        ...realFold.render,
        responses: (items, language) =>
          realFold.render.responses(items, language).map((element) => {
            const { role, content } = element as { role?: string; content?: { text?: string }[] }
            const isMessage = role === 'user' && content?.[0]?.text?.startsWith('<message ')
            return isMessage ? { ...element, role: 'developer' } : element
          }),
      },
    },
  },
  'the words of a person are joined to what stands before them': {
    found: /chat: a person's message is in 0/,
    fold: {
      ...realFold,
      render: {
        ...realFold.render,
        chat: (items, language) =>
          realFold.render.chat(items, language).map((element) => {
            const { role, content } = element as { role?: string; content?: unknown }
            return role === 'user' && typeof content === 'string' && content.startsWith('<message ')
              ? { role, content: `Please read this.\n${content}` }
              : element
          }),
      },
    },
  },
  'the words of a person are changed': {
    found: /nobody wrote/,
    fold: {
      ...realFold,
      evolve: (list, fact) =>
        evolvePrompt(
          list,
          fact.type === 'arrived' && fact.arrival.kind === 'message'
            ? { ...fact, arrival: { ...fact.arrival, text: fact.arrival.text.replaceAll('facts', 'things') } }
            : fact,
        ),
    },
  },
  'a failed try is forgotten by the next fact': {
    found: /no prefix/,
    fold: {
      ...realFold,
      evolve: (list, fact) => evolvePrompt(fact.type === 'generated' ? list : forget(list), fact),
    },
  },
  'the list depends on something that is no event [P2]': {
    found: /a second time gives another list/,
    fold: {
      ...realFold,
      evolve: (list, fact) => evolvePrompt(list, fact.type === 'generated' ? { ...fact, at: (folds += 1) } : fact),
    },
  },
  'a fold changes the fact it reads [P2]': {
    found: /a second time gives another list/,
    fold: {
      ...realFold,
      evolve(list, fact) {
        if (fact.type === 'arrived' && fact.arrival.kind === 'message') Object.assign(fact.arrival, { text: `${fact.arrival.text}!` })
        return evolvePrompt(list, fact)
      },
    },
  },
  'the list depends on something that no snapshot has [P2]': {
    found: /from a snapshot gives another list/,
    fold: {
      ...realFold,
      evolve(list, fact) {
        const count = (folded.get(list) ?? 0) + 1
        const next = evolvePrompt(list, { ...fact, offset: count })
        folded.set(next, count)
        return next
      },
    },
  },
  'a wire shortens ids until two are equal [P16]': {
    found: /chat: the id call_x names two calls/,
    fold: { ...realFold, render: { ...realFold.render, chat: withIds((id) => id.slice(0, 6)) } },
  },
  'ids are numbered from the end of the list [P16]': {
    found: /chat: .* no prefix/,
    fold: { ...realFold, render: { ...realFold.render, chat: withIds((_, at, count) => `call_${count - at}`) } },
  },
}

describe('a planted fault is found', () => {
  for (const [name, { found, fold }] of Object.entries(planted)) test(name, () => assert.match(findFault(fold, 400) ?? 'none', found))
})

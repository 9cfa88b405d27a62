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

test('every request begins with the bytes of the one before it, in every wire', () => {
  assert.equal(findFault(realFold, histories), null)
})

const forget = (list: PromptList): PromptList => ({ ...list, fixedSeen: null })

/** Each breaks one rule, as a careless change would. */
const planted: Record<string, Fold> = {
  'a late result replaces the waiting text': {
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
  'a retry takes in what has arrived since': {
    ...realFold,
    evolve: (list, fact) => (fact.type === 'tried' ? list : evolvePrompt(list, fact)),
  },
  'an output is put before what arrived while it was made': {
    ...realFold,
    evolve: (list, fact) => evolvePrompt(list, fact.type === 'generated' ? { ...fact, seen: fact.seq } : fact),
  },
  'the oldest items are dropped without a new epoch': {
    ...realFold,
    itemsToSend: (list) => itemsToSend(list).slice(-12),
  },
  'reasoning is dropped without a new epoch': {
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
  'results come in the order in which they ended': {
    ...realFold,
    itemsToSend: (list) =>
      itemsToSend({ ...list, lastCalls: list.lastCalls.toSorted((one, two) => (one.end?.seq ?? 0) - (two.end?.seq ?? 0)).toReversed() }),
  },
  'an item says what comes after it': {
    ...realFold,
    render: {
      ...realFold.render,
      anthropic: (items, language) =>
        realFold.render.anthropic(items, language).map((message, at, all) => ({ ...message, of: all.length - at > 3 ? 'old' : 'new' })),
    },
  },
  'a person is quoted in a note': {
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
  'the words of a person are joined to what stands before them': {
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
  'the words of a person are changed': {
    ...realFold,
    evolve: (list, fact) =>
      evolvePrompt(
        list,
        fact.type === 'arrived' && fact.arrival.kind === 'message'
          ? { ...fact, arrival: { ...fact.arrival, text: fact.arrival.text.replaceAll('facts', 'things') } }
          : fact,
      ),
  },
  'a failed try is forgotten by the next fact': {
    ...realFold,
    evolve: (list, fact) => evolvePrompt(fact.type === 'generated' ? list : forget(list), fact),
  },
}

describe('a planted fault is found', () => {
  for (const [name, fold] of Object.entries(planted)) test(name, () => assert.notEqual(findFault(fold, 400), null))
})

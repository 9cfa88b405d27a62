import type { Language } from '../../src/shapes/language.ts'
import type { DialogEvent } from '../../src/dialogs/rules/dialog-events.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Agent, AgentOutput, GenerationInput, Mind, Team, Tool } from '../../src/ports/agent-runtime.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import type { Store } from '../../src/ports/store.ts'
import { type OpenParley, openParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { type SimulatedClock, simulatedClock } from '../../src/testing/simulated-clock.ts'

export const you: Caller = { by: { kind: 'human', name: 'owner', role: 'owner' }, via: 'test' }

/** The output of an agent in one generation, computed from its input. */
export type Brain = (input: GenerationInput, signal: AbortSignal) => Iterable<AgentOutput> | AsyncIterable<AgentOutput>

/** A team of hand-written minds; the first one answers people. */
export function teamWith(brains: Record<string, Brain>, minds: Record<string, Mind> = {}, tools: readonly Tool[] = []): Team {
  const agents = new Map<string, Agent>(
    Object.entries(brains).map(([name, brain]) => [
      name,
      {
        name,
        tools,
        ...(minds[name] ? { mind: minds[name] } : {}),
        runtime: {
          async *generate(input, signal) {
            yield* brain(input, signal)
          },
        },
      },
    ]),
  )
  const list = [...agents.keys()].map((name) => ({ name, about: '' }))
  return { default: list[0]?.name ?? '', agent: (name) => agents.get(name), list: () => list }
}

export type Scene = {
  readonly parley: OpenParley
  readonly store: Store
  readonly clock: SimulatedClock
  readonly logged: string[]
  /** Opens a root, says this in it, and lets everything happen that follows. */
  begin(text: string, language?: Language): Promise<string>
  say(dialog: string, text: string): Promise<void>
  /** Answers the only open question, wherever it was asked. */
  answer(text: string): Promise<void>
  /** Lets everything happen that is due. */
  rest(): Promise<void>
  /** The process dies and another one starts on the same data. */
  restart(): Promise<void>
  said(dialog: string): Promise<string[]>
  children(dialog: string): Promise<string[]>
  events<Type extends DialogEvent['type']>(dialog: string, type: Type): Promise<Extract<DialogEvent, { type: Type }>['data'][]>
  status(dialog: string): Promise<string>
}

export async function withTeam<Result>(team: Team, play: (scene: Scene) => Promise<Result>): Promise<Result> {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const ids = countedIds()
  const logged: string[] = []
  const log: Log = (level, text) => void logged.push(`${level} ${text}`)
  let store = memoryStore({ clock, backing })
  let parley = openParley({ store, team, clock, ids, log })
  const rest = (): Promise<void> => clock.advance(300)
  const events: Scene['events'] = async (dialog, type) =>
    ((await store.read(dialog, 0, 1_000)) as unknown as DialogEvent[])
      .filter((event) => event.type === type)
      .map(({ data }) => data) as never
  const scene: Scene = {
    get parley() {
      return parley
    },
    get store() {
      return store
    },
    clock,
    logged,
    async begin(text, language = 'en') {
      const { id } = await parley.dialogs.open({ text, language }, you)
      await rest()
      return id
    },
    async say(dialog, text) {
      await parley.dialogs.say(dialog, text, you)
      await rest()
    },
    async answer(text) {
      const { items } = await parley.inbox()
      const [only] = items
      if (!only || items.length > 1) throw new Error(`${items.length} questions are open`)
      await parley.questions.answer(only.question.id, { text }, you)
      await rest()
    },
    rest,
    async restart() {
      void parley.driver.stop(0)
      await store.close()
      store = memoryStore({ clock, backing })
      parley = openParley({ store, team, clock, ids, log })
      await rest()
    },
    said: async (dialog) => (await events(dialog, 'message.said')).map(({ text }) => text),
    children: async (dialog) => (await events(dialog, 'tellask.made')).filter(({ mode }) => mode !== 'back').map(({ to }) => to),
    events,
    status: async (dialog) => (await parley.dialogs.get(dialog)).status,
  }
  try {
    return await play(scene)
  } finally {
    await parley.close(100)
    await store.close()
  }
}

export const last = (input: GenerationInput): GenerationInput['context'][number] | undefined => input.context.at(-1)

let count = 0

export const call = (name: string, input: object): AgentOutput => ({ type: 'call', call: `${name}-${(count += 1)}`, name, input })

export const text = (words: string): AgentOutput => ({ type: 'text', text: words })

export const used = (inputTokens: number): AgentOutput => ({ type: 'usage', model: 'm', usage: { inputTokens, outputTokens: 1 } })

export const ask = (words: string): AgentOutput => ({
  type: 'question',
  ask: { text: words, items: [{ id: 'a', text: '', kind: 'text' }] },
})

/** A question as a model asks it: the call, and the question it becomes. */
export function* askedByCall(words: string): Generator<AgentOutput> {
  const asking = call('askHuman', { tellaskContent: words })
  yield asking
  yield {
    type: 'question',
    ask: { text: words, items: [{ id: 'a', text: '', kind: 'text' }] },
    ...('call' in asking ? { call: asking.call } : {}),
  }
}

/** Somewhere a generation waits until the test lets it go on. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

/** The input of an agent as one text, for tests that search it. */
export const readBy = (input: GenerationInput): string => JSON.stringify(input.context)

/** The request in a prompt. */
export const requestIn = (input: GenerationInput): string => {
  const now = last(input)
  return now?.kind === 'prompt' ? (/^> (.*)$/m.exec(now.text)?.[1] ?? '') : ''
}

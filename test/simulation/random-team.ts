import { ParleyError } from '../../src/errors.ts'
import type { Agent, AgentOutput, GenerationInput, Team, Tool } from '../../src/ports/agent-runtime.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Chance } from './chance.ts'
import type { Injected } from './injections.ts'

export type World = {
  chance: Chance
  clock: Clock
  injected: Injected
  /** From here on no agent starts new work, so that everything can come to rest. */
  isWindingDown: boolean
  /** Generations under way, by process and dialog. */
  thinking: Map<string, number>
  overlaps: string[]
  /** Messages of people that finished generations have read: `dialog text`. */
  read: Set<string>
  /** The number of effects of each tool call. */
  effects: Map<string, number>
  /** The budget of a tree until the run winds down; null for no bound. */
  budget: number | null
  /** The budget of the day, likewise. */
  dayBudget: number | null
  /** Tokens the model has used for each dialog, by its own count, whatever became of the generation. */
  metered: Map<string, number>
}

const names = ['ada', 'bob', 'cy', 'dee'] as const

/** Agents that do anything an agent can do, sensible or not, in any order. */
export function randomTeam(world: World, process: number): Team {
  const { chance } = world
  const tool = (name: string, afterCrash: Tool['afterCrash'], declared: 'allow' | 'ask'): Tool => ({
    name,
    description: name,
    inputSchema: {},
    afterCrash,
    gate: { kind: 'code', declared },
    check: (input) => ({ input }),
    async run(_input, { call, signal }) {
      if (chance.happens(0.3)) await pause(world, chance.below(400), signal)
      world.effects.set(call, (world.effects.get(call) ?? 0) + 1)
      if (chance.happens(0.1)) throw new Error('the tool has no luck')
      return 'done'
    },
  })
  const tools = [tool('look', 'repeat', 'allow'), tool('buy', 'ask', 'allow'), tool('peek', 'repeat', 'ask'), tool('pay', 'ask', 'ask')]
  const agents = new Map<string, Agent>(
    names.map((name) => [
      name,
      {
        name,
        tools,
        get spending() {
          const dialog = world.budget === null ? {} : { dialog: { tokens: world.budget } }
          const day = world.dayBudget === null ? {} : { day: { tokens: world.dayBudget } }
          return { budgets: world.isWindingDown ? {} : { ...dialog, ...day }, maxOutputTokens, promptOverheadTokens: 100 }
        },
        mind: {
          reasoningEffort: chance.below(4),
          ...(chance.happens(0.3) ? { diligence: { text: 'Is it done?', most: chance.below(3) } } : {}),
        },
        runtime: {
          async *generate(input, signal) {
            const place = `${process} ${input.dialog}`
            const others = world.thinking.get(place) ?? 0
            if (others > 0) world.overlaps.push(place)
            world.thinking.set(place, others + 1)
            try {
              yield* metered(input, world, signal)
              for (const item of input.context) if (item.kind === 'human') world.read.add(`${input.dialog} ${item.text}`)
            } finally {
              world.thinking.set(place, (world.thinking.get(place) ?? 1) - 1)
            }
          },
        },
      },
    ]),
  )
  return { default: 'ada', agent: (name) => agents.get(name), list: () => names.map((name) => ({ name, about: '' })) }
}

const maxOutputTokens = 50

/**
 * The model with its own meter: the prompt counts when it starts, each piece of output when it is delivered. Usage is
 * reported at the beginning and the end, at the end alone, without figures, or never. One that fails or is cut after its
 * first report has used more than it reported.
 */
async function* metered(input: GenerationInput, world: World, signal: AbortSignal): AsyncGenerator<AgentOutput> {
  const { chance } = world
  const used = { inputTokens: chance.below(input.allowance ? input.allowance.inputTokens + 1 : 100), outputTokens: 0 }
  const count = (tokens: number): void => void world.metered.set(input.dialog, (world.metered.get(input.dialog) ?? 0) + tokens)
  const report = chance.one(['last', 'both', 'both', 'never', 'unknown'] as const)
  const usage = (): AgentOutput => {
    const reported = report === 'unknown' ? { inputTokens: null, outputTokens: null } : { ...used }
    return { type: 'usage', model: 'random', usage: reported }
  }
  if (chance.happens(0.5)) await pause(world, chance.below(600), signal)
  count(used.inputTokens)
  let hasReported = false
  try {
    if (report !== 'last' && report !== 'never') yield usage()
    hasReported = report === 'both'
    for await (const output of generation(input, world, signal)) {
      // A token is at least one byte of what was made.
      const tokens = Math.min(chance.below(1 + Math.min(toBytes(output), 8)), maxOutputTokens - used.outputTokens)
      yield output
      used.outputTokens += tokens
      count(tokens)
    }
    if (report === 'last' || report === 'both') yield usage()
  } catch (error) {
    if (hasReported && !signal.aborted) world.injected.failureAfterSpending += 1
    throw error
  }
}

const toBytes = (output: AgentOutput): number => (output.type === 'delta' ? Buffer.byteLength(output.text) : 0)

async function* generation(input: GenerationInput, world: World, signal: AbortSignal): AsyncGenerator<AgentOutput> {
  const { chance } = world
  if (world.isWindingDown) return yield { type: 'text', text: 'at the end' }
  if (chance.happens(0.06)) throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
  if (chance.happens(0.03)) throw new ParleyError('model_refused', { status: 400, why: 'chance' })
  if (chance.happens(0.02)) throw new TypeError('a fault in the agent')
  if (chance.happens(0.5)) {
    yield { type: 'delta', text: 'some ' }
    if (chance.happens(0.3)) await pause(world, chance.below(300), signal)
    yield { type: 'delta', text: 'words' }
  }
  if (chance.happens(0.55)) return chance.happens(0.2) ? undefined : yield { type: 'text', text: `words of ${input.agent}` }
  const calls = 1 + chance.below(3)
  for (let total = 0; total < calls; total += 1) yield* act(input, chance, total)
}

function* act(input: GenerationInput, chance: Chance, made: number): Generator<AgentOutput> {
  const call = (name: string, given: object): AgentOutput => ({ type: 'call', call: `c${made}`, name, input: given })
  const target = chance.happens(0.1) ? 'nobody' : chance.one(names)
  const slug = chance.happens(0.1) ? '1 bad' : chance.one(['x', 'y'])
  const content = chance.happens(0.05) ? ' ' : `please ${chance.below(100)}`
  switch (chance.below(13)) {
    case 0:
    case 1:
      return yield call('tellask', { targetAgentId: target, sessionSlug: slug, tellaskContent: content })
    case 2:
      return yield call('tellaskSessionless', { targetAgentId: target, tellaskContent: content })
    case 3:
      return yield call('tellaskBack', { tellaskContent: content })
    case 4:
      return yield call('freshBootsReasoning', { tellaskContent: content })
    case 5: {
      const ask = { text: 'Which?', items: [{ id: 'a', text: 'A', kind: 'text' as const }] }
      if (chance.happens(0.2)) return yield call('askHuman', {})
      if (chance.happens(0.5)) return yield { type: 'question', ask, ...(chance.happens(0.3) ? { expiresInMs: chance.below(5_000) } : {}) }
      if (chance.happens(0.3)) {
        yield { ...call('askHuman', { text: 'And?' }), call: `d${made}` } as AgentOutput
        yield { type: 'question', ask, call: `d${made}` }
      }
      yield call('askHuman', { text: 'Which?' })
      return yield { type: 'question', ask, call: `c${made}` }
    }
    case 6:
      return yield call('clear_mind', chance.happens(0.5) ? { reminder_content: 'go on' } : {})
    case 7:
      return yield call(chance.one(['add_reminder', 'update_reminder', 'delete_reminder']), {
        content: 'note',
        reminder_no: chance.below(3),
      })
    case 8:
      return yield call('no_such_tool', {})
    default:
      return yield call(chance.one(input.tools.length > 0 ? ['look', 'buy', 'buy', 'peek', 'pay', 'pay'] : ['look']), {})
  }
}

const pause = (world: World, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = world.clock.after(delayMs, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      reject(new Error('cut'))
    })
  })

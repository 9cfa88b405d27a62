import assert from 'node:assert/strict'
import { openParley, type OpenParley } from '../../../app/library.ts'
import type { Policy } from '../../../authority/policy.ts'
import type { Role } from '../../../authority/roles.ts'
import { makePolicy, samplePolicy } from '../../../authority/test/samples.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../../ports/agent-runtime.ts'
import type { Store } from '../../../ports/store.ts'
import type { Caller } from '../../../shapes/parley.ts'
import { memoryBacking } from '../../../store/memory/memory-backing.ts'
import { memoryStore } from '../../../store/memory/memory-store.ts'
import { simulatedClock, type SimulatedClock } from '../../../testing/simulated-clock.ts'
import { teamOf } from '../../../testing/team-of.ts'

const person = (name: string, role: Role): Caller => ({ by: { kind: 'human', name, id: `person:${name}`, role }, via: 'test' })
export const mia: Caller = person('mia', 'owner')
export const ann: Caller = person('ann', 'operator')
export const eve: Caller = { by: { kind: 'human', name: 'eve', id: 'telegram:main:9', role: 'guest' }, via: 'telegram' }

/** Nothing but people: every decision is that of the default table. */
export const peopleOnly: Policy = makePolicy({ people: samplePolicy.people })

export const payTool: Tool = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object' },
  afterCrash: 'ask',
  gate: { kind: 'code' },
  check: (input) => ({ input }),
  run: async () => 'paid',
}

/** Calls the tool once for each message and says what came of it. */
export async function* callsOnce(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: 'c', name: 'pay', input: { to: last.text } }
  else {
    const call = input.context.findLast((item) => item.kind === 'call')
    yield { type: 'text', text: call?.kind === 'call' ? String(call.result?.output) : 'nothing' }
  }
}

type Setup = Partial<Tool> & { policy?: () => Policy; generate?: (input: GenerationInput) => AsyncGenerator<AgentOutput> }
type Kept = { clock: SimulatedClock; backing: ReturnType<typeof memoryBacking>; runs: string[] }

export type GateScene = AsyncDisposable & {
  parley: OpenParley
  clock: SimulatedClock
  runs: string[]
  store: Store
  open(text: string, caller: Caller): Promise<string>
  openApproval(text: string, caller: Caller, dialog?: string): Promise<{ dialog: string; question: string }>
  /** Answers the approval and lets the driver act on it. */
  decide(question: string, decision: 'once' | 'chat' | 'always' | 'deny', caller: Caller): Promise<void>
  readPreview(dialog: string): Promise<string>
  /** Another process over the same data, with another version of the tool. */
  restart(more?: Partial<Tool>): Promise<GateScene>
  end(): Promise<void>
}

/** An agent whose only tool pays. `runs` has one entry for each payment. */
export function gateScene(
  setup: Setup = {},
  { clock, backing, runs }: Kept = { clock: simulatedClock(), backing: memoryBacking(), runs: [] },
): GateScene {
  const { policy = () => peopleOnly, generate = callsOnce, ...more } = setup
  const run: Tool['run'] = async (input) => {
    runs.push((input as { to: string }).to)
    return 'paid'
  }
  const store = memoryStore({ clock, backing })
  const parley = openParley({ store, team: teamOf(generate, [{ ...payTool, run, ...more }]), clock, policy })
  const end = (): Promise<void> => parley.close(0)
  return {
    parley,
    clock,
    runs,
    store,
    async open(text, caller) {
      const { id } = await parley.dialogs.open({ text }, caller)
      await clock.advance(100)
      return id
    },
    async openApproval(text, caller, dialog) {
      const id = dialog ?? (await parley.dialogs.open({ text }, caller)).id
      if (dialog !== undefined) await parley.dialogs.say(dialog, text, caller)
      await clock.advance(100)
      const [item] = (await parley.inbox()).items
      assert.ok(item?.kind === 'question' && item.question.approval, 'an approval is open')
      return { dialog: id, question: item.question.id }
    },
    async decide(question, decision, caller) {
      await parley.questions.answer(question, { decision }, caller)
      await clock.advance(100)
    },
    readPreview: async (dialog) => (await parley.dialogs.get(dialog)).preview,
    async restart(other = {}) {
      await end()
      return gateScene({ ...setup, ...other }, { clock, backing, runs })
    },
    end,
    [Symbol.asyncDispose]: end,
  }
}

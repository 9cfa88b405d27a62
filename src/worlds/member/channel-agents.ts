import { createHash } from 'node:crypto'
import { isChannelName, memberOfChannel } from '../../dialogs/rules/peer-dialog.ts'
import { ParleyError } from '../../errors.ts'
import type { Agent, AgentOutput, AgentRuntime, GenerationInput, PromptSource, Team } from '../../ports/agent-runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { type AgentInput, renderAgentInput } from '../rules/context/render-document.ts'
import { canaryLimits, looksLikeCanary } from '../rules/boundary/canary.ts'
import type { SeatCommand } from '../rules/decide-seat.ts'
import type { Timed } from '../rules/decision.ts'
import { describeRun } from '../rules/seat-needs.ts'
import type { SeatState } from '../rules/seat-state.ts'
import { seatStream } from '../rules/streams.ts'
import { channelTools } from './channel-tools.ts'
import { forwardRuntime } from './forward-runtime.ts'
import { type ChannelRow, memberViews } from './member-rows.ts'

export type Seats = StreamHandler<SeatState, Timed<SeatCommand>>

/**
 * The team with every member also as a channel agent, which talks with one peer in a dialog of its own. It has three tools and
 * reads one document and the peer's words; persona, memories, notes, task documents, teammates and every other tool of the
 * member are not there at all. The gate refuses anything else, because the floor of such a dialog is `peer`.
 */
export function withChannelAgents(team: Team, parts: { store: Pick<Store, 'row'>; seats: Seats }): Team {
  const agents = new WeakMap<Agent, Agent>()
  return {
    get default() {
      return team.default
    },
    list: () => team.list(),
    get taskdocs() {
      return team.taskdocs
    },
    agent(name, model) {
      if (!isChannelName(name)) return team.agent(name, model)
      const member = team.agent(memberOfChannel(name))
      if (!member) return undefined
      const existing = agents.get(member)
      if (existing) return existing
      const { spending, prompt } = member
      const agent: Agent = {
        name,
        runtime: channelRuntime(member.runtime, parts),
        tools: channelTools,
        mind: { reasoningEffort: 0 },
        ...(prompt ? { prompt: barePrompt(prompt) } : {}),
        ...(spending ? { spending } : {}),
      }
      agents.set(member, agent)
      return agent
    },
  }
}

/** Nothing of the owner's minds: what the agent reads is the document of its seat. */
const barePrompt = (source: PromptSource): PromptSource => ({
  get maker() {
    return source.maker
  },
  about: '',
  persona: () => '',
  answersIn: null,
  teammates: () => [],
  notes: () => [],
  memories: () => null,
  taskdoc: () => null,
  sections: () => [],
  window: () => source.window(),
  zoneOffset: (at) => source.zoneOffset(at),
})

const toolSpecs = channelTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))

function channelRuntime(inner: AgentRuntime, { store, seats }: { store: Pick<Store, 'row'>; seats: Seats }): AgentRuntime {
  async function* generate(input: GenerationInput, signal: AbortSignal): AsyncIterable<AgentOutput> {
    const row = await store.row(memberViews.channel, input.dialog)
    if (!row) throw new ParleyError('agent_failed', { why: 'no conversation with a peer belongs to this dialog' })
    const { request, agent } = row.body as ChannelRow
    const state = await seats.load(seatStream(request, agent))
    const { document } = renderRun(state)
    const { reminders: _, notes: _notes, surroundings: _surroundings, taskdoc: _taskdoc, prompt, ...rest } = input
    const bound = state.run ? { allowance: { inputTokens: state.run.tokens, outputTokens: state.run.tokens } } : {}
    const boundInput: GenerationInput = {
      ...rest,
      ...bound,
      tools: toolSpecs,
      context: [{ kind: 'prompt', text: document }, ...withoutCanaries(input.context)],
      reminders: [],
      taskdoc: null,
      ...(prompt ? { prompt: { ...prompt, items: withoutCanaries(prompt.items), system: document, tools: toolSpecs } } : {}),
    }
    for await (const output of inner.generate(boundInput, signal)) yield* allowed(output)
  }
  return forwardRuntime(inner, generate)
}

const names: ReadonlySet<string> = new Set(toolSpecs.map(({ name }) => name))

/** A question of the agent's own or a call of another tool leads nowhere. */
function* allowed(output: AgentOutput): Iterable<AgentOutput> {
  if (output.type === 'question' || output.type === 'title') return
  if (output.type === 'call' && !names.has(output.name) && output.fault === undefined)
    yield { ...output, fault: { kind: 'unknown-tool', name: output.name, suggestion: null } }
  else yield output
}

/** A new one for each run: pieces that a peer collects over many turns never belong together. */
export const canaryFor = (seed: string, run: string): string =>
  Array.from(createHash('sha512').update(`${seed} ${run}`).digest().subarray(0, canaryLimits.chars), (byte) =>
    canaryLimits.letters.charAt(byte % canaryLimits.letters.length),
  ).join('')

/** A text of the agent itself that the leak filter has held would otherwise be at hand in every later run. */
const withoutCanaries = <Value>(value: Value): Value => {
  if (typeof value === 'string') return (looksLikeCanary(value) ? '…' : value) as Value
  if (Array.isArray(value)) return value.map((each: unknown) => withoutCanaries(each)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutCanaries<unknown>(each)])) as Value
}

/** Unpredictable for the peer: only this side knows the canary. */
export const makeBoundary = ({ canary, delivery, runs }: SeatState): string =>
  createHash('sha256')
    .update(`${canary} ${delivery?.delivery ?? `run ${runs}`}`)
    .digest('hex')
    .slice(0, 16)

/**
 * The document and the peer's words for the run under way. A model gets its system slot anew with every request, so the baseline
 * is always in it; what belongs to this turn comes after it.
 */
export function renderRun(state: SeatState): { document: string; data: string | null } {
  const { context, run } = state
  if (!context || !run) throw new ParleyError('agent_failed', { why: 'no run of this conversation is under way' })
  const snapshot = { ...context, canary: run.canary }
  const boundary = makeBoundary(state)
  const { moment, task, turns } = describeRun(state, run.purpose, true)
  const turn: AgentInput = renderAgentInput({ snapshot, moment, task, turns, boundary })
  if (moment !== 'turn' && moment !== 'queued') return { document: turn.document ?? '', data: turn.data }
  const baseline = renderAgentInput({ snapshot, moment: 'kickoff', task: null, turns: [], boundary })
  return { document: [baseline.document, turn.document].filter((part) => part !== null).join('\n\n'), data: turn.data }
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { learnedModels, type LearnedModels } from '../../src/agents/models/learned-models.ts'
import { modelRuntime } from '../../src/agents/runtimes/model.ts'
import type { Wire } from '../../src/agents/wires/wire.ts'
import { modelSchema } from '../../src/app/config/schema.ts'
import type { OutputPart, PromptItem } from '../../src/dialogs/rules/prompt/prompt-items.ts'
import { ParleyError } from '../../src/errors.ts'
import type { AgentOutput, GenerationInput, ToolSpec } from '../../src/ports/agent-runtime.ts'
import { type BehaviourLine, canSay, readBehaviours, readSaid } from '../../src/testing/model-behaviours.ts'
import { modelEmulator } from '../../src/testing/model-emulator.ts'
import type { Protocol } from '../../src/testing/model-wire.ts'

export const behaviours: readonly BehaviourLine[] = readBehaviours(
  readFileSync(new URL('../fixtures/model-behaviours.jsonl', import.meta.url), 'utf8'),
)

const protocolFor: Record<Wire, Protocol> = { chat: 'openai-compatible', responses: 'responses', anthropic: 'anthropic' }

/** Errors that name something only this wire has. */
const wireOnly: Record<string, Wire> = {
  'chat-refuses-tools-with-reasoning': 'chat',
  'max-tokens-refused': 'chat',
  'reasoning-content-required': 'chat',
  'thinking-rejected-after-model-change': 'anthropic',
  'user-after-tool-refused': 'chat',
  'system-role-refused': 'anthropic',
}

export const isSayable = ({ id, model_says }: BehaviourLine, wire: Wire): boolean =>
  (wireOnly[id] ?? wire) === wire && model_says.every((entry) => canSay(protocolFor[wire], readSaid(entry)))

/** One generation of a replay. `requests` are the bodies as they were sent. */
export type ReplayedGeneration = { outputs: AgentOutput[]; error: ParleyError | null; requests: string[]; sentItems: number }

export type Replay = {
  wire: Wire
  generations: ReplayedGeneration[]
  items: PromptItem[]
  maker: string
  learned: LearnedModels
  url: string
}

export type ReplaySettings = {
  model?: string
  settings?: object
  tools?: readonly string[]
  /** The list before the first generation. */
  items?: (maker: string) => PromptItem[]
}

const offered = ['read_file', 'write_file', 'search', 'grep', 'send_mail', 'reply', 'tellask', 'tellaskSessionless', 'tellaskBack']
const mind = ['askHuman', 'withdraw_question', 'add_reminder', 'clear_mind', 'recall_output']

const declare = (name: string): ToolSpec => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object', properties: {} } })

export const messageItem = (text: string): PromptItem => ({
  kind: 'arrival',
  arrival: { kind: 'message', from: 'Mia', text, at: 0, offset: 0 },
})

/** Says a line to the model runtime, with the list growing as the driver would let it grow. */
export async function replayLine(
  line: BehaviourLine,
  wire: Wire,
  { model = 'emulated', settings = {}, tools, items }: ReplaySettings = {},
): Promise<Replay> {
  const emulator = await modelEmulator()
  try {
    const config = modelSchema.parse({
      provider: wire === 'anthropic' ? 'anthropic' : 'openai-compatible',
      wire,
      baseUrl: emulator.url,
      model,
      maxOutputTokens: 1_000,
      ...settings,
    })
    const learned = learnedModels()
    const runtime = modelRuntime({ model: config, member: {}, learned })
    const maker = `${wire} ${emulator.url} ${model}`
    const replay: Replay = { wire, generations: [], items: items?.(maker) ?? [messageItem('Hello.')], maker, learned, url: emulator.url }
    const says = line.model_says.map((entry) => ({ does: 'say' as const, said: readSaid(entry) }))
    emulator.next(...says)
    let cachedItems = 0
    for (let generation = 1; emulator.requests.length < says.length && generation <= says.length; generation += 1) {
      const input: GenerationInput = {
        dialog: `d_${line.id}`,
        agent: 'ada',
        language: 'en',
        turn: 1,
        generation,
        context: [],
        contextDropped: 0,
        reminders: [],
        course: 1,
        isSide: false,
        role: 'owner',
        taskdoc: null,
        tools: [],
        prompt: {
          epoch: 1,
          system: 'You are ada.',
          tools: (tools ?? [...offered, ...mind]).map(declare),
          items: replay.items,
          cachedItems,
        },
      }
      const before = emulator.requests.length
      const { outputs, error } = await generate(runtime.generate(input, new AbortController().signal))
      const requests = emulator.requests.slice(before).map(({ text }) => text)
      replay.generations.push({ outputs, error, requests, sentItems: replay.items.length })
      cachedItems = replay.items.length
      replay.items = [...replay.items, ...nextItems(outputs)]
    }
    return replay
  } finally {
    await emulator.close()
  }
}

async function generate(outputs: AsyncIterable<AgentOutput>): Promise<{ outputs: AgentOutput[]; error: ParleyError | null }> {
  const all: AgentOutput[] = []
  try {
    for await (const output of outputs) all.push(output)
    return { outputs: all, error: null }
  } catch (error) {
    assert.ok(error instanceof ParleyError, String(error))
    return { outputs: all, error }
  }
}

/** The output and one result for each of its calls, or a further message. */
function nextItems(outputs: readonly AgentOutput[]): PromptItem[] {
  const parts = listParts(outputs)
  const results = parts.flatMap((part): PromptItem[] =>
    part.type === 'call'
      ? [{ kind: 'result', call: part.call, tool: part.name, handle: 'o1', result: { is: 'outcome', ok: true, text: 'done' } }]
      : [],
  )
  return [{ kind: 'output', parts }, ...(results.length > 0 ? results : [messageItem('Go on.')])]
}

/** The parts of an output, in order. Words of a message with a phase come as `text` after their pieces. */
export function listParts(outputs: readonly AgentOutput[]): OutputPart[] {
  const parts: OutputPart[] = []
  const hasTexts = outputs.some(({ type }) => type === 'text')
  for (const output of outputs) {
    const last = parts.at(-1)
    if (output.type === 'reasoning') parts.push({ type: 'reasoning', maker: output.maker, data: output.data })
    else if (output.type === 'call') parts.push({ type: 'call', call: output.call, name: output.name, input: output.input as object })
    else if (output.type === 'text')
      parts.push({ type: 'words', text: output.text, ...(output.phase !== undefined && { phase: output.phase }) })
    else if (output.type === 'delta' && !hasTexts) {
      if (last?.type === 'words') last.text += output.text
      else parts.push({ type: 'words', text: output.text })
    }
  }
  return parts
}

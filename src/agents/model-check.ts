import type { ModelConfig } from '../app/config/schema.ts'
import { ParleyError } from '../errors.ts'
import type { AgentOutput, GenerationInput, Tool } from '../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { z } from 'zod'
import { askHumanTool } from './ask-human.ts'
import { chooseWire } from './models/choose-wire.ts'
import { findWindow } from './models/find-window.ts'
import { learnedModels, type LearnedModels } from './models/learned-models.ts'
import type { ModelWindow } from './models/window.ts'
import { modelRuntime } from './runtimes/model.ts'
import { defineTool } from './tool.ts'
import { addressFor } from './wires/open-wire.ts'
import type { Wire } from './wires/wire.ts'

/** One thing a model can or cannot do. `why` is set when it cannot. */
export type Ability = { ok: true } | { ok: false; why: string }

export type ModelCheck = {
  /** It answered at all; the rest is only tried then. */
  answers: Ability
  firstTokenMs: number | null
  streams: Ability
  tools: Ability
  asksQuestions: Ability
  wire: Wire
  window: ModelWindow
}

const untried: Ability = { ok: false, why: 'not tried, because the model did not answer' }

const probe: Tool = defineTool({
  name: 'read_thermometer',
  description: 'Reads the temperature of a place in degrees.',
  input: z.object({ place: z.string().describe('Where, such as "kitchen".') }),
  afterCrash: 'repeat',
  gate: 'allow',
  run: () => 21,
})

/** Tries a model out with three short requests: what `parley model test` shows. */
export async function checkModel(
  model: ModelConfig,
  options: { signal?: AbortSignal; clock?: Clock; learned?: LearnedModels } = {},
): Promise<ModelCheck> {
  const { signal = new AbortController().signal, clock = systemClock, learned = learnedModels() } = options
  const runtime = modelRuntime({ model, member: {}, clock, learned, keepsPieces: true })
  const window = await findWindow(model, learned, { signal, withoutSetting: true })
  const ask = async (text: string, tools: readonly Tool[]): Promise<{ outputs: AgentOutput[]; firstMs: number | null }> => {
    const startedAt = clock.now()
    const input: GenerationInput = {
      dialog: 'check',
      agent: 'check',
      language: 'en',
      turn: 1,
      generation: 1,
      context: [],
      contextDropped: 0,
      reminders: [],
      course: 1,
      isSide: false,
      role: 'owner',
      taskdoc: null,
      tools,
      prompt: {
        epoch: 1,
        system: 'You are being tested. Do exactly what you are asked, at once.',
        tools,
        items: [{ kind: 'arrival', arrival: { kind: 'message', from: 'check', text, at: startedAt, offset: 0 } }],
        cachedItems: 0,
      },
    }
    const outputs: AgentOutput[] = []
    let firstMs: number | null = null
    for await (const output of runtime.generate(input, signal)) {
      if (output.type !== 'usage') firstMs ??= clock.now() - startedAt
      outputs.push(output)
    }
    return { outputs, firstMs }
  }
  const attempt = async (text: string, tools: readonly Tool[], judge: (outputs: AgentOutput[]) => Ability): Promise<Ability> => {
    try {
      return judge((await ask(text, tools)).outputs)
    } catch (error) {
      return { ok: false, why: inWords(error, signal) }
    }
  }

  // An error may teach another one on the way.
  const wire = (): Wire => chooseWire(model, addressFor(model), learned.read(addressFor(model), model.model).changes)
  let first: Awaited<ReturnType<typeof ask>>
  try {
    first = await ask('Count from one to ten in words, separated by commas.', [])
  } catch (error) {
    return {
      answers: { ok: false, why: inWords(error, signal) },
      firstTokenMs: null,
      streams: untried,
      tools: untried,
      asksQuestions: untried,
      wire: wire(),
      window,
    }
  }
  return {
    answers: judgeAnswer(first.outputs),
    firstTokenMs: first.firstMs,
    streams: judgeStream(first.outputs),
    tools: await attempt('Call read_thermometer for the kitchen now. Do not write anything else.', [probe], judgeTools),
    asksQuestions: await attempt(
      'Call askHuman now to ask me whether I prefer tea or coffee, as a choice of the two.',
      [askHumanTool],
      judgeQuestion,
    ),
    wire: wire(),
    window,
  }
}

function inWords(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted()
  if (error instanceof ParleyError) return `${error.message} ${error.hint}`
  throw error
}

const judgeAnswer = (outputs: readonly AgentOutput[]): Ability =>
  outputs.some(({ type }) => type === 'delta' || type === 'call') ? { ok: true } : { ok: false, why: 'its reply was empty, twice' }

function judgeStream(outputs: readonly AgentOutput[]): Ability {
  const pieces = outputs.filter(({ type }) => type === 'delta' || type === 'thinking').length
  return pieces > 1 ? { ok: true } : { ok: false, why: 'the whole reply came in one piece; people will wait for it without seeing it grow' }
}

function judgeTools(outputs: readonly AgentOutput[]): Ability {
  const call = outputs.find((output) => output.type === 'call')
  if (!call) return { ok: false, why: 'asked to call a tool, it wrote text instead' }
  if (call.name !== probe.name) return { ok: false, why: `asked to call ${probe.name}, it called ${call.name}` }
  const checked = probe.check(call.input)
  return 'fault' in checked ? { ok: false, why: `it called the tool with input that does not fit: ${checked.fault}` } : { ok: true }
}

function judgeQuestion(outputs: readonly AgentOutput[]): Ability {
  if (outputs.some(({ type }) => type === 'question')) return { ok: true }
  const call = outputs.find((output) => output.type === 'call')
  if (!call) return { ok: false, why: 'asked to put a question to the human, it wrote text instead' }
  const checked = askHumanTool.check(call.input)
  return {
    ok: false,
    why: 'fault' in checked ? `its question is not well formed: ${checked.fault}` : `it called ${call.name} instead of askHuman`,
  }
}

export type FoundOllama = { baseUrl: string; models: string[] }

/** Looks for Ollama at its usual address; null when there is no response soon. */
export async function discoverOllama(
  get: typeof fetch = fetch,
  address = 'http://127.0.0.1:11434',
  timeoutMs = 500,
): Promise<FoundOllama | null> {
  try {
    const response = await get(`${address}/v1/models`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    if (!response.ok) return null
    const listed = z.object({ data: z.array(z.object({ id: z.string() })).nullable() }).safeParse(await response.json())
    return listed.success ? { baseUrl: `${address}/v1`, models: (listed.data.data ?? []).map(({ id }) => id) } : null
  } catch {
    return null
  }
}

import { renderAnthropic } from '../../src/dialogs/rules/prompt/render-anthropic.ts'
import { renderChat } from '../../src/dialogs/rules/prompt/render-chat.ts'
import { renderResponses } from '../../src/dialogs/rules/prompt/render-responses.ts'
import type { Profile } from '../../src/dialogs/rules/prompt/wires.ts'
import type { Agent, AgentOutput, GenerationInput, Mind, ModelPrompt, PromptSource, Team, Tool } from '../../src/ports/agent-runtime.ts'
import { askHumanTool, readQuestion } from '../../src/agents/ask-human.ts'
import type { Brain } from './team-scene.ts'

/** One request to a model, in all wires. */
export type Request = {
  dialog: string
  agent: string
  turn: number
  generation: number
  language: GenerationInput['language']
  prompt: ModelPrompt
  wires: Readonly<Record<'chat' | 'responses' | 'anthropic', string>>
}

const profile: Profile = { maker: 'test/model', language: 'en', systemRole: 'system', notesRole: 'developer' }

/** Tools, system prompt and elements in order, without the final bracket. */
export function toWires(
  { system, tools, items, maker = profile.maker }: ModelPrompt,
  language: GenerationInput['language'],
): Request['wires'] {
  const write = (elements: object[]): string => JSON.stringify([tools, system, ...elements]).slice(0, -1)
  const own = { ...profile, maker, language }
  return {
    chat: write(renderChat(items, own)),
    responses: write(renderResponses(items, own)),
    anthropic: write(renderAnthropic(items, { ...own, notesRole: 'user' })),
  }
}

/** Files around a dialog, which a test may change. */
export type Around = {
  memories: string | null
  taskdoc: string | null
  sections: { name: string; hash: string; text: string }[]
  window: number
  persona: string
  /** The script of each member, by its name. */
  abouts: Readonly<Record<string, string>>
  maker: string
  /** Members who are not there now. */
  absent: readonly string[]
}

export type ModelTeam = { team: Team; requests: Request[]; around: Around; tools: Tool[] }

/** A team of scripted models. Each request is kept as it would be sent. */
export function modelTeam(brains: Record<string, Brain>, minds: Record<string, Mind> = {}, tools: Tool[] = []): ModelTeam {
  const requests: Request[] = []
  const around: Around = {
    memories: null,
    taskdoc: null,
    sections: [],
    window: 200_000,
    persona: '',
    abouts: {},
    maker: profile.maker,
    absent: [],
  }
  const getAbout = (name: string): string => around.abouts[name] ?? `is ${name}`
  const list = Object.keys(brains).map((name) => ({ name, about: `is ${name}` }))
  const source = (own: string): PromptSource => ({
    get maker() {
      return around.maker
    },
    get about() {
      return getAbout(own)
    },
    persona: () => around.persona,
    answersIn: null,
    teammates: () => list.flatMap(({ name }) => (name === own || around.absent.includes(name) ? [] : [{ name, about: getAbout(name) }])),
    notes: () => [],
    memories: () => around.memories,
    taskdoc: () => around.taskdoc,
    sections: () => around.sections,
    window: () => ({ windowTokens: around.window, inputLimitTokens: around.window, maxOutputTokens: null }),
    zoneOffset: () => 60,
  })
  const agents = new Map<string, Agent>(
    Object.entries(brains).map(([name, brain]) => [
      name,
      {
        name,
        mind: minds[name] ?? { reasoningEffort: 2 },
        prompt: source(name),
        get tools() {
          return [askHumanTool, ...tools]
        },
        runtime: {
          async *generate(input, signal) {
            if (!input.prompt) throw new Error('a model was given no prompt')
            const { dialog, turn, generation, language, prompt } = input
            requests.push({ dialog, agent: name, turn, generation, language, prompt, wires: toWires(prompt, language) })
            for await (const output of brain(input, signal)) yield* withQuestion(output)
          },
        },
      },
    ]),
  )
  return { team: { default: list[0]?.name ?? '', agent: (name) => agents.get(name), list: () => list }, requests, around, tools }
}

/** A call of askHuman becomes a question, as the model runtime does it. */
function* withQuestion(output: AgentOutput): Generator<AgentOutput> {
  yield output
  if (output.type !== 'call' || output.name !== 'askHuman') return
  const read = readQuestion(output.input)
  if ('ask' in read) yield { type: 'question', ...read, call: output.call }
}

type Message = { role: string; content: string | null; tool_calls?: object[] }

/** The messages of a request as Chat Completions has them. */
export const readChat = ({ prompt }: Pick<GenerationInput, 'prompt'>): Message[] =>
  prompt ? (renderChat(prompt.items, profile) as Message[]) : []

/** The text of the last element, which the model reacts to. */
export const lastText = (input: Pick<GenerationInput, 'prompt'>): string => readChat(input).at(-1)?.content ?? ''

export const wholeText = (input: Pick<GenerationInput, 'prompt'>): string =>
  readChat(input)
    .map(({ content }) => content ?? '')
    .join('\n')

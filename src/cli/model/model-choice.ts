import type { FoundOllama } from '../../agents/model-check.ts'
import { ParleyError } from '../../errors.ts'
import { askChoice, askText } from '../ask.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export type Provider = 'openai-compatible' | 'ollama' | 'anthropic'
export type ModelChoice = { provider: Provider; model: string; baseUrl: string | undefined }

const anthropicModels = ['claude-sonnet-4-5', 'claude-opus-4-5', 'claude-haiku-4-5']

const needs = (flag: string): ParleyError => new ParleyError('needs_terminal', { flag })

/** Values from flags, the rest from prompts; null when the person left. */
export async function chooseModel(terminal: Terminal, given: Given, ollama: FoundOllama | null): Promise<ModelChoice | null> {
  const { words } = terminal
  const provider = (given.optionalArg(0) as Provider | undefined) ?? (await askProvider(terminal, ollama))
  if (provider === null) return null

  let baseUrl = given.text('base-url') ?? (provider === 'ollama' ? (ollama?.baseUrl ?? 'http://127.0.0.1:11434/v1') : undefined)
  if (baseUrl === undefined && provider === 'openai-compatible') {
    if (!terminal.interactive) throw needs('parley model set openai-compatible --base-url http://127.0.0.1:1234/v1 --model name')
    const typed = await askText(terminal, words.askBaseUrl, 'http://127.0.0.1:1234/v1')
    if (typed === null) return null
    baseUrl = typed
  }
  const model = given.text('model') ?? (await askModel(terminal, provider, provider === 'ollama' ? (ollama?.models ?? []) : []))
  return model === null ? null : { provider, model, baseUrl }
}

async function askProvider(terminal: Terminal, ollama: FoundOllama | null): Promise<Provider | null> {
  const { words } = terminal
  if (!terminal.interactive) throw needs('parley model set ollama|openai-compatible|anthropic --model name')
  const options = [
    { value: 'ollama', label: words.providers.ollama, hint: ollama ? words.ollamaAt(ollama.baseUrl) : words.ollamaNone },
    { value: 'openai-compatible', label: words.providers['openai-compatible'] },
    { value: 'anthropic', label: words.providers.anthropic },
  ]
  // Installed models come first.
  return (await askChoice(
    terminal,
    words.pickProvider,
    ollama ? options : [...options.slice(1), ...options.slice(0, 1)],
  )) as Provider | null
}

async function askModel(terminal: Terminal, provider: Provider, found: readonly string[]): Promise<string | null> {
  const { words } = terminal
  const [only] = found
  if (!terminal.interactive) {
    if (only !== undefined && found.length === 1) return only
    throw needs(`parley model set ${provider} --model ${found.join('|') || 'name'}`)
  }
  const models = provider === 'anthropic' ? anthropicModels : found
  if (models.length === 0) return askText(terminal, words.askModel)
  return askChoice(
    terminal,
    words.pickModel,
    models.map((value) => ({ value, label: value })),
  )
}

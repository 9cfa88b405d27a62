import type { ModelConfig } from '../../app/config/schema.ts'
import type { ToolSpec } from '../../ports/agent-runtime.ts'
import { anthropicModel } from './anthropic.ts'
import { chatCompletions } from './chat-completions.ts'
import type { Message } from './messages.ts'

export type ModelAddress = Pick<ModelConfig, 'provider' | 'baseUrl' | 'model' | 'apiKey' | 'headers'>

export type ModelRequest = {
  system: string
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  temperature?: number
  maxOutputTokens?: number
}

/** The parts of a model's reply that Parley uses, independent of the protocol. */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Whole; `input` as the model wrote it, so it may be broken JSON. `id` is empty when the provider gave none. */
  | { type: 'call'; id: string; name: string; input: string }
  | { type: 'finish'; reason: FinishReason; inputTokens: number | null; outputTokens: number | null; thinkingTokens?: number }

/** null: the provider never said that the reply is complete, the stream merely ended. */
export type FinishReason = 'length' | 'filter' | 'other' | null

export type ModelStream = {
  contentType: string | null
  /** One list for each chunk. An empty list means that bytes arrived which form no complete part yet. */
  parts: AsyncIterable<readonly ModelPart[]>
}

/** One request. Rejects and throws whatever `modelFailure` can read; ends the connection when `signal` aborts. */
export type LanguageModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelStream>

/** OpenAI's wire is ours to read (docs/decisions/0011); Anthropic's SDK is loaded when it is first needed. */
export async function languageModel(address: ModelAddress): Promise<LanguageModel> {
  return address.provider === 'anthropic' ? anthropicModel(address) : chatCompletions(address)
}

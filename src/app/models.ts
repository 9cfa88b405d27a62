import type { z } from 'zod'
import { type ModelConfig, modelSchema } from './config/schema.ts'

/** A language model for `agent({ model })`. */
export type Model = ModelConfig

/** Settings of `models` in parley.yaml, without the provider. */
export type ModelOptions = Omit<z.input<typeof modelSchema>, 'provider'>

/**
 * A model of OpenAI, or of a server that speaks its protocol (`baseUrl`). `OPENAI_API_KEY` and `OPENAI_BASE_URL` count unless
 * `apiKey` and `baseUrl` are given.
 */
export const openai = (options: ModelOptions): Model =>
  modelSchema.parse({ ...fromEnvironment('OPENAI'), ...options, provider: 'openai-compatible' })

/** A model of Anthropic. `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL` count unless `apiKey` and `baseUrl` are given. */
export const anthropic = (options: ModelOptions): Model =>
  modelSchema.parse({ ...fromEnvironment('ANTHROPIC'), ...options, provider: 'anthropic' })

/** A model of Ollama on this machine, or at `baseUrl`. */
export const ollama = (options: ModelOptions): Model =>
  modelSchema.parse({ baseUrl: 'http://127.0.0.1:11434/v1', ...options, provider: 'openai-compatible' })

function fromEnvironment(vendor: string): { apiKey?: string; baseUrl?: string } {
  const { [`${vendor}_API_KEY`]: apiKey, [`${vendor}_BASE_URL`]: baseUrl } = process.env
  return { ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) }
}

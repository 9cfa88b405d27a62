import { findByPrefix } from './name-prefix.ts'

/** The request field that bounds the output. */
export type OutputField = 'max_output_tokens' | 'max_completion_tokens' | 'max_tokens'

/**
 * The way a request asks for reasoning:
 * `responses`: `reasoning.effort`; Chat Completions accepts tools only with `reasoning_effort: "none"`;
 * `effort`: `reasoning_effort`; `adaptive`: `thinking.type: "adaptive"` and `output_config.effort`;
 * `output-effort`: `output_config.effort` alone; `budget`: `thinking.budget_tokens`;
 * `thinking-type`: `thinking.type` and `reasoning_effort`; `toggle`: on, off or an effort, by server.
 */
export type ReasoningStyle = 'responses' | 'effort' | 'adaptive' | 'output-effort' | 'budget' | 'thinking-type' | 'toggle' | 'none'

/** The part of an output that a later request must repeat unchanged. */
export type ReasoningReplay = 'items' | 'blocks' | 'reasoning_content' | 'thought_signature' | 'none'

/** `key`: automatic, and `prompt_cache_key` improves it. */
export type CacheStyle = 'key' | 'cache_control' | 'automatic'

export type UsageStyle = 'openai' | 'anthropic' | 'deepseek'

export type ModelFamily = {
  name: string
  prefixes: readonly string[]
  windowTokens: number
  /** Smaller than the window where the provider keeps a part of it for the output. */
  inputLimitTokens: number
  /** null: the provider names none. */
  maxOutputTokens: number | null
  outputField: OutputField
  reasoning: ReasoningStyle
  replay: ReasoningReplay
  cache: CacheStyle
  /** Shorter prompts are not cached. */
  cacheMinTokens: number
  usage: UsageStyle
  /** The model always thinks, refuses a forced tool, and its thinking is bound to model and dialog. */
  alwaysThinks?: true
  /** A prompt above this size costs a multiple. */
  priceStep?: { aboveTokens: number; factor: number }
}

type Shape = Omit<ModelFamily, 'name' | 'prefixes' | 'windowTokens' | 'inputLimitTokens' | 'maxOutputTokens'>
type Size = { window: number; input?: number; output: number | null }

const family = (name: string, prefixes: readonly string[], { window, input, output }: Size, shape: Shape): ModelFamily => ({
  name,
  prefixes,
  windowTokens: window,
  inputLimitTokens: input ?? window,
  maxOutputTokens: output,
  ...shape,
})

const gpt: Shape = {
  outputField: 'max_completion_tokens',
  reasoning: 'effort',
  replay: 'none',
  cache: 'key',
  cacheMinTokens: 1_024,
  usage: 'openai',
}
const responses: Shape = { ...gpt, outputField: 'max_output_tokens', reasoning: 'responses', replay: 'items' }
const claude: Shape = {
  outputField: 'max_tokens',
  reasoning: 'adaptive',
  replay: 'blocks',
  cache: 'cache_control',
  cacheMinTokens: 4_096,
  usage: 'anthropic',
}
const gemini: Shape = {
  outputField: 'max_tokens',
  reasoning: 'effort',
  replay: 'thought_signature',
  cache: 'automatic',
  cacheMinTokens: 4_096,
  usage: 'openai',
}
const mistral: Shape = {
  outputField: 'max_tokens',
  reasoning: 'effort',
  replay: 'none',
  cache: 'key',
  cacheMinTokens: 0,
  usage: 'openai',
}
const thinking: Shape = {
  outputField: 'max_tokens',
  reasoning: 'toggle',
  replay: 'reasoning_content',
  cache: 'automatic',
  cacheMinTokens: 0,
  usage: 'openai',
}
const groq: Shape = { ...gpt, reasoning: 'none', cache: 'automatic', cacheMinTokens: 0 }

/** Public documentation and reports up to November 2026. Every value can be overridden by configuration. */
export const modelFamilies: readonly ModelFamily[] = [
  family(
    'GPT-6, 5.6, 5.5, 5.4',
    ['gpt-6', 'gpt-5.6', 'gpt-5.5', 'gpt-5.4'],
    { window: 1_050_000, input: 922_000, output: 128_000 },
    { ...responses, priceStep: { aboveTokens: 272_000, factor: 2 } },
  ),
  family('GPT-5.4-mini', ['gpt-5.4-mini'], { window: 400_000, input: 272_000, output: 128_000 }, responses),
  family('GPT-5, 5.1, 5.2', ['gpt-5', 'gpt-5.1', 'gpt-5.2'], { window: 400_000, input: 272_000, output: 128_000 }, gpt),
  family('o3, o4-mini', ['o3', 'o4-mini'], { window: 200_000, output: 100_000 }, gpt),
  family('GPT-4.1', ['gpt-4.1'], { window: 1_047_576, output: 32_768 }, { ...gpt, reasoning: 'none' }),
  family('GPT-4o', ['gpt-4o', 'chatgpt-4o'], { window: 128_000, output: 16_384 }, { ...gpt, reasoning: 'none' }),
  family(
    'Claude Opus 5.5, Fable 5.1',
    ['claude-opus-5-5', 'claude-fable-5-1'],
    { window: 1_000_000, output: 128_000 },
    { ...claude, alwaysThinks: true },
  ),
  family(
    'Claude Sonnet 5.5, Haiku 5.5, Opus 5, Sonnet 5, Opus 4.8',
    ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5', 'claude-sonnet-5', 'claude-opus-4-8'],
    { window: 1_000_000, output: 128_000 },
    claude,
  ),
  family('Claude Sonnet 4.6', ['claude-sonnet-4-6'], { window: 1_000_000, output: 64_000 }, { ...claude, reasoning: 'output-effort' }),
  family(
    'Claude Haiku 4.5, Sonnet 4.5',
    ['claude-haiku-4-5', 'claude-sonnet-4-5'],
    { window: 200_000, output: 64_000 },
    { ...claude, reasoning: 'budget' },
  ),
  family('Gemini 4 Argon, 3.x, 2.5', ['gemini-4-argon', 'gemini-3', 'gemini-2.5'], { window: 1_048_576, output: 65_536 }, gemini),
  family(
    'DeepSeek V4',
    ['deepseek-v4'],
    { window: 1_000_000, output: 384_000 },
    { ...thinking, reasoning: 'thinking-type', usage: 'deepseek' },
  ),
  family(
    'Mistral Large, Medium, Devstral 2',
    ['mistral-large', 'mistral-medium', 'devstral-2', 'devstral-2512', 'devstral-latest'],
    { window: 262_144, output: null },
    mistral,
  ),
  family('Mistral Small', ['mistral-small'], { window: 256_000, output: null }, mistral),
  family('Grok 4.3', ['grok-4.3'], { window: 1_000_000, output: 30_000 }, { ...thinking, reasoning: 'effort', replay: 'none' }),
  family('Kimi K2.6, K2.7', ['kimi-k2.6', 'kimi-k2.7'], { window: 262_144, output: null }, thinking),
  family('GLM-5.2', ['glm-5.2'], { window: 1_000_000, output: 131_072 }, thinking),
  family('Qwen3.7-max', ['qwen3.7-max'], { window: 1_000_000, output: 65_536 }, thinking),
  family('MiniMax-M3', ['minimax-m3'], { window: 1_000_000, output: 128_000 }, thinking),
  family('gpt-oss', ['gpt-oss'], { window: 131_072, output: 32_768 }, { ...groq, reasoning: 'effort' }),
  family('Llama 3.3', ['llama-3.3'], { window: 131_072, output: 32_768 }, groq),
]

export const findFamily = (model: string): ModelFamily | null => findByPrefix(modelFamilies, model)

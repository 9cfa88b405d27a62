import type { AnthropicProvider } from '@ai-sdk/anthropic'
import type { ToolSpec } from '../../ports/agent-runtime.ts'
import type { LanguageModel, ModelAddress, ModelPart } from './language-model.ts'
import { leanFetch } from './lean-fetch.ts'

type SdkModel = ReturnType<AnthropicProvider>
type SdkOptions = Parameters<SdkModel['doStream']>[0]
type SdkPart = Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/**
 * Anthropic through its SDK, one layer below `streamText`: the driver is our loop, so its loop, retries, tool parsing and
 * warnings on the console would only be worked around.
 */
export async function anthropicModel({ baseUrl, model, apiKey, headers }: ModelAddress): Promise<LanguageModel> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const provider = createAnthropic({
    fetch: leanFetch,
    ...(headers === undefined ? {} : { headers }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    apiKey: apiKey ?? '',
  })
  const sdk = provider(model)
  return async ({ system, messages, tools, ...settings }, abortSignal) => {
    const { stream, response } = await sdk.doStream({
      prompt: [{ role: 'system', content: system }, ...messages],
      ...(tools.length === 0 ? {} : { tools: tools.map(declared) }),
      ...settings,
      abortSignal,
    })
    return { contentType: response?.headers?.['content-type'] ?? null, parts: getParts(stream) }
  }
}

async function* getParts(stream: ReadableStream<SdkPart>): AsyncGenerator<ModelPart[]> {
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    // The first comes from the SDK itself, before the model said anything.
    if (part.type !== 'stream-start') yield toParts(part)
  }
}

/** Four kinds matter; the rest repeats them, or concerns tools that run at the provider. */
function toParts(part: SdkPart): ModelPart[] {
  if (part.type === 'text-delta') return [{ type: 'text', text: part.delta }]
  if (part.type === 'reasoning-delta') return [{ type: 'reasoning', text: part.delta }]
  if (part.type === 'tool-call') return [{ type: 'call', id: part.toolCallId, name: part.toolName, input: part.input }]
  if (part.type !== 'finish') return []
  const { raw, unified } = part.finishReason
  const reason = raw === undefined ? null : unified === 'length' ? 'length' : unified === 'content-filter' ? 'filter' : 'other'
  const { inputTokens, outputTokens } = part.usage
  const thinking = outputTokens.reasoning === undefined ? {} : { thinkingTokens: outputTokens.reasoning }
  return [{ type: 'finish', reason, inputTokens: inputTokens.total ?? null, outputTokens: outputTokens.total ?? null, ...thinking }]
}

type SdkTool = NonNullable<SdkOptions['tools']>[number]

const declared = ({ name, description, inputSchema }: ToolSpec): SdkTool => ({ type: 'function', name, description, inputSchema })

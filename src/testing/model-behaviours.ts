import type { Protocol, Spoken, SpokenPart } from './model-wire.ts'

/** One line of a file of model behaviours: what a model says, one entry for each request, in the form of its own protocol. */
export type BehaviourLine = {
  id: string
  family: string
  given: Record<string, unknown>
  model_says: readonly SaidEntry[]
  expect: readonly string[]
}

export type SaidEntry = {
  /** Chat Completions. */
  message?: {
    content: string | null
    refusal?: string
    reasoning_content?: string
    tool_calls?: readonly { id: string; function: { name: string; arguments: string }; extra_content?: object }[]
  }
  finish_reason?: string
  /** Anthropic Messages. */
  content?: readonly { type: string; text?: string; thinking?: string; signature?: string; id?: string; name?: string; input?: object }[]
  stop_reason?: string
  /** OpenAI Responses. */
  output?: readonly {
    type: string
    phase?: string
    content?: readonly { text: string }[]
    call_id?: string
    name?: string
    arguments?: string
  }[]
  status?: number
  error?: unknown
  usage?: { prompt_tokens: number }
}

export type Refused = { status: number; error: unknown }

export const readBehaviours = (text: string): BehaviourLine[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as BehaviourLine)

/** An entry independent of its protocol. */
export function readSaid(entry: SaidEntry): Spoken | Refused {
  if (entry.status !== undefined) return { status: entry.status, error: entry.error }
  const usage = entry.usage && { usage: { prompt_tokens: entry.usage.prompt_tokens, completion_tokens: 5 } }
  if (entry.usage) return { parts: [{ type: 'text', chunks: ['ok'] }], end: 'stop', ...usage }
  return { parts: listParts(entry), end: toEnd(entry.finish_reason ?? entry.stop_reason ?? '') }
}

function toEnd(reason: string): Spoken['end'] {
  if (reason === 'length' || reason === 'max_tokens') return 'length'
  return reason === 'refusal' || reason === 'content_filter' ? 'filter' : 'stop'
}

function listParts({ message, content = [], output = [] }: SaidEntry): SpokenPart[] {
  if (message) {
    const { reasoning_content: reasoning, content: words, refusal, tool_calls: calls = [] } = message
    return [
      ...(reasoning === undefined ? [] : [{ type: 'thinking' as const, chunks: [reasoning] }]),
      ...(words === null || words === '' ? [] : [{ type: 'text' as const, chunks: cut(words) }]),
      ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
      ...calls.map(({ id, function: { name, arguments: args }, extra_content }) => ({
        type: 'call' as const,
        id,
        name,
        args: cut(args),
        ...(extra_content && { extra: { extra_content } }),
      })),
    ]
  }
  const blocks = content.map((block): SpokenPart => {
    if (block.type === 'thinking')
      return { type: 'thinking', chunks: block.thinking === '' ? [] : [block.thinking ?? ''], signature: block.signature ?? '' }
    if (block.type === 'text') return { type: 'text', chunks: cut(block.text ?? '') }
    return { type: 'call', id: block.id ?? '', name: block.name ?? '', args: cut(JSON.stringify(block.input)) }
  })
  const items = output.map((item): SpokenPart => {
    if (item.type === 'reasoning') return { type: 'thinking', chunks: [], item }
    if (item.type === 'function_call') return { type: 'call', id: item.call_id ?? '', name: item.name ?? '', args: [item.arguments ?? ''] }
    const text = (item.content ?? []).map((part) => part.text).join('')
    return { type: 'text', chunks: cut(text), ...(item.phase !== undefined && { phase: item.phase }) }
  })
  return [...blocks, ...items]
}

/** Two pieces, so that nothing is read only because it came whole. */
const cut = (text: string): string[] => (text.length < 2 ? [text] : [text.slice(0, text.length / 2), text.slice(text.length / 2)])

/** True when the protocol has a form for everything in the reply. */
export function canSay(protocol: Protocol, said: Spoken | Refused): boolean {
  if ('status' in said) return true
  return said.parts.every((part) => {
    switch (part.type) {
      case 'thinking':
        if (part.signature !== undefined) return protocol === 'anthropic'
        return part.item === undefined || protocol === 'responses'
      case 'text':
        return part.phase === undefined || protocol === 'responses'
      case 'refusal':
        return protocol !== 'anthropic'
      case 'call':
        return part.extra === undefined || protocol === 'openai-compatible'
    }
  })
}

/** The body of a refused request. */
export const toErrorBody = (protocol: Protocol, { error }: Refused): object =>
  protocol === 'anthropic' && typeof error === 'object' ? { type: 'error', error } : { error }

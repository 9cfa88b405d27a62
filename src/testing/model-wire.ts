/** The same reply in the three model protocols. */

export type Reply = {
  pieces: readonly string[]
  thinking?: readonly string[]
  calls?: readonly {
    id: string
    name: string
    /** As sent, so it may be broken JSON; each string is one chunk. */ args: readonly string[]
  }[]
  finish?: End
}

export type End = 'stop' | 'length' | 'filter'

export type Protocol = 'openai-compatible' | 'responses' | 'anthropic'

export const protocols = ['openai-compatible', 'responses', 'anthropic'] as const satisfies readonly Protocol[]

/** A part of a reply, with everything that at least one protocol can say. Texts come in chunks. */
export type SpokenPart =
  /** `signature` is Anthropic's; `item` the whole item of Responses. */
  | { type: 'thinking'; chunks: readonly string[]; signature?: string; item?: object }
  | { type: 'text'; chunks: readonly string[]; phase?: string }
  | { type: 'refusal'; text: string }
  | { type: 'call'; id: string; name: string; args: readonly string[]; extra?: object }

/** One reply of a model. `usage` is that of Chat Completions, which the others have under other names. */
export type Spoken = { parts: readonly SpokenPart[]; end: End; usage?: { prompt_tokens: number; completion_tokens: number } }

const defaultUsage = { prompt_tokens: 7, completion_tokens: 5 }

const toSpoken = ({ pieces, thinking = [], calls = [], finish = 'stop' }: Reply): Spoken => ({
  parts: [
    ...(thinking.length > 0 ? [{ type: 'thinking' as const, chunks: thinking }] : []),
    ...(pieces.length > 0 ? [{ type: 'text' as const, chunks: pieces }] : []),
    ...calls.map((call) => ({ type: 'call' as const, ...call })),
  ],
  end: finish,
})

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** The reply as the chunks of a server-sent stream, in order. */
export const streamChunks = (protocol: Protocol, reply: Reply): string[] => spokenChunks(protocol, toSpoken(reply))

export function spokenChunks(protocol: Protocol, spoken: Spoken): string[] {
  if (protocol === 'responses') return responsesChunks(spoken)
  return protocol === 'anthropic' ? anthropicChunks(spoken) : openAiChunks(spoken)
}

const isCalling = ({ parts }: Spoken): boolean => parts.some(({ type }) => type === 'call')

function openAiChunks(spoken: Spoken): string[] {
  const { parts, end, usage = defaultUsage } = spoken
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'emulated' }
  const chunk = (choice: object): string => event({ ...frame, choices: [{ index: 0, finish_reason: null, ...choice }] })
  const reason = { stop: isCalling(spoken) ? 'tool_calls' : 'stop', length: 'length', filter: 'content_filter' }[end]
  let calls = 0
  const deltas = parts.flatMap((part): object[] => {
    switch (part.type) {
      case 'thinking':
        return part.chunks.map((reasoning_content) => ({ reasoning_content }))
      case 'text':
        return part.chunks.map((content) => ({ role: 'assistant', content }))
      case 'refusal':
        return [{ role: 'assistant', content: null, refusal: part.text }]
      case 'call': {
        const index = calls
        calls += 1
        const { id, name, args, extra } = part
        return [
          { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' }, ...extra }] },
          ...args.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]
      }
    }
  })
  const total = usage.prompt_tokens + usage.completion_tokens
  return [
    ...deltas.map((delta) => chunk({ delta })),
    chunk({ delta: {}, finish_reason: reason }),
    event({ ...frame, choices: [], usage: { ...usage, total_tokens: total } }),
    event('[DONE]'),
  ]
}

function responsesChunks({ parts, end, usage = defaultUsage }: Spoken): string[] {
  const chunks: string[] = []
  const send = (type: string, more: object = {}): void => void chunks.push(event({ type, ...more }, type))
  send('response.created', { response: { id: 'resp_1', object: 'response', status: 'in_progress' } })
  const output: object[] = []
  for (const part of parts) {
    const output_index = output.length
    const { item, deltas } = toResponsesItem(part)
    send('response.output_item.added', { output_index, item })
    for (const { type, delta } of deltas) send(type, { output_index, delta })
    send('response.output_item.done', { output_index, item })
    output.push(item)
  }
  const counts = {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.completion_tokens,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
  }
  const response = { id: 'resp_1', object: 'response', status: end === 'stop' ? 'completed' : 'incomplete', output, usage: counts }
  if (end === 'stop') send('response.completed', { response })
  else {
    const reason = { length: 'max_output_tokens', filter: 'content_filter' }[end]
    send('response.incomplete', { response: { ...response, incomplete_details: { reason } } })
  }
  return chunks
}

type ResponsesDelta = { type: string; delta: string }

function toResponsesItem(part: SpokenPart): { item: object; deltas: ResponsesDelta[] } {
  const toDeltas = (type: string, pieces: readonly string[]): ResponsesDelta[] => pieces.map((delta) => ({ type, delta }))
  switch (part.type) {
    case 'thinking': {
      const summary = part.chunks.length === 0 ? [] : [{ type: 'summary_text', text: part.chunks.join('') }]
      const item = part.item ?? { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' }
      return { item, deltas: toDeltas('response.reasoning_summary_text.delta', part.chunks) }
    }
    case 'text': {
      const content = [{ type: 'output_text', text: part.chunks.join('') }]
      const item = { type: 'message', role: 'assistant', ...(part.phase !== undefined && { phase: part.phase }), content }
      return { item, deltas: toDeltas('response.output_text.delta', part.chunks) }
    }
    case 'refusal': {
      const item = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }
      return { item, deltas: toDeltas('response.refusal.delta', [part.text]) }
    }
    case 'call': {
      const item = { type: 'function_call', call_id: part.id, name: part.name, arguments: part.args.join('') }
      return { item, deltas: toDeltas('response.function_call_arguments.delta', part.args) }
    }
  }
}

function anthropicChunks(spoken: Spoken): string[] {
  const { parts, end, usage = defaultUsage } = spoken
  const chunks: string[] = []
  const send = (type: string, more: object = {}): void => void chunks.push(event({ type, ...more }, type))
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'emulated',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  send('message_start', { message: { ...message, usage: { input_tokens: usage.prompt_tokens, output_tokens: 1 } } })
  for (const [index, part] of parts.entries()) {
    const { block, deltas } = toAnthropicBlock(part)
    send('content_block_start', { index, content_block: block })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  const reason = { stop: isCalling(spoken) ? 'tool_use' : 'end_turn', length: 'max_tokens', filter: 'refusal' }[end]
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: usage.completion_tokens } })
  send('message_stop')
  return chunks
}

function toAnthropicBlock(part: SpokenPart): { block: object; deltas: object[] } {
  switch (part.type) {
    case 'thinking': {
      const signed = part.signature === undefined ? [] : [{ type: 'signature_delta', signature: part.signature }]
      const deltas = [...part.chunks.map((thinking) => ({ type: 'thinking_delta', thinking })), ...signed]
      return { block: { type: 'thinking', thinking: '', signature: '' }, deltas }
    }
    case 'refusal':
      return { block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: part.text }] }
    case 'text':
      return { block: { type: 'text', text: '' }, deltas: part.chunks.map((text) => ({ type: 'text_delta', text })) }
    case 'call':
      return {
        block: { type: 'tool_use', id: part.id, name: part.name, input: {} },
        deltas: part.args.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      }
  }
}

/** The reply as one JSON document, for callers that do not stream. */
export function wholeBody(protocol: Protocol, { pieces, calls = [] }: Reply): object {
  const text = pieces.join('')
  if (protocol === 'anthropic') {
    const uses = calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args.join('') || '{}') as object }))
    const content = [...(text === '' ? [] : [{ type: 'text', text }]), ...uses]
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'emulated',
      content,
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 7, output_tokens: 5 },
    }
  }
  if (protocol === 'responses') {
    const messages = text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
    const items = calls.map(({ id, name, args }) => ({ type: 'function_call', call_id: id, name, arguments: args.join('') }))
    return {
      object: 'response',
      status: 'completed',
      output: [...messages, ...items],
      usage: { input_tokens: 7, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 },
    }
  }
  const toolCalls = calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: args.join('') } }))
  const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'emulated',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  }
}

export function errorBody(protocol: Protocol, type: string, message: string): object {
  return protocol === 'anthropic' ? { type: 'error', error: { type, message } } : { error: { message, type, code: null, param: null } }
}

/** An error in the middle of a stream that began well. */
export function errorChunk(protocol: Protocol, type: string, message: string): string {
  return event(errorBody(protocol, type, message), protocol === 'anthropic' ? 'error' : undefined)
}

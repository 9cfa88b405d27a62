/** The same reply in the three model protocols. */

export type Reply = {
  pieces: readonly string[]
  thinking?: readonly string[]
  calls?: readonly {
    id: string
    name: string
    /** As sent, so it may be broken JSON; each string is one chunk. */ args: readonly string[]
  }[]
  finish?: 'stop' | 'length' | 'filter'
}

export type Protocol = 'openai-compatible' | 'responses' | 'anthropic'

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** The reply as the chunks of a server-sent stream, in order. */
export function streamChunks(protocol: Protocol, reply: Reply): string[] {
  if (protocol === 'responses') return responsesChunks(reply)
  return protocol === 'anthropic' ? anthropicChunks(reply) : openAiChunks(reply)
}

function responsesChunks({ pieces, thinking = [], calls = [], finish = 'stop' }: Reply): string[] {
  const chunks: string[] = []
  const send = (type: string, more: object = {}): void => void chunks.push(event({ type, ...more }, type))
  const output: object[] = []
  const item = (done: object, deltas: readonly object[]): void => {
    const output_index = output.length
    send('response.output_item.added', { output_index, item: done })
    for (const delta of deltas) send((delta as { type: string }).type, { output_index, ...delta })
    send('response.output_item.done', { output_index, item: done })
    output.push(done)
  }
  send('response.created', { response: { object: 'response', status: 'in_progress' } })
  if (thinking.length > 0)
    item(
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: thinking.join('') }], encrypted_content: 'gAAA' },
      thinking.map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
    )
  if (pieces.length > 0)
    item(
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: pieces.join('') }] },
      pieces.map((delta) => ({ type: 'response.output_text.delta', delta })),
    )
  for (const { id, name, args } of calls)
    item(
      { type: 'function_call', call_id: id, name, arguments: args.join('') },
      args.map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    )
  const usage = { input_tokens: 7, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 }
  if (finish === 'stop') send('response.completed', { response: { object: 'response', status: 'completed', output, usage } })
  else {
    const reason = { length: 'max_output_tokens', filter: 'content_filter' }[finish]
    send('response.incomplete', { response: { object: 'response', status: 'incomplete', incomplete_details: { reason }, output, usage } })
  }
  return chunks
}

function openAiChunks({ pieces, thinking = [], calls = [], finish = 'stop' }: Reply): string[] {
  const chunk = (choice: object): string =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'emulated',
      choices: [{ index: 0, finish_reason: null, ...choice }],
    })
  const reason = { stop: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', filter: 'content_filter' }[finish]
  return [
    ...thinking.map((text) => chunk({ delta: { reasoning_content: text } })),
    ...pieces.map((text) => chunk({ delta: { role: 'assistant', content: text } })),
    ...calls.flatMap(({ id, name, args }, index) => [
      chunk({ delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] } }),
      ...args.map((piece) => chunk({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } })),
    ]),
    chunk({ delta: {}, finish_reason: reason }),
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'emulated',
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    }),
    event('[DONE]'),
  ]
}

function anthropicChunks({ pieces, thinking = [], calls = [], finish = 'stop' }: Reply): string[] {
  const chunks: string[] = []
  const send = (type: string, more: object = {}): void => void chunks.push(event({ type, ...more }, type))
  const block = (content: object, deltas: readonly object[]): void => {
    const index = blocks
    blocks += 1
    send('content_block_start', { index, content_block: content })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  let blocks = 0
  send('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'emulated',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 7, output_tokens: 1 },
    },
  })
  if (thinking.length > 0)
    block(
      { type: 'thinking', thinking: '', signature: '' },
      thinking.map((text) => ({ type: 'thinking_delta', thinking: text })),
    )
  if (pieces.length > 0)
    block(
      { type: 'text', text: '' },
      pieces.map((text) => ({ type: 'text_delta', text })),
    )
  for (const { id, name, args } of calls)
    block(
      { type: 'tool_use', id, name, input: {} },
      args.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    )
  const reason = { stop: calls.length > 0 ? 'tool_use' : 'end_turn', length: 'max_tokens', filter: 'refusal' }[finish]
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } })
  send('message_stop')
  return chunks
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
    const said = text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
    const items = calls.map(({ id, name, args }) => ({ type: 'function_call', call_id: id, name, arguments: args.join('') }))
    return {
      object: 'response',
      status: 'completed',
      output: [...said, ...items],
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

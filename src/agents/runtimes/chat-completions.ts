import type { IncomingMessage } from 'node:http'
import { ParleyError } from '../../errors.ts'
import type { ToolSpec } from '../../ports/agent-runtime.ts'
import { ChatReply } from './chat-reply.ts'
import { getBody, httpSend, httpTarget, letGo } from './http-post.ts'
import type { LanguageModel, ModelAddress, ModelPart, ModelRequest } from './language-model.ts'
import type { Message } from './messages.ts'
import { findErrorResponse, ModelErrorResponse } from './model-error-response.ts'

/** As much of an error is read as can hold its message. */
const errorBytes = 64_000

/** A model behind OpenAI's chat completions, which nearly every other provider and local server speaks as well. */
export function chatCompletions({ baseUrl = 'https://api.openai.com/v1', model, apiKey, headers = {} }: ModelAddress): LanguageModel {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/chat/completions`
  const target = httpTarget(url)
  const fixed: Record<string, string> = {
    'content-type': 'application/json',
    // Compressing a trickle of words holds them back.
    'accept-encoding': 'identity',
    'user-agent': 'parley',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  for (const [name, value] of Object.entries(headers)) fixed[name.toLowerCase()] = value
  return async (request, signal) => {
    const body = bodyFor(model, request)
    const call = { method: 'POST', headers: { ...fixed, 'content-length': String(Buffer.byteLength(body)) }, body, signal }
    const response = await httpSend(target, call)
    const status = response.statusCode ?? 0
    if (status < 200 || status > 299) throw await readErrorResponse(response, status)
    checkPlain(response)
    return { contentType: response.headers['content-type'] ?? null, parts: getParts(response) }
  }
}

async function* getParts(response: IncomingMessage): AsyncGenerator<ModelPart[]> {
  const reply = new ChatReply()
  let isWhole = false
  try {
    for await (const chunk of getBody(response)) {
      const parts = reply.take(chunk)
      if (parts) yield parts
      if (reply.isDone) break
    }
    yield reply.end()
    isWhole = true
  } finally {
    if (isWhole) letGo(response)
    else response.destroy()
  }
}

function checkPlain(response: IncomingMessage): void {
  const encoding = response.headers['content-encoding']?.trim() ?? ''
  if (encoding === '' || encoding === 'identity') return
  response.destroy()
  throw new ParleyError('model_garbled', { why: 'it answered compressed, which was not asked for' }, { retryable: false })
}

async function readErrorResponse(response: IncomingMessage, status: number): Promise<ModelErrorResponse> {
  const { headers } = response
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // The body of a redirect is not used.
    if (status >= 400)
      for await (const chunk of getBody(response)) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > errorBytes) break
      }
  } catch {
    // The status says enough.
  }
  if (response.complete) letGo(response)
  else response.destroy()
  const text = Buffer.concat(chunks).toString('utf8', 0, errorBytes)
  return (
    findErrorResponse(documentIn(text), { status, headers }) ??
    new ModelErrorResponse({ message: wordsIn(text, response) }, { status, headers })
  )
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

const wordsIn = (text: string, { headers, statusMessage }: IncomingMessage): string =>
  headers['content-type']?.startsWith('text/plain') && text.trim() !== '' ? text : (statusMessage ?? '')

function bodyFor(model: string, { system, messages, tools, temperature, maxOutputTokens }: ModelRequest): string {
  const all = [{ role: 'system', content: system }, ...messages.map(onTheWire)]
  const start = JSON.stringify({ model, max_tokens: maxOutputTokens, temperature, messages: all })
  const declared = tools.length === 0 ? '' : `,"tools":[${tools.map(declaration).join(',')}]`
  return `${start.slice(0, -1)}${declared},"stream":true,"stream_options":{"include_usage":true}}`
}

/** Often longer than the dialog, and always the same. */
const declarations = new WeakMap<ToolSpec, { schema: object; text: string }>()

function declaration(tool: ToolSpec): string {
  const { name, description, inputSchema: schema } = tool
  let cached = declarations.get(tool)
  // The schema of a tool may change with the connected chat apps.
  if (cached?.schema !== schema) {
    cached = { schema, text: JSON.stringify({ type: 'function', function: { name, description, parameters: schema } }) }
    declarations.set(tool, cached)
  }
  return cached.text
}

function onTheWire(message: Message): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content[0].text }
    case 'assistant': {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: JSON.stringify(part.input) } }]
          : [],
      )
      return calls.length === 0 ? { role: 'assistant', content: text } : { role: 'assistant', content: text || null, tool_calls: calls }
    }
    case 'tool': {
      const [{ toolCallId, output }] = message.content
      const content = typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
      return { role: 'tool', tool_call_id: toolCallId, content }
    }
  }
}

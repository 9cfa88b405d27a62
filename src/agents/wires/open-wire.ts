import type { IncomingMessage } from 'node:http'
import type { ModelConfig } from '../../app/config/schema.ts'
import { ParleyError } from '../../errors.ts'
import { AnthropicReply } from './anthropic-reply.ts'
import { ChatReply } from './chat-reply.ts'
import { getBody, httpSend, httpTarget, letGo } from './http-post.ts'
import { findErrorResponse, ModelErrorResponse } from './model-error-response.ts'
import { ResponsesReply } from './responses-reply.ts'
import type { ModelPart, OpenWire, ReplyReader, Wire } from './wire.ts'

export type ModelAddress = Pick<ModelConfig, 'provider' | 'baseUrl' | 'apiKey' | 'headers'>

/** As much of an error is read as can hold its message. */
const errorBytes = 64_000

const paths: Record<Wire, string> = { chat: 'chat/completions', responses: 'responses', anthropic: 'messages' }

const readers: Record<Wire, () => ReplyReader> = {
  chat: () => new ChatReply(),
  responses: () => new ResponsesReply(),
  anthropic: () => new AnthropicReply(),
}

/** The address of the API. */
export const addressFor = ({ provider, baseUrl }: Pick<ModelConfig, 'provider' | 'baseUrl'>): string =>
  baseUrl ?? (provider === 'anthropic' ? 'https://api.anthropic.com/v1' : 'https://api.openai.com/v1')

/**
 * A model at an address that speaks this wire. The bytes of a request are those of `body`. `keepsPieces` passes on words as the
 * server sent them, also where several pieces arrived together.
 */
export function openWire(address: ModelAddress, wire: Wire, { keepsPieces = false }: { keepsPieces?: boolean } = {}): OpenWire {
  const url = new URL(addressFor(address))
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${paths[wire]}`
  const target = httpTarget(url)
  const fixed = fixedHeaders(address, wire)
  return async (body, signal) => {
    const call = { method: 'POST', headers: { ...fixed, 'content-length': String(body.length) }, body, signal }
    const response = await httpSend(target, call)
    const status = response.statusCode ?? 0
    if (status < 200 || status > 299) throw await readErrorResponse(response, status)
    checkPlain(response)
    return {
      contentType: response.headers['content-type'] ?? null,
      parts: getParts(response, readers[wire](), keepsPieces ? (parts) => [...parts] : joinTexts),
    }
  }
}

function fixedHeaders({ apiKey, headers = {} }: ModelAddress, wire: Wire): Record<string, string> {
  const key: Record<string, string> =
    apiKey === undefined ? {} : wire === 'anthropic' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
  const fixed: Record<string, string> = {
    'content-type': 'application/json',
    // Compressing a trickle of words holds them back.
    'accept-encoding': 'identity',
    'user-agent': 'parley',
    ...(wire === 'anthropic' && { 'anthropic-version': '2023-06-01' }),
    ...key,
  }
  for (const [name, value] of Object.entries(headers)) fixed[name.toLowerCase()] = value
  return fixed
}

async function* getParts(
  response: IncomingMessage,
  reply: ReplyReader,
  join: (parts: readonly ModelPart[]) => ModelPart[],
): AsyncGenerator<ModelPart[]> {
  let isWhole = false
  try {
    for await (const chunk of getBody(response)) {
      const parts = reply.take(chunk)
      if (parts) yield join(parts)
      if (reply.isDone) break
    }
    yield join(reply.end())
    isWhole = true
  } finally {
    if (isWhole) letGo(response)
    else response.destroy()
  }
}

/** Words that arrived together go on together: each part passes several readers, which costs more than reading it. */
function joinTexts(parts: readonly ModelPart[]): ModelPart[] {
  const joined: ModelPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if ((part.type === 'text' || part.type === 'reasoning') && last?.type === part.type)
      joined[joined.length - 1] = { type: part.type, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
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
  const body = Buffer.concat(chunks).toString('utf8', 0, errorBytes)
  return (
    findErrorResponse(documentIn(body), { status, headers, body }) ??
    new ModelErrorResponse({ message: wordsIn(body, response) }, { status, headers, body })
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

import type { IncomingMessage } from 'node:http'

export type Params = Record<string, unknown>
export type Upload = { name: string; mimeType: string; bytes: Buffer }
export type ReadRequest = { params: Params; uploads: Map<string, Upload> }

/** A parameter as text; a number is one, nothing is none. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** Fields that stay text however they look; everything else sent as a form is JSON where it parses as JSON. */
const alwaysText = new Set([
  'text',
  'caption',
  'parse_mode',
  'callback_query_id',
  'url',
  'secret_token',
  'question',
  'title',
  'name',
  'performer',
  'inline_message_id',
  'photo',
  'document',
  'video',
  'audio',
  'voice',
  'animation',
  'sticker',
  'video_note',
  'file_id',
  'message_effect_id',
])

/** The parameters of one call, whichever of Telegram's four ways they came in. */
export async function readRequest(request: IncomingMessage): Promise<ReadRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  const query = fromForm(new URL(request.url ?? '/', 'http://emulator').searchParams)
  if (bytes.length === 0) return { params: query, uploads: new Map() }
  if (type.startsWith('application/json'))
    return { params: { ...query, ...(JSON.parse(bytes.toString('utf8')) as Params) }, uploads: new Map() }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { params: { ...query, ...fromForm(new URLSearchParams(bytes.toString('utf8'))) }, uploads: new Map() }
  return fromMultipart(query, bytes, type)
}

async function fromMultipart(query: Params, bytes: Buffer, type: string): Promise<ReadRequest> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const uploads = new Map<string, Upload>()
  const texts: [string, string][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value])
    else uploads.set(name, { name: value.name, mimeType: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { params: { ...query, ...fromForm(texts) }, uploads }
}

function fromForm(pairs: Iterable<[string, string]>): Params {
  const params: Params = {}
  for (const [name, value] of pairs) params[name] = alwaysText.has(name) ? value : parsed(value)
  return params
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

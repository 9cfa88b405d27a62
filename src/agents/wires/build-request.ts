import type { ModelConfig } from '../../app/config/schema.ts'
import type { ToolSpec } from '../../ports/agent-runtime.ts'
import type { ModelFamily } from '../models/families.ts'
import { changeFields, type RequestChange } from '../models/parameter-faults.ts'
import { isOpenAiAddress, type WireProfile } from '../models/profiles.ts'
import { markForCache } from './cache-markers.ts'
import { reasoningFields } from './reasoning-fields.ts'
import type { Wire } from './wire.ts'

/** The list of a request in the elements of its wire. */
export type WireList = {
  system: string
  tools: readonly ToolSpec[]
  elements: readonly object[]
  /** The first elements as JSON, where that is known already. */
  texts: readonly string[]
  /** Number of elements that the previous request had; 0 when there was none. */
  cachedElements: number
}

export type RequestSettings = {
  wire: Wire
  address: string
  config: Pick<
    ModelConfig,
    'model' | 'temperature' | 'topP' | 'stop' | 'effort' | 'thinkingTokens' | 'showThinking' | 'cacheTtl' | 'extraBody'
  >
  family: ModelFamily | null
  profile: WireProfile
  /** null: the provider's own bound. */
  outputTokens: number | null
  /** The same for all requests of a dialog. */
  cacheKey: string
  changes: readonly RequestChange[]
}

/** `fields` are the names of the fields besides the list. */
export type BuiltRequest = { body: Buffer; fields: string[]; listBytes: number }

/**
 * The bytes of a request: the settings, then tools, system prompt and list. Within an epoch a request begins with the one before
 * it, apart from cache markers and the closing brackets.
 */
export function buildRequest(list: WireList, settings: RequestSettings): BuiltRequest {
  const fields = changeFields(listFields(settings), settings.changes)
  const start = `${JSON.stringify(fields).slice(0, -1)},`
  const head = encodeHead(list, settings)
  const rest = `${writeElements(list, settings)}]}`
  const startBytes = Buffer.byteLength(start)
  const body = Buffer.allocUnsafe(startBytes + head.length + Buffer.byteLength(rest))
  body.write(start)
  head.copy(body, startBytes)
  body.write(rest, startBytes + head.length)
  // Without the settings and the last bracket.
  return { body, fields: Object.keys(fields), listBytes: body.length - startBytes - 1 }
}

/** The extra body cannot replace these. */
const ownFields = new Set(['model', 'messages', 'input', 'instructions', 'system', 'tools', 'stream', 'store', 'previous_response_id'])

function listFields(settings: RequestSettings): Record<string, unknown> {
  const { wire, config, family, profile, outputTokens, cacheKey } = settings
  const { model, temperature, topP, stop, extraBody = {} } = config
  const reasoning = reasoningFields(wire, family, config, outputTokens)
  const isThinking = wire === 'anthropic' && isOn(reasoning['thinking'])
  const fields: Record<string, unknown> = {
    model,
    ...outputBound(settings),
    // Anthropic refuses both while the model thinks.
    ...(temperature !== undefined && !isThinking && { temperature }),
    ...(topP !== undefined && !isThinking && { top_p: topP }),
    ...(stop && wire !== 'responses' && { [wire === 'anthropic' ? 'stop_sequences' : 'stop']: stop }),
    ...reasoning,
    ...(wire !== 'anthropic' && profile.cacheKey && { prompt_cache_key: cacheKey }),
    stream: true,
    ...(wire === 'chat' && { stream_options: { include_usage: true } }),
    ...(wire === 'responses' && { store: false }),
    // Models that do not reason refuse it.
    ...(wire === 'responses' && family?.reasoning !== 'none' && { include: ['reasoning.encrypted_content'] }),
  }
  for (const [name, value] of Object.entries(extraBody)) if (!ownFields.has(name)) fields[name] = value
  return fields
}

const isOn = (thinking: unknown): boolean =>
  typeof thinking === 'object' && thinking !== null && (thinking as { type?: unknown }).type !== 'disabled'

function outputBound({ wire, address, family, outputTokens }: RequestSettings): Record<string, number> {
  if (outputTokens === null) return {}
  if (wire === 'responses') return { max_output_tokens: outputTokens }
  if (wire === 'anthropic') return { max_tokens: outputTokens }
  const isNew = family ? family.outputField !== 'max_tokens' : isOpenAiAddress(address)
  return { [isNew ? 'max_completion_tokens' : 'max_tokens']: outputTokens }
}

type Head = Pick<RequestSettings, 'wire'> & {
  notes: RequestSettings['profile']['notes']
  cacheTtl: ModelConfig['cacheTtl']
  tools: readonly ToolSpec[]
  schemas: readonly object[]
  bytes: Buffer
}

/** Tools and system prompt as bytes, by system prompt: longer than most lists, and the same for all requests of an agent. */
const heads = new Map<string, Head[]>()

/** Those of one system prompt differ in tools or wire. All are forgotten when there are more. */
export const headLimits = { systems: 64, ofOneSystem: 8, bytes: 100_000 } as const

function encodeHead({ system, tools }: WireList, settings: RequestSettings): Buffer {
  const { wire } = settings
  const { notes } = settings.profile
  const { cacheTtl } = settings.config
  // The long text alone is the key: a longer one made of it would be hashed anew for each request.
  const others = heads.get(system) ?? []
  const cachedHead = others.find(
    (one) =>
      one.wire === wire &&
      one.notes === notes &&
      one.cacheTtl === cacheTtl &&
      one.tools.length === tools.length &&
      tools.every((tool, at) => tool === one.tools[at] && tool.inputSchema === one.schemas[at]),
  )
  if (cachedHead) return cachedHead.bytes
  const bytes = Buffer.from(writeHead(system, tools, settings))
  if (bytes.length > headLimits.bytes) return bytes
  if (heads.size >= headLimits.systems) heads.clear()
  const schemas = tools.map(({ inputSchema }) => inputSchema)
  heads.set(system, [{ wire, notes, cacheTtl, tools, schemas, bytes }, ...others].slice(0, headLimits.ofOneSystem))
  return bytes
}

/** Everything of the list before its elements. */
function writeHead(system: string, tools: readonly ToolSpec[], { wire, config, profile }: RequestSettings): string {
  switch (wire) {
    case 'chat': {
      const role = profile.notes === 'developer' ? 'developer' : 'system'
      return `${writeTools(wire, tools)}"messages":[${JSON.stringify({ role, content: system })}`
    }
    case 'responses':
      return `${writeTools(wire, tools)}"instructions":${JSON.stringify(system)},"input":[`
    case 'anthropic': {
      const marker = cacheMarker(config)
      const systemText = system.trim() === '' ? '' : `"system":[${JSON.stringify({ type: 'text', text: system, ...marker })}],`
      return `${writeTools(wire, tools, marker)}${systemText}"messages":[`
    }
  }
}

const cacheMarker = ({ cacheTtl }: Pick<ModelConfig, 'cacheTtl'>): { cache_control: object } => ({
  cache_control: { type: 'ephemeral', ...(cacheTtl === '1h' && { ttl: '1h' }) },
})

function writeElements(list: WireList, { wire, config }: RequestSettings): string {
  const { elements, texts, cachedElements } = list
  const marked = wire === 'anthropic' ? markForCache(elements, cachedElements, cacheMarker(config)) : elements
  const written = marked.map((element, at) => (element === elements[at] ? texts[at] : undefined) ?? JSON.stringify(element)).join(',')
  // In Chat Completions the system prompt is the first element.
  return wire === 'chat' && written !== '' ? `,${written}` : written
}

function writeTools(wire: Wire, tools: readonly ToolSpec[], marker?: object): string {
  if (tools.length === 0) return ''
  const texts = tools.map((tool, at) => {
    const text = declaration(wire, tool)
    return marker && at === tools.length - 1 ? `${text.slice(0, -1)},${JSON.stringify(marker).slice(1)}` : text
  })
  return `"tools":[${texts.join(',')}],`
}

/** Often longer than the dialog, and always the same. */
const declarations: Record<Wire, WeakMap<ToolSpec, { schema: object; text: string }>> = {
  chat: new WeakMap(),
  responses: new WeakMap(),
  anthropic: new WeakMap(),
}

function declaration(wire: Wire, tool: ToolSpec): string {
  let cached = declarations[wire].get(tool)
  // The schema of a tool may change with the connected chat apps.
  if (cached?.schema !== tool.inputSchema) {
    cached = { schema: tool.inputSchema, text: JSON.stringify(declare(wire, tool)) }
    declarations[wire].set(tool, cached)
  }
  return cached.text
}

function declare(wire: Wire, { name, description, inputSchema }: ToolSpec): object {
  if (wire === 'anthropic') return { name, description, input_schema: inputSchema }
  const declared = { name, description, parameters: inputSchema }
  return wire === 'chat' ? { type: 'function', function: declared } : { type: 'function', ...declared, strict: false }
}

import { isRecord, readField } from '../../shapes/record.ts'
import { isLocalAddress } from './profiles.ts'

export const probeLimits = {
  requestTimeoutMs: 2_000,
  totalTimeoutMs: 6_000,
  /** The list of OpenRouter is the largest, with about 1 MB. */
  responseBytes: 8_000_000,
} as const

/** `isLoaded`: the window that the server really uses; otherwise the maximum of the model, of which a server may use a part. */
export type ProbedWindow = { windowTokens: number; isLoaded: boolean }

export type ProbeTarget = {
  /** As configured, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  model: string
  headers?: Readonly<Record<string, string>>
}

export type ProbeOptions = {
  get?: typeof fetch
  signal?: AbortSignal
  limits?: { requestTimeoutMs: number; totalTimeoutMs: number; responseBytes: number }
}

type Ask = (path: string, body?: object) => Promise<unknown>

/** Reads the window from the server's own description of the model; null when it has none. Never rejects. */
export async function probeWindow(target: ProbeTarget, options: ProbeOptions = {}): Promise<ProbedWindow | null> {
  const { get = fetch, signal, limits = probeLimits } = options
  if (!URL.canParse(target.baseUrl)) return null
  const base = target.baseUrl.replace(/(?<!\/)\/+$/, '')
  const root = base.replace(/\/v1$/, '')
  const total = AbortSignal.any([AbortSignal.timeout(limits.totalTimeoutMs), ...(signal ? [signal] : [])])
  const askAt =
    (address: string): Ask =>
    (path, body) =>
      readJson(get, `${address}${path}`, { target, body, signal: total, limits })

  let maximum: ProbedWindow | null = null
  for (const [read, ask] of listReaders(target.baseUrl, askAt(root), askAt(base))) {
    if (total.aborted) break
    const window = await read(ask, target.model)
    if (window?.isLoaded) return window
    maximum ??= window
  }
  return maximum
}

type Reader = (ask: Ask, model: string) => Promise<ProbedWindow | null>

/** Hosted services describe their models in the list alone; the other addresses belong to programs that people run themselves. */
function listReaders(baseUrl: string, root: Ask, base: Ask): (readonly [Reader, Ask])[] {
  const list = [readModelList, base] as const
  if (isHosted(baseUrl)) return [list]
  const own = [[readOllama, root] as const, [readLlamaCpp, root] as const, [readLmStudio, root] as const]
  return isLocalAddress(baseUrl) ? [...own, list] : [list, ...own]
}

const hosted = [
  'openai.com',
  'azure.com',
  'anthropic.com',
  'googleapis.com',
  'openrouter.ai',
  'mistral.ai',
  'deepseek.com',
  'x.ai',
  'groq.com',
  'amazonaws.com',
]

const isHosted = (address: string): boolean => {
  const { hostname } = new URL(address)
  return hosted.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
}

/** `/api/ps` has the window of a loaded model; `/api/show` a configured `num_ctx` and the maximum. */
const readOllama: Reader = async (ask, model) => {
  const running = findModel(readField(await ask('/api/ps'), 'models'), model)
  const loaded = toWindow(readField(running, 'context_length'), true)
  if (loaded) return loaded
  const details = await ask('/api/show', { model })
  const parameters = readField(details, 'parameters')
  const configured = typeof parameters === 'string' ? /^num_ctx\s{1,40}(\d{1,9})\s*$/m.exec(parameters)?.[1] : undefined
  if (configured !== undefined) return toWindow(Number(configured), true)
  const info = readField(details, 'model_info')
  const length = isRecord(info) ? Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1] : undefined
  return toWindow(length, false)
}

const readLlamaCpp: Reader = async (ask) => {
  const props = await ask('/props')
  return toWindow(readField(readField(props, 'default_generation_settings'), 'n_ctx') ?? readField(props, 'n_ctx'), true)
}

const readLmStudio: Reader = async (ask, model) => {
  const found = findModel(readField(await ask('/api/v0/models'), 'data'), model)
  return toWindow(readField(found, 'loaded_context_length'), true) ?? toWindow(readField(found, 'max_context_length'), false)
}

/** vLLM has `max_model_len`, OpenRouter the window of the provider it uses. */
const readModelList: Reader = async (ask, model) => {
  const found = findModel(readField(await ask('/models'), 'data'), model)
  return toWindow(readField(found, 'max_model_len') ?? readField(readField(found, 'top_provider'), 'context_length'), true)
}

/** Ollama lists `llama3.2` as `llama3.2:latest`. */
function findModel(list: unknown, model: string): unknown {
  if (!Array.isArray(list)) return undefined
  const names = new Set([model.toLowerCase(), `${model.toLowerCase()}:latest`])
  return list.find((entry) =>
    ['id', 'model', 'name'].some((field) => {
      const name = readField(entry, field)
      return typeof name === 'string' && names.has(name.toLowerCase())
    }),
  )
}

const toWindow = (tokens: unknown, isLoaded: boolean): ProbedWindow | null =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? { windowTokens: tokens, isLoaded } : null

type Asking = { target: ProbeTarget; body: object | undefined; signal: AbortSignal; limits: NonNullable<ProbeOptions['limits']> }

/** The document at an address; undefined when there is none in time and within the bound. Redirects would take the key along. */
async function readJson(get: typeof fetch, address: string, { target, body, signal, limits }: Asking): Promise<unknown> {
  try {
    const response = await get(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...target.headers, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.requestTimeoutMs)]),
    })
    const text = await readText(response, limits.responseBytes)
    return response.ok && text !== null ? (JSON.parse(text) as unknown) : undefined
  } catch {
    return undefined
  }
}

async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes || !response.ok) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

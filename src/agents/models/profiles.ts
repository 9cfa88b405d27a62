import { findByPrefix } from './name-prefix.ts'

/** The form of call ids: `short` is nine letters or digits, `common` up to 64 letters, digits, `_` and `-`. */
export type CallIdForm = 'common' | 'short'

/** Differences between servers of one wire. */
export type WireProfile = {
  /** The role of runtime notes. `system` is the message of Anthropic's own API, which only later models accept. */
  notes: 'developer' | 'system' | 'user'
  /** Adjacent `user` messages are joined with a blank line. */
  alternate: boolean
  /** A fixed `assistant` message stands between `tool` and `user`. */
  bridge: boolean
  callIds: CallIdForm
  /** An output that is nothing but a written call is read as that call. */
  textCalls: boolean
  /** The server accepts `prompt_cache_key`. */
  cacheKey: boolean
}

type Flags = { prefixes: readonly string[]; set: Partial<WireProfile> }

const byModel: readonly Flags[] = [
  {
    prefixes: ['mistral', 'ministral', 'mixtral', 'devstral', 'codestral', 'magistral', 'pixtral'],
    set: { alternate: true, bridge: true, callIds: 'short' },
  },
  { prefixes: ['gemma', 'gemma2', 'gemma3', 'gemma4'], set: { alternate: true } },
]

/** Models that never write calls as text. */
const structuredCalls: readonly Flags[] = [{ prefixes: ['gpt', 'chatgpt', 'o1', 'o3', 'o4-mini', 'claude', 'gemini'], set: {} }]
const openWeights: readonly Flags[] = [{ prefixes: ['gpt-oss'], set: {} }]

/** Claude models whose own API takes a `system` message inside the list. */
const systemNotes: readonly Flags[] = [
  {
    prefixes: ['claude-opus-4-8', 'claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5', 'claude-fable-5'],
    set: {},
  },
]

const seeing: readonly Flags[] = [{ prefixes: ['gpt', 'chatgpt', 'o3', 'o4-mini', 'claude', 'gemini'], set: {} }]

/** The model is known to take images. */
export const takesImages = (model: string): boolean => findByPrefix(seeing, model) !== null && findByPrefix(openWeights, model) === null

const isHost = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

const hosts = new Map<string, string>()

/** Every request asks, and nearly always for the same few addresses. */
const mostHosts = 100

function readHost(address: string): string {
  const cachedHost = hosts.get(address)
  if (cachedHost !== undefined) return cachedHost
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase() : ''
  if (hosts.size >= mostHosts) hosts.clear()
  hosts.set(address, host)
  return host
}

/** OpenAI's own address: others that speak its protocol refuse some of its fields. */
export const isOpenAiAddress = (address: string): boolean => isHost(readHost(address), 'api.openai.com')

const azureDomains = ['openai.azure.com', 'services.ai.azure.com', 'cognitiveservices.azure.com']

/** A server on this machine or in the same network. */
export function isLocalAddress(address: string): boolean {
  const host = readHost(address).replace(/^\[|\]$/g, '')
  if (host === '') return false
  if (host === '::1' || /^f[cd][0-9a-f]{2}:|^fe80:/.test(host)) return true
  if (/^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(host)) return /^[\d.]+$/.test(host)
  return !host.includes('.') ? !host.includes(':') : /\.(?:local|lan|internal|home\.arpa|localhost)$/.test(host)
}

/** The profile of a model at an address. A server that is not known gets notes as `user` and no other flag. */
export function findProfile(model: string, address: string): WireProfile {
  const host = readHost(address)
  const isOpenAi = isOpenAiAddress(address) || azureDomains.some((domain) => isHost(host, domain))
  const isAnthropic = isHost(host, 'api.anthropic.com')
  const writesCalls = findByPrefix(structuredCalls, model) === null || findByPrefix(openWeights, model) !== null
  return {
    notes: isOpenAi ? 'developer' : isAnthropic && findByPrefix(systemNotes, model) !== null ? 'system' : 'user',
    alternate: false,
    bridge: false,
    callIds: 'common',
    textCalls: writesCalls && isLocalAddress(address),
    cacheKey: isOpenAi || isHost(host, 'api.mistral.ai'),
    ...findByPrefix(byModel, model)?.set,
  }
}

import { isTreeTool } from '../../dialog/tree-tools.ts'
import type { RepeatPolicy } from '../../dialog/events.ts'
import type { McpServerConfig } from '../../config/mcp-schema.ts'
import { globPattern } from '../workspace/glob.ts'

export const mcpLimits = {
  toolsPerServer: 500,
  listPages: 50,
  descriptionChars: 4_000,
  schemaChars: 50_000,
  resultChars: 50_000,
  messageBytes: 8_000_000,
  closeMs: 5_000,
  firstRetryMs: 1_000,
  longestRetryMs: 60_000,
  problemsPerServer: 20,
} as const

/** A tool as a server offers it, under the name it is known by here. */
export type OfferedTool = {
  name: string
  remoteName: string
  description: string
  inputSchema: object
  afterCrash: RepeatPolicy
  /** As the server sent them. They decide nothing unless the owner trusts this server. */
  annotations: unknown
}

export type Offer = { tools: OfferedTool[]; problems: string[] }

/**
 * What is taken of a server's list. Whatever the server says is only data: a tool that cannot be used is left out with a
 * reason, never renamed, and the others stay.
 */
export function offerOf(listed: readonly unknown[], config: Pick<McpServerConfig, 'whitelist' | 'blacklist' | 'prefix' | 'suffix'>): Offer {
  const problems: string[] = []
  const tools = new Map<string, OfferedTool>()
  const allowed = config.whitelist?.map((glob) => globPattern(glob))
  const refused = (config.blacklist ?? []).map((glob) => globPattern(glob))
  for (const given of listed) {
    const remoteName = isRecord(given) ? given['name'] : null
    if (!isRecord(given) || typeof remoteName !== 'string') {
      problems.push('it offers a tool without a name, which is left out.')
      continue
    }
    if ((allowed && !allowed.some((glob) => glob.test(remoteName))) || refused.some((glob) => glob.test(remoteName))) continue
    const name = `${config.prefix}${remoteName}${config.suffix}`
    const schema = given['inputSchema']
    const why = whyNot(name, schema, tools)
    if (why !== null) {
      problems.push(`its tool "${shown(name)}" is left out: ${why}.`)
      continue
    }
    tools.set(name, {
      name,
      remoteName,
      description: descriptionOf(given),
      inputSchema: schema as object,
      afterCrash: policyOf(given['annotations']),
      annotations: given['annotations'],
    })
  }
  if (problems.length > mcpLimits.problemsPerServer) {
    const rest = problems.length - mcpLimits.problemsPerServer
    problems.splice(mcpLimits.problemsPerServer, rest, `${rest} more of its tools are left out.`)
  }
  return { tools: [...tools.values()], problems }
}

function whyNot(name: string, schema: unknown, taken: ReadonlyMap<string, OfferedTool>): string | null {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return 'models accept only names of 1 to 64 letters, digits, "_" and "-"'
  if (isTreeTool(name)) return 'the name belongs to Parley (set a prefix)'
  if (taken.has(name)) return 'the server offers it twice'
  if (taken.size >= mcpLimits.toolsPerServer) return `there are more than ${mcpLimits.toolsPerServer}`
  if (!isRecord(schema) || schema['type'] !== 'object') return 'its input is not described as an object'
  if (JSON.stringify(schema).length > mcpLimits.schemaChars)
    return `the description of its input has more than ${mcpLimits.schemaChars} characters`
  return null
}

function descriptionOf(given: Record<string, unknown>): string {
  const text = typeof given['description'] === 'string' ? given['description'].toWellFormed() : ''
  return text.length <= mcpLimits.descriptionChars ? text : `${text.slice(0, mcpLimits.descriptionChars).toWellFormed()} [cut]`
}

/** Only a server that promises it is believed that a second call does no harm. */
const policyOf = (annotations: unknown): RepeatPolicy =>
  isRecord(annotations) && (annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true) ? 'repeat' : 'ask'

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (name: string): string =>
  name
    .slice(0, 80)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '?')

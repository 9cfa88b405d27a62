import { isTreeTool } from '../../dialogs/rules/tree-tools.ts'
import type { RepeatPolicy } from '../../dialogs/rules/dialog-events.ts'
import type { McpServerConfig } from '../../app/config/mcp-schema.ts'
import { globPattern } from '../workspace/glob.ts'
import { isRecord } from '../../shapes/record.ts'

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

export type OfferSettings = Pick<McpServerConfig, 'whitelist' | 'blacklist' | 'prefix' | 'suffix' | 'trust'>

export type Offer = { tools: OfferedTool[]; problems: string[] }

/**
 * Reads a server's list of tools. The list is untrusted data: a tool that cannot be used is skipped with a
 * reason, never renamed, and the others stay.
 */
export function readOffer(listings: readonly unknown[], config: OfferSettings): Offer {
  const problems: string[] = []
  const tools = new Map<string, OfferedTool>()
  const allowed = config.whitelist?.map((glob) => globPattern(glob))
  const refused = (config.blacklist ?? []).map((glob) => globPattern(glob))
  for (const listing of listings) {
    const remoteName = isRecord(listing) ? listing['name'] : null
    if (!isRecord(listing) || typeof remoteName !== 'string') {
      problems.push('it offers a tool without a name, which is skipped.')
      continue
    }
    if ((allowed && !allowed.some((glob) => glob.test(remoteName))) || refused.some((glob) => glob.test(remoteName))) continue
    const name = `${config.prefix}${remoteName}${config.suffix}`
    const schema = listing['inputSchema']
    const why = findFault(name, schema, tools)
    if (why !== null) {
      problems.push(`its tool "${toPlainName(name)}" is skipped: ${why}.`)
      continue
    }
    tools.set(name, {
      name,
      remoteName,
      description: readDescription(listing),
      inputSchema: schema as object,
      afterCrash: config.trust === 'annotations' ? readRepeatPolicy(listing['annotations']) : 'ask',
      annotations: listing['annotations'],
    })
  }
  if (problems.length > mcpLimits.problemsPerServer) {
    const rest = problems.length - mcpLimits.problemsPerServer
    problems.splice(mcpLimits.problemsPerServer, rest, `${rest} more of its tools are skipped.`)
  }
  return { tools: [...tools.values()], problems }
}

function findFault(name: string, schema: unknown, others: ReadonlyMap<string, OfferedTool>): string | null {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return 'models accept only names of 1 to 64 letters, digits, "_" and "-"'
  if (isTreeTool(name)) return 'the name belongs to Parley (set a prefix)'
  if (others.has(name)) return 'the server offers it twice'
  if (others.size >= mcpLimits.toolsPerServer) return `there are more than ${mcpLimits.toolsPerServer}`
  if (!isRecord(schema) || schema['type'] !== 'object') return 'its input is not described as an object'
  if (JSON.stringify(schema).length > mcpLimits.schemaChars)
    return `the description of its input has more than ${mcpLimits.schemaChars} characters`
  return null
}

function readDescription(listing: Record<string, unknown>): string {
  const text = typeof listing['description'] === 'string' ? listing['description'].toWellFormed() : ''
  return text.length <= mcpLimits.descriptionChars ? text : `${text.slice(0, mcpLimits.descriptionChars).toWellFormed()} [cut]`
}

/** A second call does no harm when the server says so. */
const readRepeatPolicy = (annotations: unknown): RepeatPolicy =>
  isRecord(annotations) && (annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true) ? 'repeat' : 'ask'

const toPlainName = (name: string): string =>
  name
    .slice(0, 80)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '?')

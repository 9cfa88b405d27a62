import { resolve } from 'node:path'
import { mcpSubject } from '../../authority/subjects/tool-subjects.ts'
import type { McpServerConfig } from '../../app/config/mcp-schema.ts'
import type { Problem } from '../../app/config/problem.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import type { McpAddress } from './client.ts'
import type { Confined } from './confined-stdio.ts'
import { resolveValues } from './resolve-values.ts'
import { McpServer } from './mcp-server.ts'
import type { OfferedTool } from './offered-tool.ts'
import { isRecord } from '../../shapes/record.ts'

/** All servers of a configuration. Whatever becomes of them, it is a line in `problems` and a failed call, no more. */
export type McpServers = {
  /** Starts, exchanges and ends servers until they are those of the configuration. Resolves when they have answered, or soon. */
  apply(servers: Readonly<Record<string, McpServerConfig>>, confine?: Confine): Promise<void>
  /** The tools of these servers as they are known now; "*" stands for all. */
  tools(names: readonly string[]): readonly Tool[]
  problems(): readonly Problem[]
  close(): Promise<void>
}

/** Confinement of a program with `sandbox: true` in this folder. */
export type Confine = (config: StdioConfig, cwd: string) => Confined

type StdioConfig = Extract<McpServerConfig, { transport: 'stdio' }>

export type McpParts = {
  file: string
  /** Names that other tools have already. */
  reserved: ReadonlySet<string>
  clock?: Clock
  env?: () => Readonly<Record<string, string | undefined>>
  /** The start waits this long for servers, which continue to start in the background. */
  waitMs?: number
}

type Entry = {
  /** The settings as JSON, to detect a change. */
  key: string
  /** The last version that worked. */
  current: McpServer | null
  /** `trust: annotations` of the configuration as it is now. */
  trustsAnnotations: boolean
  /** A newer one that has not answered yet. */
  next: McpServer | null
  fault: string | null
}

type Catalog = { tools: Map<string, Tool[]>; problems: Problem[] }

export function mcpServers({ file, reserved, clock = systemClock, env = () => process.env, waitMs = 3_000 }: McpParts): McpServers {
  let entries = new Map<string, Entry>()
  let cached: Catalog | null = null
  const ending = new Set<Promise<void>>()

  const end = (server: McpServer | null): void => {
    if (!server) return
    const closing = server.close().finally(() => ending.delete(closing))
    ending.add(closing)
  }
  const begin = (entry: Entry, config: McpServerConfig, address: McpAddress): Promise<void> => {
    end(entry.next)
    const server = new McpServer(config, address, clock, () => {
      cached = null
      if (entry.next !== server || server.offer === null) return
      end(entry.current)
      entry.current = server
      entry.next = null
    })
    entry.next = server
    return server.start()
  }
  const resolveAddress = (config: McpServerConfig, confine: Confine | undefined): { address: McpAddress } | { fault: string } => {
    const { values, missing } = resolveValues(config.transport === 'stdio' ? config.env : config.headers, env())
    if (missing.length > 0) return { fault: `the environment variable ${missing.join(', ')} is not set` }
    if (config.transport === 'streamable_http') return { address: { transport: 'streamable_http', url: config.url, headers: values } }
    const { command, args } = config
    const cwd = resolve(file, '..', config.cwd ?? '.')
    if (config.sandbox && !confine) return { fault: 'there is no sandbox to start it in' }
    const confined = config.sandbox ? (confine?.(config, cwd) ?? null) : null
    return { address: { transport: 'stdio', command, args, env: values, cwd, confined } }
  }

  const readCatalog = (): Catalog => {
    if (cached) return cached
    const owners = new Map<string, string>()
    const catalog: Catalog = { tools: new Map(), problems: [] }
    for (const [name, entry] of entries) {
      const report = (why: string): void => {
        catalog.problems.push({ kind: 'unusable', file, path: `mcp.${name}`, why, line: null })
      }
      const stays = entry.current ? ' The last version that worked stays in use.' : ''
      if (entry.fault !== null) report(`${entry.fault}.${stays}`)
      if (entry.next)
        report(entry.next.problem === null ? `it has not answered yet.${stays}` : `it cannot be used: ${entry.next.problem}.${stays}`)
      if (entry.current?.problem) report(`it cannot be reached: ${entry.current.problem}. It is tried again.`)
      for (const why of entry.current?.offer?.problems ?? []) report(why)
      const tools = (entry.current?.offer?.tools ?? []).filter((tool) => {
        const other = reserved.has(tool.name) ? 'Parley' : owners.get(tool.name)
        if (other === undefined) owners.set(tool.name, name)
        else report(`its tool "${tool.name}" is skipped: ${other} has one of that name (set a prefix).`)
        return other === undefined
      })
      catalog.tools.set(
        name,
        tools.map((tool) => toTool(name, entry, tool)),
      )
    }
    return (cached = catalog)
  }
  return {
    async apply(servers, confine) {
      const nextEntries = new Map<string, Entry>()
      const starting: Promise<void>[] = []
      for (const [name, config] of Object.entries(servers)) {
        const resolved = resolveAddress(config, confine)
        const comparable =
          'address' in resolved && resolved.address.transport === 'stdio' ? { ...resolved.address, confined: null } : resolved
        const key = JSON.stringify([config, comparable])
        const before = entries.get(name)
        const entry = before ?? { key: '', current: null, next: null, fault: null, trustsAnnotations: false }
        nextEntries.set(name, entry)
        entry.trustsAnnotations = config.trust === 'annotations'
        if (entry.key === key) continue
        entry.key = key
        entry.fault = 'fault' in resolved ? resolved.fault : null
        if ('address' in resolved) starting.push(begin(entry, config, resolved.address))
      }
      for (const [name, entry] of entries) {
        if (nextEntries.has(name)) continue
        end(entry.current)
        end(entry.next)
      }
      entries = nextEntries
      cached = null
      await soon(Promise.all(starting), clock, waitMs)
    },
    tools(names) {
      const { tools } = readCatalog()
      const chosen = names.includes('*') ? [...tools.keys()] : names
      return chosen.flatMap((name) => tools.get(name) ?? [])
    },
    problems: () => readCatalog().problems,
    async close() {
      for (const { current, next } of entries.values()) {
        end(current)
        end(next)
      }
      entries = new Map()
      cached = null
      await Promise.all(ending)
    },
  }
}

function toTool(server: string, entry: Entry, offered: OfferedTool): Tool {
  const { name, remoteName, description, inputSchema, afterCrash } = offered
  return {
    name,
    description,
    inputSchema,
    // The last version of a server that worked stays in use, also when the owner has ended its trust since.
    afterCrash: entry.trustsAnnotations ? afterCrash : 'ask',
    gate: {
      kind: 'mcp',
      server,
      subjects: (input) => ({ subjects: [mcpSubject(server, offered, input, entry.trustsAnnotations)], unsure: [] }),
    },
    check: (input) => (isRecord(input) ? { input } : { fault: 'it must be one JSON object' }),
    async run(input, { signal }) {
      if (!entry.current) throw new Error(`The MCP server "${server}" is not there any more.`)
      return entry.current.call(remoteName, input as Record<string, unknown>, signal)
    },
  }
}

async function soon(work: Promise<unknown>, clock: Clock, waitMs: number): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>()
  const cancel = clock.after(waitMs, stop)
  await Promise.race([work, promise])
  cancel()
}

import { resolve } from 'node:path'
import { mcpSubject } from '../../authority/subjects/tool-subjects.ts'
import type { McpServerConfig } from '../../config/mcp-schema.ts'
import type { Problem } from '../../config/problem.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import type { McpAddress } from './client.ts'
import type { Confined } from './confined-stdio.ts'
import { givenValues } from './given-values.ts'
import { McpServer } from './mcp-server.ts'
import { isRecord, type OfferedTool } from './offered-tool.ts'

/** All servers of a configuration. Whatever becomes of them, it is a line in `problems` and a failed call, no more. */
export type McpServers = {
  /** Starts, exchanges and ends servers until they are those of the configuration. Resolves when they have answered, or soon. */
  apply(servers: Readonly<Record<string, McpServerConfig>>, confine?: Confine): Promise<void>
  /** The tools of these servers as they are known now; "*" stands for all. */
  tools(names: readonly string[]): readonly Tool[]
  problems(): readonly Problem[]
  close(): Promise<void>
}

/** How a program with `sandbox: true` is started in this folder. */
export type Confine = (config: StdioConfig, cwd: string) => Confined

type StdioConfig = Extract<McpServerConfig, { transport: 'stdio' }>

export type McpParts = {
  file: string
  /** Names that other tools have already. */
  reserved: ReadonlySet<string>
  clock?: Clock
  env?: () => Readonly<Record<string, string | undefined>>
  /** How long a start waits for servers; they go on starting behind it. */
  waitMs?: number
}

type Entry = {
  /** What it was made of, to see whether that has changed. */
  key: string
  /** The last version that worked. */
  current: McpServer | null
  /** `trust: annotations` of the configuration as it is now. */
  trustsAnnotations: boolean
  /** A newer one that has not answered yet. */
  next: McpServer | null
  fault: string | null
}

type Known = { tools: Map<string, Tool[]>; problems: Problem[] }

export function mcpServers({ file, reserved, clock = systemClock, env = () => process.env, waitMs = 3_000 }: McpParts): McpServers {
  let entries = new Map<string, Entry>()
  let known: Known | null = null
  const ending = new Set<Promise<void>>()

  const end = (server: McpServer | null): void => {
    if (!server) return
    const done = server.close().finally(() => ending.delete(done))
    ending.add(done)
  }
  const begin = (entry: Entry, config: McpServerConfig, address: McpAddress): Promise<void> => {
    end(entry.next)
    const server = new McpServer(config, address, clock, () => {
      known = null
      if (entry.next !== server || server.offer === null) return
      end(entry.current)
      entry.current = server
      entry.next = null
    })
    entry.next = server
    return server.start()
  }
  const addressOf = (config: McpServerConfig, confine: Confine | undefined): { address: McpAddress } | { fault: string } => {
    const { values, missing } = givenValues(config.transport === 'stdio' ? config.env : config.headers, env())
    if (missing.length > 0) return { fault: `the environment variable ${missing.join(', ')} is not set` }
    if (config.transport === 'streamable_http') return { address: { transport: 'streamable_http', url: config.url, headers: values } }
    const { command, args } = config
    const cwd = resolve(file, '..', config.cwd ?? '.')
    if (config.sandbox && !confine) return { fault: 'there is no sandbox to start it in' }
    const confined = config.sandbox ? (confine?.(config, cwd) ?? null) : null
    return { address: { transport: 'stdio', command, args, env: values, cwd, confined } }
  }

  const look = (): Known => {
    if (known) return known
    const taken = new Map<string, string>()
    const found: Known = { tools: new Map(), problems: [] }
    for (const [name, entry] of entries) {
      const report = (why: string): void => {
        found.problems.push({ kind: 'unusable', file, path: `mcp.${name}`, why, line: null })
      }
      const stays = entry.current ? ' The last version that worked stays in use.' : ''
      if (entry.fault !== null) report(`${entry.fault}.${stays}`)
      if (entry.next)
        report(entry.next.problem === null ? `it has not answered yet.${stays}` : `it cannot be used: ${entry.next.problem}.${stays}`)
      if (entry.current?.problem) report(`it cannot be reached: ${entry.current.problem}. It is tried again.`)
      for (const why of entry.current?.offer?.problems ?? []) report(why)
      const tools = (entry.current?.offer?.tools ?? []).filter((tool) => {
        const other = reserved.has(tool.name) ? 'Parley' : taken.get(tool.name)
        if (other === undefined) taken.set(tool.name, name)
        else report(`its tool "${tool.name}" is left out: ${other} has one of that name (set a prefix).`)
        return other === undefined
      })
      found.tools.set(
        name,
        tools.map((tool) => toolOf(name, entry, tool)),
      )
    }
    return (known = found)
  }
  return {
    async apply(servers, confine) {
      const wanted = new Map<string, Entry>()
      const starting: Promise<void>[] = []
      for (const [name, config] of Object.entries(servers)) {
        const made = addressOf(config, confine)
        const given = 'address' in made && made.address.transport === 'stdio' ? { ...made.address, confined: null } : made
        const key = JSON.stringify([config, given])
        const before = entries.get(name)
        const entry = before ?? { key: '', current: null, next: null, fault: null, trustsAnnotations: false }
        wanted.set(name, entry)
        entry.trustsAnnotations = config.trust === 'annotations'
        if (entry.key === key) continue
        entry.key = key
        entry.fault = 'fault' in made ? made.fault : null
        if ('address' in made) starting.push(begin(entry, config, made.address))
      }
      for (const [name, entry] of entries) {
        if (wanted.has(name)) continue
        end(entry.current)
        end(entry.next)
      }
      entries = wanted
      known = null
      await soon(Promise.all(starting), clock, waitMs)
    },
    tools(names) {
      const { tools } = look()
      const chosen = names.includes('*') ? [...tools.keys()] : names
      return chosen.flatMap((name) => tools.get(name) ?? [])
    },
    problems: () => look().problems,
    async close() {
      for (const { current, next } of entries.values()) {
        end(current)
        end(next)
      }
      entries = new Map()
      known = null
      await Promise.all(ending)
    },
  }
}

function toolOf(server: string, entry: Entry, offered: OfferedTool): Tool {
  const { name, remoteName, description, inputSchema, afterCrash } = offered
  return {
    name,
    description,
    inputSchema,
    afterCrash,
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

async function soon(wanted: Promise<unknown>, clock: Clock, waitMs: number): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>()
  const takeBack = clock.after(waitMs, stop)
  await Promise.race([wanted, promise])
  takeBack()
}

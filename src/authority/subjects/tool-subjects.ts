import { type FileUse } from './redirection.ts'
import { parseNetHost } from './net.ts'
import { type LookUp, pathSubject, type PathUse } from './paths.ts'
import type { Layout } from './protected-paths.ts'
import { readCommand } from './read-command.ts'
import type { McpSubject, NetSubject, Scalars, Subject, ToolSubject } from './subject.ts'
import type { Unsure } from './unsure.ts'

/** What the gate decides about, and why it may be wrong. */
export type Extraction = { subjects: readonly Subject[]; unsure: readonly Unsure[]; isOnceOnly?: boolean }

export type RunInput = {
  command: string
  cwd?: string
  hosts?: readonly string[]
  /** False where the command would be run by another shell than bash: what the parser says does not hold there. */
  hasBash: boolean
  isInWriteDirs?: PathUse['isInWriteDirs']
}

/** Subjects of `run`: each simple command, each file and host of a redirection, each host that is asked for. */
export function runSubjects(
  { command, cwd = '', hosts = [], hasBash, isInWriteDirs }: RunInput,
  layout: Layout,
  lookUp: LookUp,
): Extraction {
  const reading = readCommand(command)
  const unsure: Unsure[] = [...reading.unsure]
  if (!hasBash) unsure.push({ why: 'no-bash' })
  const files = reading.files.map((file) => {
    if (reading.changesFolder && !file.path.startsWith('/')) unsure.push({ why: 'relative-after-cd', detail: file.path })
    const { subject, unsure: doubts } = pathSubject(useOf(file, isInWriteDirs), layout, lookUp, cwd)
    unsure.push(...doubts)
    return subject
  })
  const nets: NetSubject[] = [...reading.nets]
  for (const host of hosts) {
    const net = parseNetHost(host)
    if (net) nets.push(net)
    else unsure.push({ why: 'redirection', detail: host })
  }
  return { subjects: [...reading.runs, ...files, ...nets], unsure, ...(reading.isOnceOnly && { isOnceOnly: true }) }
}

const useOf = (file: FileUse, isInWriteDirs: PathUse['isInWriteDirs']): PathUse => ({ ...file, ...(isInWriteDirs && { isInWriteDirs }) })

/** Subjects of a file tool. */
export function fileSubjects(use: PathUse, layout: Layout, lookUp: LookUp): Extraction {
  const { subject, unsure } = pathSubject(use, layout, lookUp)
  return { subjects: [subject], unsure }
}

/** `address` is resolved: channel and address as the delivery would use them. */
export const messageSubjects = (address: string, isOwn: boolean): Extraction => ({
  subjects: [{ kind: 'message', address, ...(isOwn && { isOwn }) }],
  unsure: [],
})

/** A server's annotations count only when the owner has written `trust: annotations` for that server. */
export function mcpSubject(
  server: string,
  tool: { remoteName: string; annotations?: unknown },
  input: unknown,
  trustsAnnotations: boolean,
): McpSubject {
  const isReadOnly = trustsAnnotations && isFields(tool.annotations) && tool.annotations['readOnlyHint'] === true
  return { kind: 'mcp', server, tool: tool.remoteName, scalars: scalarsOf(input), ...(isReadOnly && { isReadOnly }) }
}

export const toolSubject = (name: string, input: unknown): ToolSubject => ({ kind: 'tool', name, scalars: scalarsOf(input) })

/** Top-level scalars as text; a field that holds an object or a list is null. */
export function scalarsOf(input: unknown): Scalars {
  if (!isFields(input)) return {}
  const scalars = Object.create(null) as Record<string, string | null>
  for (const [field, value] of Object.entries(input)) {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      scalars[field] = String(value)
    else if (value !== undefined) scalars[field] = null
  }
  return scalars
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

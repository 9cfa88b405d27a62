import { type LookUp, pathSubject, type PathUse } from './paths.ts'
import type { Layout } from './protected-paths.ts'
import type { McpSubject, Scalars, Subject, ToolSubject } from './subject.ts'
import type { Unsure } from './unsure.ts'
import { isRecord } from '../../shapes/record.ts'

/**
 * The subjects of a call, and the reasons why the list may be incomplete. `real`: the path on the disk that was judged; the tool
 * uses this one or none.
 */
export type Extraction = { subjects: readonly Subject[]; unsure: readonly Unsure[]; isOnceOnly?: boolean; real?: string }

/** Subjects of a file tool. */
export function fileSubjects(use: PathUse, layout: Layout, lookUp: LookUp): Extraction {
  const { subject, unsure, real } = pathSubject(use, layout, lookUp)
  return { subjects: [subject], unsure, ...(real !== null && { real }) }
}

/** `address` is channel and address as the delivery would use them. `isUnresolved`: it may be another name of a known address. */
export const messageSubjects = (address: string, isOwn: boolean, isUnresolved = false): Extraction => ({
  subjects: [{ kind: 'message', address, ...(isOwn && { isOwn }) }],
  unsure: isUnresolved ? [{ why: 'address', detail: address }] : [],
})

/** A server's annotations count only when the owner has written `trust: annotations` for that server. */
export function mcpSubject(
  server: string,
  tool: { remoteName: string; annotations?: unknown },
  input: unknown,
  trustsAnnotations: boolean,
): McpSubject {
  const isReadOnly = trustsAnnotations && isRecord(tool.annotations) && tool.annotations['readOnlyHint'] === true
  return { kind: 'mcp', server, tool: tool.remoteName, scalars: getScalars(input), ...(isReadOnly && { isReadOnly }) }
}

export const toolSubject = (name: string, input: unknown): ToolSubject => ({ kind: 'tool', name, scalars: getScalars(input) })

/** Top-level scalars as text; a field that holds an object or a list is null. */
export function getScalars(input: unknown): Scalars {
  if (!isRecord(input)) return {}
  const scalars = Object.create(null) as Record<string, string | null>
  for (const [field, value] of Object.entries(input)) {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      scalars[field] = String(value)
    else if (value !== undefined) scalars[field] = null
  }
  return scalars
}

import type { CallFault } from '../../ports/agent-runtime.ts'
import { type Arguments, readArguments, toUnreadable } from './call-arguments.ts'
import { CallIds } from './call-ids.ts'
import type { CallIdForm } from './profiles.ts'
import { findTool } from './tool-name.ts'

export const callLimits = {
  /** Further calls of one output are answered with a text. */
  runPerOutput: 32,
  /** Further calls are not even replayed: no model means them. */
  keptPerOutput: 256,
} as const

/** A call as the wire gave it. `id` is empty when the provider gave none; `input` is a text or an object. */
export type RawCall = { id: string; name: string; input: unknown }

export type ReadCall = {
  /** Unique in the epoch, of the form the profile allows. */
  id: string
  /** The name of an offered tool, or a name that the wire accepts. */
  name: string
  /** The object that runs and is replayed. */
  input: Arguments
  /** A call with a fault does not run; its result says why. */
  fault: CallFault | null
  /** Index of the raw call, to which provider fields such as a signature belong. */
  source: number
}

export type CallFacts = {
  /** The tools of this request. */
  tools: readonly string[]
  callIds: CallIdForm
  /** Ids of the epoch. */
  taken: Iterable<string>
  /** Names the generation, so that a repeated read makes the same ids. */
  seed: string
}

/** The calls of one output in their order. Equal calls under one id run once; different ones get ids of their own. */
export function readCalls(raw: readonly RawCall[], { tools, callIds, taken, seed }: CallFacts): ReadCall[] {
  const ids = new CallIds({ form: callIds, seed, taken })
  const keys = new Set<string>()
  const calls: ReadCall[] = []
  for (const [source, call] of raw.entries())
    for (const { name, input, fault } of readOne(call, tools)) {
      if (calls.length === callLimits.keptPerOutput) return calls
      const rawId = call.id.trim()
      const key = JSON.stringify([rawId === '' ? source : rawId, name, input])
      if (keys.has(key)) continue
      keys.add(key)
      const isTooMany = calls.length >= callLimits.runPerOutput
      calls.push({ id: ids.take(rawId), name, input, fault: isTooMany ? { kind: 'too-many' } : fault, source })
    }
  return calls
}

function readOne({ name: called, input: written }: RawCall, tools: readonly string[]): Omit<ReadCall, 'id' | 'source'>[] {
  const match = findTool(called, tools)
  const name = 'tool' in match ? match.tool : match.unknown
  const unknown: CallFault | null = 'tool' in match ? null : { kind: 'unknown-tool', name, suggestion: match.suggestion }
  const read = readArguments(written)
  if ('fault' in read) return [{ name, input: toUnreadable(written), fault: unknown ?? { kind: 'bad-arguments', why: read.fault } }]
  return read.objects.slice(0, callLimits.keptPerOutput).map((input) => ({ name, input, fault: unknown }))
}

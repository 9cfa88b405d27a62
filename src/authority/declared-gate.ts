import type { DeclaredGate } from './defaults.ts'
import { parseNetHost } from './subjects/net.ts'
import type { Subject } from './subjects/subject.ts'
import type { Unsure } from './subjects/unsure.ts'
import { type ToolKind, toolKinds } from './tool-kinds.ts'

/** Something that a tool of one's own reaches. Rules and grants for hosts and chats then hold for the tool as well. */
export type NamedSubject =
  /** `example.org` or `example.org:8443` */
  | { net: string }
  /** Channel and address, such as `telegram:-500`. */
  | { message: string }

/**
 * The statement of a tool's author about its calls.
 *
 * | declared | calls of owner, operator, member | calls of guests and groups |
 * |---|---|---|
 * | `allow` | run | ask |
 * | `{ guests: 'allow' }` | run | run |
 * | `ask`, nothing | ask | ask |
 * | a function | as rules, grants and defaults say about what it names | the same |
 */
export type GateDeclaration<Input = unknown> =
  | 'allow'
  | 'ask'
  | { guests: 'allow' }
  | ((input: Input) => NamedSubject | readonly NamedSubject[])

type Gate = {
  kind: 'code'
  declared: DeclaredGate
  subjects?(input: unknown): { subjects: readonly Subject[]; unsure: readonly Unsure[] }
}

/** A whole gate, or what its author declared as one. Modules and plugins may be plain JavaScript: anything unknown asks. */
export function gateFrom<Whole extends { kind: ToolKind }, Input>(given: Whole | GateDeclaration<Input> | undefined): Whole | Gate {
  if (isWhole(given)) return given
  if (typeof given === 'function') return { kind: 'code', declared: 'ask', subjects: (input) => getSubjects(given(input as Input)) }
  if (typeof given === 'object' && given?.guests === 'allow') return { kind: 'code', declared: 'allow-guests' }
  return { kind: 'code', declared: given === 'allow' ? 'allow' : 'ask' }
}

const isWhole = <Whole extends { kind: ToolKind }>(given: Whole | GateDeclaration<never> | undefined): given is Whole =>
  typeof given === 'object' && given !== null && 'kind' in given && toolKinds.includes(given.kind)

function getSubjects(named: NamedSubject | readonly NamedSubject[]): { subjects: Subject[]; unsure: Unsure[] } {
  const subjects: Subject[] = []
  const unsure: Unsure[] = []
  for (const one of [named].flat()) {
    const net = 'net' in one ? parseNetHost(one.net) : null
    if (net) subjects.push(net)
    else if ('message' in one && typeof one.message === 'string') subjects.push({ kind: 'message', address: one.message })
    else unsure.push({ why: 'redirection', detail: JSON.stringify(one).slice(0, 100) })
  }
  return { subjects, unsure }
}

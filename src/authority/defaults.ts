import type { Preset } from './policy.ts'
import { isAtLeast, type Role } from './roles.ts'
import type { Subject } from './subjects/subject.ts'
import type { ToolKind } from './tool-kinds.ts'

/** `never` is the dash of the table: only an allow rule that covers the role lifts it; a grant does not. */
export type Default = 'allow' | 'ask' | 'never'

/** The gate that the owner's own code declares for a tool. Undeclared means ask. */
export type DeclaredGate = 'allow' | 'ask' | 'allow-guests'

type Row = Readonly<Record<Role, Default>>

const row = (own: Default, member: Default, guest: Default, peer: Default): Row => ({
  owner: own,
  operator: own,
  member,
  guest,
  group: guest,
  peer,
})

//                              own, opr  mem      gst, grp  peer
const talk = row('allow', 'allow', 'allow', 'never')
const read = row('allow', 'allow', 'ask', 'never')
const effect = row('ask', 'ask', 'ask', 'never')

const table: Readonly<Record<ToolKind, Row>> = {
  talk,
  peer: row('never', 'never', 'never', 'allow'),
  'world-read': read,
  'world-change': row('ask', 'ask', 'never', 'never'),
  read,
  taskdoc: read,
  write: effect,
  run: effect,
  net: effect,
  message: effect,
  mcp: effect,
  code: effect,
  memory: row('allow', 'ask', 'never', 'never'),
}

/** Facts of the call that a preset or a declaration depends on. */
export type DefaultFacts = {
  kind: ToolKind
  declared?: DeclaredGate
  /** The command runs in the sandbox without any network. */
  isSandboxed?: boolean
}

/** The default for one subject of a call, or for the call itself when it has no subject. */
export function findDefault(subject: Subject | null, facts: DefaultFacts, role: Role, preset: Preset): Default {
  const kind = getKind(subject, facts.kind)
  if (kind === 'code') return declaredDefault(facts.declared ?? 'ask', role)
  if (preset === 'workspace' && isAtLeast(role, 'operator')) {
    if (subject?.kind === 'run' && facts.isSandboxed) return 'allow'
    if (subject?.kind === 'write' && subject.isInWriteDirs) return 'allow'
  }
  return table[kind][role]
}

/** Files, hosts and commands have defaults of their own, whatever tool names them. */
function getKind(subject: Subject | null, kind: ToolKind): ToolKind {
  if (subject === null || subject.kind === 'tool') return kind
  if (subject.kind === 'message') return subject.isOwn ? 'talk' : 'message'
  // Annotations of a trusted server say that the tool only reads.
  return subject.kind === 'mcp' && subject.isReadOnly ? 'read' : subject.kind
}

function declaredDefault(declared: DeclaredGate, role: Role): Default {
  if (role === 'peer') return 'never'
  if (declared === 'ask') return 'ask'
  return isAtLeast(role, 'member') || declared === 'allow-guests' ? 'allow' : 'ask'
}

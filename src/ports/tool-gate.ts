import type { DeclaredGate } from '../authority/defaults.ts'
import type { Role } from '../authority/roles.ts'
import type { Extraction } from '../authority/subjects/tool-subjects.ts'
import type { ToolKind } from '../authority/tool-kinds.ts'
import type { ApprovalText, ShownCall } from '../dialogs/rules/approval.ts'
import type { Language } from '../shapes/language.ts'

/** The dialog a call was made in, as far as subjects and texts depend on it. `role` is the floor of its turn. */
export type CallScene = { dialog: string; agent: string; language: Language; role: Role }

/**
 * Facts about a tool that the gate needs. Every tool declares one. The functions get an input that fits the tool's schema,
 * may read the disk and change nothing. One that throws ends the call: the agent reads its message instead of a result, and
 * no person is asked.
 */
export type ToolGate = {
  kind: ToolKind
  /** For a tool whose calls are of several kinds, such as one that reads and changes. */
  kindOf?(input: unknown): ToolKind
  /** MCP server, plugin or module the tool comes from. */
  server?: string
  /** For tools of the owner's own code; undeclared means ask. */
  declared?: DeclaredGate
  isIrreversible?: boolean
  /** Commands run in the sandbox. Grants given inside of it do not hold outside. */
  isInSandbox?: boolean
  /** Commands run in the sandbox, and without any network but for the hosts that the call itself names. */
  isSandboxed?: boolean
  /** The schema that grants are bound to, for a tool whose own schema follows what is connected at the moment. */
  stableSchema?: object
  /** Without it the tool itself is the subject, with the scalars of its input. */
  subjects?(input: unknown, scene: CallScene): Extraction | Promise<Extraction>
  /** All that an approver has to see. Without it: the input as sorted JSON. */
  show?(input: unknown, scene: CallScene): ShownCall | Promise<ShownCall>
  /** Words of the input that leave: a person may change them before the call runs. */
  texts?(input: unknown): readonly ApprovalText[]
  /** Hashes of files the effect depends on, by path: an approval holds only while they are the same. */
  bound?(input: unknown): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

import { hash } from 'node:crypto'
import { toolHash } from '../../authority/tool-hash.ts'
import type { Tool } from '../../ports/agent-runtime.ts'

export const sha256 = (text: string): string => hash('sha256', text, 'base64url')

const hashes = new WeakMap<Tool, string>()

/** The hash of a tool's definition: an approval or grant holds only for the definition it was given for. */
export function hashOfTool(tool: Tool): string {
  const cachedHash = hashes.get(tool)
  if (cachedHash !== undefined) return cachedHash
  const { name, description, inputSchema } = tool
  const { kind, server = null, stableSchema = inputSchema, isIrreversible = false } = tool.gate
  // A command that was allowed inside the sandbox is not allowed outside of it.
  const where = {
    ...(isIrreversible && { isIrreversible }),
    ...(kind === 'run' && !tool.gate.isInSandbox ? { isUnconfined: true } : {}),
  }
  const definitionHash = toolHash({ name, description, inputSchema: stableSchema, kind, server, ...where }, sha256)
  hashes.set(tool, definitionHash)
  return definitionHash
}

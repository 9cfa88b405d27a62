import { nearest } from '../../shapes/nearest.ts'

/** The wire accepts no longer name, and a longer one is no slip. */
export const toolNameLimits = { chars: 64 } as const

export type FoundTool = { tool: string } | { unknown: string; suggestion: string | null }

const toPlain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^functions\./, '')
    .replaceAll(/[_.-]/g, '')

/** The offered tool that a model means: the exact name, or the only one that differs in case, `_-.` or a `functions.` prefix. */
export function findTool(called: string, tools: readonly string[]): FoundTool {
  const name = called.slice(0, toolNameLimits.chars * 2).trim()
  if (tools.includes(name)) return { tool: name }
  const plain = toPlain(name)
  const [only, another] = tools.filter((tool) => plain !== '' && toPlain(tool) === plain)
  if (only !== undefined && another === undefined) return { tool: only }
  const unknown = toWireName(name)
  return { unknown, suggestion: nearest(unknown.replace(/^functions_/, ''), tools) }
}

/** A call of an unknown tool is replayed too, and providers refuse other characters in a name. */
const toWireName = (name: string): string => name.replaceAll(/[^\w-]/g, '_').slice(0, toolNameLimits.chars) || 'unnamed'

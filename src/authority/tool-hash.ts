/** The definition that a person allows. A change of any part ends grants and asks again. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema: unknown
  kind: string
  server?: string | null
  isIrreversible?: boolean
  isUnconfined?: boolean
}

/** SHA-256 of canonical JSON. The hash function comes in as a parameter because this folder uses nothing of Node. */
export function toolHash(
  { name, description, inputSchema, kind, server = null, isUnconfined, isIrreversible }: ToolDefinition,
  sha256: (text: string) => string,
): string {
  return sha256(canonicalJson({ name, description, inputSchema, kind, server, isUnconfined, isIrreversible }))
}

/** JSON with sorted keys and without spaces: the same text for the same value, however it was built. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

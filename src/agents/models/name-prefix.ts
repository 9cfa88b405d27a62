/** Longer names are no model names; a bound keeps the search short. */
const nameChars = 300

/**
 * Spells a name the same way for all sellers: `Claude-Opus-4.8` and `claude-opus-4-8` are one model.
 */
const toPlainName = (name: string): string => name.slice(0, nameChars).toLowerCase().replaceAll(/[._]/g, '-')

/** Where the model's own name may begin: `openai/gpt-5`, `us.anthropic.claude-haiku-4-5`, `ft:gpt-4o:acme`. */
function listStarts(name: string): number[] {
  const starts = [0]
  for (let index = 0; index < Math.min(name.length, nameChars); index += 1) {
    const char = name[index]
    if (char === '/' || char === ':' || (char === '.' && /[a-z]/i.test(name[index + 1] ?? ''))) starts.push(index + 1)
  }
  return starts
}

/** `gpt-4.1` begins `gpt-4.1-mini`, but not `gpt-4-1106-preview`. */
const begins = (prefix: string, name: string): boolean => name.startsWith(prefix) && !/^[a-z0-9]/.test(name.slice(prefix.length))

/** A model is looked up several times for each request. */
const caches = new WeakMap<readonly object[], Map<string, object | null>>()
export const foundLimits = { models: 200 } as const

/** The row with the longest prefix of a model's name, with or without the name of its provider in front. */
export function findByPrefix<Row extends { prefixes: readonly string[] }>(rows: readonly Row[], model: string): Row | null {
  const cache = caches.get(rows) ?? new Map<string, object | null>()
  caches.set(rows, cache)
  const before = cache.get(model)
  if (before !== undefined) return before as Row | null
  const row = searchPrefix(rows, model)
  if (cache.size >= foundLimits.models) cache.clear()
  cache.set(model, row)
  return row
}

function searchPrefix<Row extends { prefixes: readonly string[] }>(rows: readonly Row[], model: string): Row | null {
  const plain = toPlainName(model)
  const names = listStarts(model).map((start) => plain.slice(start))
  let longest: { row: Row; length: number } | null = null
  for (const row of rows)
    for (const prefix of row.prefixes.map(toPlainName))
      if (prefix.length > (longest?.length ?? 0) && names.some((name) => begins(prefix, name))) longest = { row, length: prefix.length }
  return longest?.row ?? null
}

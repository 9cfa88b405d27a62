/** The JSON values at the start of a line, one after the other, and what follows them that is none. */
export function jsonValues(line: string): { values: unknown[]; rest: string } {
  const values: unknown[] = []
  let rest = line
  while (/^[{[]/.test(rest)) {
    const end = endOfValue(rest)
    const value = end === null ? undefined : parsed(rest.slice(0, end))
    if (end === null || value === undefined) break
    values.push(value)
    rest = rest.slice(end).replace(/^[\s,;]+/, '')
  }
  return { values, rest }
}

/** Where the object or list that begins here is closed; null when it is not. */
function endOfValue(text: string): number | null {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (isText) {
      if (char === '\\') index += 1
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

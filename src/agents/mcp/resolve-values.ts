type Given = Readonly<Record<string, string | { env: string }>>

/** Fills in variables that are named; what is missing is named too, values never are. */
export function givenValues(
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
): { values: Record<string, string>; missing: string[] } {
  const values: Record<string, string> = {}
  const missing: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const text = typeof value === 'string' ? value : env[value.env]
    if (text !== undefined && text !== '') values[name] = text
    else if (typeof value === 'string') values[name] = ''
    else missing.push(value.env)
  }
  return { values, missing }
}

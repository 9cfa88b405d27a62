type Values = Readonly<Record<string, string | { env: string }>>

/** Fills in variables that are named; what is missing is named too, values never are. */
export function resolveValues(
  source: Values,
  env: Readonly<Record<string, string | undefined>>,
): { values: Record<string, string>; missing: string[] } {
  const values: Record<string, string> = {}
  const missing: string[] = []
  for (const [name, value] of Object.entries(source)) {
    const text = typeof value === 'string' ? value : env[value.env]
    if (text !== undefined && text !== '') values[name] = text
    else if (typeof value === 'string') values[name] = ''
    else missing.push(value.env)
  }
  return { values, missing }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** `${NAME}` or `${NAME:-otherwise}`. Only upper-case names: a prompt may well contain `${something}` of its own. */
const variable = /(\$?)\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}/g

/** Fills in variables; `$${NAME}` stays as `${NAME}`. What is missing is named, values never are. */
export function fillVariables(text: string, env: Environment): { text: string; missing: string[] } {
  const missing: string[] = []
  // Behind the last brace nothing is closed. Looking for one there would be tried again at each `${`.
  const end = text.lastIndexOf('}') + 1
  const filled = text.slice(0, end).replace(variable, (whole: string, escape: string, name: string, otherwise: string | undefined) => {
    if (escape !== '') return whole.slice(1)
    const value = env[name]
    if (value !== undefined && value !== '') return value
    if (otherwise === undefined) missing.push(name)
    return otherwise ?? ''
  })
  return { text: filled + text.slice(end), missing }
}

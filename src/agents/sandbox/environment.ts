export type Environment = Readonly<Record<string, string | undefined>>

const common = /^(?:PATH|HOME|LANG|LC_[A-Z]+|TZ|TERM|TMPDIR)$/

/** Signs people in. No program of an agent gets it, also when it is named. */
const serverSecret = 'PARLEY_SECRET'

/** The environment of a program: the common variables, those the agent names, and those set for this start. */
export function allowedEnvironment(
  env: Environment,
  named: readonly string[],
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && name !== serverSecret && (common.test(name) || named.includes(name))) passed[name] = value
  return { ...passed, ...set }
}

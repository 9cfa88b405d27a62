/** A fault in `people:` or `policy:`. One is enough to refuse the whole policy: dropping a rule could loosen it. */
export type PolicyProblem = { path: readonly (string | number)[]; line: number | null; why: string }

/** Collects problems with the lines the caller knows. */
export type Report = (path: readonly (string | number)[], why: string) => void

export type LineOf = (path: readonly (string | number)[]) => number | null

/** Reports fields that have no meaning; a misspelt `deny` must not be skipped in silence. */
export function reportUnknown(
  value: Record<string, unknown>,
  known: readonly string[],
  path: readonly (string | number)[],
  report: Report,
): void {
  for (const field of Object.keys(value))
    if (!known.includes(field)) report([...path, field], `the field "${field}" is not known. Known: ${known.join(', ')}`)
}

export function textList(value: unknown, path: readonly (string | number)[], report: Report): string[] {
  if (value === undefined) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const texts = list.filter((one): one is string => typeof one === 'string' && one !== '')
  if (texts.length !== list.length) report(path, 'it must be a list of texts')
  return texts
}

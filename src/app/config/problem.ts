import { nearest } from '../../shapes/nearest.ts'

/** Something in the configuration that does not work, or was found out at work. The rest goes on without it. */
export type Problem = {
  kind: 'unreadable' | 'unknown-key' | 'no-effect' | 'wrong-value' | 'missing-variable' | 'unusable' | 'at-work'
  file: string
  /** Such as `team.members.ada.model`; empty for the file as a whole. */
  path: string
  why: string
  line: number | null
}

/** One sentence for a person: where and why. */
export function problemInWords({ file, path, why, line }: Problem): string {
  const where = `${file}${line === null ? '' : `:${line}`}`
  return path === '' ? `${where}: ${why}` : `${where}: ${path}: ${why}`
}

/** With the neighbour, "did you mean" beats a list of everything. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const near = nearest(given, known)
  if (near !== null) return `${what} "${given}" is not known. Did you mean "${near}"?`
  return known.length === 0
    ? `${what} "${given}" is not known.`
    : `${what} "${given}" is not known. Known: ${known.slice(0, 12).join(', ')}.`
}

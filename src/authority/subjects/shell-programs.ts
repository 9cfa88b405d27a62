import type { CommandWord } from './subject.ts'

export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'busybox'])

/**
 * Builtins that change what later words mean: they define commands, run text, or set variables that programs read. A call
 * with one of them is never certain.
 */
export const stateBuiltins: ReadonlySet<string> = new Set([
  'alias',
  'unalias',
  'trap',
  'source',
  '.',
  'exec',
  'set',
  'shopt',
  'enable',
  'builtin',
  'hash',
  'bind',
  'complete',
  'fc',
  'history',
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
  'unset',
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'let',
  'coproc',
])

const droppedAssignments: ReadonlySet<string> = new Set(['LANG', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'NODE_ENV'])

/** Variables that change how a program prints, not what it does. */
export const isHarmlessVariable = (name: string): boolean => droppedAssignments.has(name) || /^LC_[A-Z]+$/.test(name)

/** Loop variables by these names are neither exported nor read by the shell. */
export const isLoopVariable = (name: string): boolean => /^[a-z][a-z0-9]*$/.test(name)

export const baseName = (program: string): string => program.slice(program.lastIndexOf('/') + 1)

/** The words behind a wrapper that runs them unchanged, or null. Any other wrapper needs a rule of its own. */
export function withoutWrapper(words: readonly CommandWord[]): readonly CommandWord[] | null {
  const [program, first, second] = words
  if (!program?.isLiteral) return null
  const isPlain = first !== undefined && !(first.isLiteral && first.value.startsWith('-'))
  switch (program.value) {
    case 'timeout':
      return first?.isLiteral && /^\d+(?:\.\d+)?[smhd]?$/.test(first.value) && second ? words.slice(2) : null
    case 'nice':
      if (first?.isLiteral && first.value === '-n' && second?.isLiteral && /^-?\d+$/.test(second.value) && words.length > 3)
        return words.slice(3)
      return isPlain ? words.slice(1) : null
    case 'time':
      if (first?.isLiteral && first.value === '-p' && second) return words.slice(2)
      return isPlain ? words.slice(1) : null
    case 'nohup':
    case 'command':
      return isPlain ? words.slice(1) : null
    default:
      return null
  }
}

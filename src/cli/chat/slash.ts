const names = ['stop', 'continue', 'answer', 'tap', 'dialogs', 'inbox', 'open', 'new', 'file', 'help', 'quit'] as const

export type Slash = { name: (typeof names)[number]; rest: string }

const shortcuts: Record<string, Slash['name']> = { c: 'continue', s: 'stop', '?': 'help' }

/**
 * A line that steers the chat instead of being said. `c` and `s` alone are the two controls; two slashes say a line that
 * begins with one.
 */
export function getSlash(line: string): Slash | { unknown: string } | { say: string } {
  const trimmed = line.trim()
  const shortcut = shortcuts[trimmed]
  if (shortcut) return { name: shortcut, rest: '' }
  if (trimmed.startsWith('//')) return { say: trimmed.slice(1) }
  if (!/^\/[a-z]+(\s|$)/.test(trimmed)) return { say: line }
  const [word = '', ...rest] = trimmed.slice(1).split(/\s+/)
  const name = names.find((known) => known === word || (word === 'exit' && known === 'quit'))
  return name ? { name, rest: rest.join(' ') } : { unknown: `/${word}` }
}

/**
 * `*` stands for anything within one name, `**` for anything, `?` for one character, `{a,b}` for either. Unlike a shell's,
 * these also fit names that begin with a dot: what closes a folder must not leave its hidden files open.
 */
export function globPattern(glob: string, options: { andBelow?: boolean } = {}): RegExp {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
  let source = ''
  let depth = 0
  for (let at = 0; at < plain.length; at += 1) {
    const rest = plain.slice(at)
    const char = plain[at] ?? ''
    if (rest.startsWith('/**') && (rest.length === 3 || rest[3] === '/')) [source, at] = [`${source}(?:/.*)?`, at + 2]
    else if (rest.startsWith('**/')) [source, at] = [`${source}(?:.*/)?`, at + 2]
    else if (rest.startsWith('**')) [source, at] = [`${source}.*`, at + 1]
    else if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '{' && rest.includes('}')) [source, depth] = [`${source}(?:`, depth + 1]
    else if (char === '}' && depth > 0) [source, depth] = [`${source})`, depth - 1]
    else if (char === ',' && depth > 0) source += '|'
    else source += char.replace(/[.+^$()|[\]{}\\]/, '\\$&')
  }
  source += ')'.repeat(depth)
  if (plain === '' || plain === '.') source = '.*'
  return new RegExp(`^${source}${options.andBelow ? '(?:/.*)?' : ''}$`, 'su')
}

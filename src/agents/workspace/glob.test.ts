import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { globPattern } from './glob.ts'

/** The same rules as one expression, which takes polynomial time and so is used for short names only. */
function globExpression(glob: string, andBelow: boolean): RegExp {
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
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
  return new RegExp(`^${source}${andBelow ? '(?:/.*)?' : ''}$`, 'su')
}

const join = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((parts) => parts.join(''))

test('a glob accepts the names that its expression accepts', () => {
  const glob = join(['*', '**', '/', '/**', '**/', '?', '{', '}', ',', 'a', 'b', '.', './', '😀', '\\', '+', '(', '[', '\ud83d'])
  const name = join(['a', 'b', '/', '.', ',', '{', '}', '😀', '*', '\\', '+', '(', '[', '\n', '\ud83d', '\ude00'])
  let accepted = 0
  fc.assert(
    fc.property(glob, name, fc.boolean(), (pattern, path, andBelow) => {
      const isAccepted = globPattern(pattern, { andBelow }).test(path)
      accepted += Number(isAccepted)
      assert.equal(isAccepted, globExpression(pattern, andBelow).test(path))
    }),
    { numRuns: 10_000 },
  )
  assert.ok(accepted > 250, `${accepted} names were accepted`)
})

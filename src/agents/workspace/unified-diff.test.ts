import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { diffLimits, unifiedDiff } from './unified-diff.ts'

/** Applies a diff as `patch` does: context and removed lines must be there. */
function applied(before: string, diff: string): string {
  const old = before.split('\n').slice(0, -1)
  const next: string[] = []
  let at = 0
  for (const line of diff.split('\n').slice(2)) {
    const start = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line)
    if (start) {
      const first = Number(start[1]) - (start[2] === '0' ? 0 : 1)
      while (at < first) next.push(old[at++] ?? '')
    } else if (line.startsWith('+')) next.push(line.slice(1))
    else if (!line.startsWith('\\')) {
      assert.equal(old[at], line.slice(1))
      if (line.startsWith(' ')) next.push(line.slice(1))
      at += 1
    }
  }
  return [...next, ...old.slice(at)].map((line) => `${line}\n`).join('')
}

describe('unifiedDiff', () => {
  it('shows three lines around each change and numbers both sides', () => {
    const before = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`).join('')
    const after = before.replace('line 2\n', 'line two\n').replace('line 18\n', '')
    assert.equal(
      unifiedDiff('a.txt', before, after),
      [
        '--- a.txt',
        '+++ a.txt',
        '@@ -1,5 +1,5 @@',
        ' line 1',
        '-line 2',
        '+line two',
        ' line 3',
        ' line 4',
        ' line 5',
        '@@ -15,6 +15,5 @@',
        ' line 15',
        ' line 16',
        ' line 17',
        '-line 18',
        ' line 19',
        ' line 20',
      ].join('\n'),
    )
  })

  it('names a missing newline at the end', () => {
    assert.equal(unifiedDiff('a', 'x\n', 'x'), '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file')
  })

  it('shows every line of parts that are too large to be compared', () => {
    const many = Math.ceil(Math.sqrt(diffLimits.comparedPairs)) + 1
    const lines = (word: string): string => Array.from({ length: many }, (_, line) => `${word} ${line}\n`).join('')
    const diff = unifiedDiff('a', lines('old'), lines('new'))
    assert.equal(diff.match(/^-old/gm)?.length, many)
    assert.equal(diff.match(/^\+new/gm)?.length, many)
  })

  it('applied to the old text gives the new one', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', ' d'), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => assert.equal(applied(before, unifiedDiff('x', before, after)), after)),
      { numRuns: 500 },
    )
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillVariables } from './variables.ts'

test('variables are filled in, escaped ones stay, missing ones are named', () => {
  const cases: readonly [text: string, filled: string, missing: string[]][] = [
    ['${A} and ${A:-x}', 'a and a', []],
    ['${B:-x} ${B:-}|${B}', 'x |', ['B']],
    ['$${A} $$ ${A} ${a} ${A', '${A} $$ a ${a} ${A', []],
    ['${B:-{}}', '{}', []],
    ['${EMPTY:-x}${EMPTY}', 'x', ['EMPTY']],
  ]
  for (const [text, filled, missing] of cases) assert.deepEqual(fillVariables(text, { A: 'a', EMPTY: '' }), { text: filled, missing }, text)
})

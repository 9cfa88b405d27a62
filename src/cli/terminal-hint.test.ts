import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, catalogue, describeError } from '../errors.ts'
import { terminalHint } from './terminal-hint.ts'

const command = 'parley dialogs continue dlg_1'

test('terminalHint: names the command in the middle, at the beginning and at the end of a hint', () => {
  assert.equal(terminalHint('Wait a moment, then press Continue.', command), `Wait a moment, then run ${command}`)
  assert.equal(terminalHint('Press Continue to try again.', command), `Run ${command} to try again.`)
  assert.equal(
    terminalHint('Raise the limit, or press Continue to try again.', command),
    `Raise the limit, or run ${command} to try again.`,
  )
  assert.equal(terminalHint('See the log.', command), 'See the log.')
})

test('terminalHint: no hint of the catalogue asks a person at a terminal to press Continue', () => {
  const pressing = (Object.keys(catalogue) as ErrorCode[]).filter((code) => /press continue/i.test(describeError(code).hint))
  assert.ok(pressing.length > 0)
  for (const code of pressing) {
    const hint = terminalHint(describeError(code).hint, command)
    assert.doesNotMatch(hint, /press continue/i, code)
    assert.ok(hint.includes(command), code)
  }
})

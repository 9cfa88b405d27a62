import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastLines } from './command.ts'

test('lastLines: names the error above a stack trace of Node', () => {
  const stderr = `file:///opt/cli/cli.js:108
    throw new Error(
          ^

Error: Missing optional dependency cli-linux-x64.
    at findExecutable (file:///opt/cli/cli.js:108:9)
    at new Promise (<anonymous>)
    at async node:internal/modules/esm/loader:647:26

Node.js v24.21.0
`
  assert.equal(lastLines(stderr, {}), 'file:///opt/cli/cli.js:108 · throw new Error( · Error: Missing optional dependency cli-linux-x64')
})

test('lastLines: a stack trace alone is still shown, and plain lines that begin with "at" stay', () => {
  assert.equal(lastLines('    at main (/opt/cli.js:1:2)\n', {}), 'at main (/opt/cli.js:1:2)')
  assert.equal(lastLines('no reply\nat this address\n', {}), 'no reply · at this address')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pc from 'picocolors'
import { terminalWords } from '../words/index.ts'
import { sayLinkCode } from './link-code.ts'
import type { Terminal } from './terminal.ts'

function sayCode(link: string, { isTTY = true, width = 80 } = {}): string[] {
  const lines: string[] = []
  const terminal = {
    stdout: { isTTY },
    json: false,
    width,
    errPaint: pc.createColors(false),
    words: terminalWords.en,
    say: (...said: string[]) => lines.push(...said),
  } as unknown as Terminal
  sayLinkCode(terminal, link)
  return lines
}

test('sayLinkCode: shows a code for an address of the network, at a terminal that is wide enough', () => {
  const link = 'http://192.168.1.20:4700/#k=abc'
  const [title, ...code] = sayCode(link)
  assert.equal(title, 'Open it on a phone in the same network:')
  assert.equal(code.length, 15)
  assert.deepEqual(sayCode('http://127.0.0.1:4700/#k=abc'), [])
  assert.deepEqual(sayCode('http://localhost:4700/#k=abc'), [])
  assert.deepEqual(sayCode(link, { isTTY: false }), [])
  assert.deepEqual(sayCode(link, { width: 20 }), [])
})

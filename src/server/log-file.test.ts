import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { logFile, logFiles } from './log-file.ts'
import { operatorLog } from './log.ts'

test('the file of the log is bounded, holds whole lines and keeps one older file', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-log-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const { current, older } = logFiles(dir)
  const write = logFile(dir, 1_000)
  for (let n = 0; n < 200; n += 1) write(`{"n":${n}}\n`)
  const numbers = [older, current].flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n),
  )
  assert.equal(numbers.at(-1), 199)
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, at) => 200 - numbers.length + at),
    'in order, without a gap',
  )
  for (const file of [older, current]) assert.ok(statSync(file).size <= 1_000)
  assert.equal(statSync(current).mode & 0o077, 0, 'others cannot read it')
})

test('a folder that is gone stops the file and nothing else', () => {
  logFile(join(tmpdir(), 'parley-no-such-folder', 'data'))('{"n":1}\n')
})

test('what the log records holds no secret, and less than --verbose prints', () => {
  const lines: string[] = []
  const log = operatorLog({ level: 'debug', isPretty: true, write: () => {}, record: (line) => void lines.push(line) })
  log.hide('a long secret value')
  log('debug', 'a detail')
  log('warn', 'the key a long secret value was refused', { token: 'abc' })
  assert.equal(lines.length, 1)
  assert.deepEqual(
    { ...(JSON.parse(lines[0] ?? '') as object), time: '' },
    {
      token: '[removed]',
      time: '',
      level: 'warn',
      message: 'the key [removed] was refused',
    },
  )
})

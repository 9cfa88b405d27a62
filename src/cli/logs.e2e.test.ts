import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { logFile } from '../server/log-file.ts'
import { cliFolder } from './testing/spawned.ts'

describe('parley logs', () => {
  const cli = cliFolder()
  after(() => cli.close())
  const data = join(cli.dir, 'other')
  const entry = (n: number): string =>
    `${JSON.stringify({ n, time: '2026-11-18T23:05:27.012Z', level: 'warn', message: `line ${n} 城市` })}\n`

  test('without a log it says where one would be', async () => {
    const { code, out, err } = await cli.run('logs')
    assert.deepEqual([code, out], [0, ''])
    assert.match(err, /^No log in \.\/\.parley\. A server writes it there; --data names another folder\.\n$/)
  })

  test('the last lines, for people and as JSON, also across the older file; half a line is left out', async () => {
    mkdirSync(data)
    const write = logFile(data, 300)
    for (let n = 0; n < 5; n += 1) write(entry(n))
    write('{"time":"2026-')
    const lines = await cli.run('logs', '--data', 'other', '--lines', '3')
    assert.deepEqual([lines.code, lines.out], [0, [2, 3, 4].map((n) => `23:05:27 warn  line ${n} 城市 n=${n}\n`).join('')])
    const json = await cli.run('logs', '--data', 'other', '--json')
    const numbers = json.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n)
    assert.deepEqual(numbers, [0, 1, 2, 3, 4].slice(-numbers.length))
    assert.ok(numbers.length > 2)
  })

  test('a server writes when it started and stopped, and --follow reads on', async () => {
    const server = cli.start(['demo', '--no-open', '--port', '0', '--fast'])
    const follower = cli.start(['logs', '--follow', '--json'])
    await follower.until(/server started at http/)
    await server.end('SIGTERM')
    await follower.until(/server stopped/)
    assert.equal((await follower.end('SIGINT')).code, 130)
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { wholeBuild } from '../builds/rules/test/agent-script.ts'
import { cliFolder } from './testing/spawned.ts'

const start = { type: 'session.started', payload: { build_id: 'b', session_id: 's', source: 'backend' } }
const toLines = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')

describe('parley builds check', () => {
  const cli = cliFolder()
  after(() => cli.close())

  test('a valid log: 0', async () => {
    writeFileSync(join(cli.dir, 'good.jsonl'), toLines([start, ...wholeBuild]))
    const { code, out } = await cli.run('builds', 'check', 'good.jsonl')
    assert.deepEqual([code, out], [0, '19 events, no rule violated.\n'])
  })

  test('a broken one: 1, with line and rule, for people and as JSON', async () => {
    writeFileSync(join(cli.dir, 'bad.jsonl'), toLines([start, ...wholeBuild.filter((_, index) => index !== 2)]))
    const { code, out } = await cli.run('builds', 'check', 'bad.jsonl')
    assert.equal(code, 1)
    assert.match(out, /^T3 {2}line 4, error: {2}build_record is still open[^\n]*\n1 error, 0 warnings\.\n$/)
    const json = await cli.run('builds', 'check', 'bad.jsonl', '--json')
    const document = JSON.parse(json.out) as { errors: number; findings: { line: number; id: string; severity: string }[] }
    assert.deepEqual([json.code, document.errors, document.findings[0]?.id, document.findings[0]?.line], [1, 1, 'T3', 4])
  })

  test('a warning alone: 0; a list in one document is read too; from stdin', async () => {
    const { code, out } = await cli.start(['builds', 'check', '-', '--json'], { input: JSON.stringify({ items: [start] }) }).ended
    assert.deepEqual([code, (JSON.parse(out) as { warnings: number }).warnings], [0, 1])
  })

  test("what a server dropped: 1, with the rule; an agent's own output: 0, and it is said what it was read as", async () => {
    const dropped = { type: 'build.faulted', payload: { turn: 1, rule: 'T4', words: 'No such step.' } }
    const log = await cli.start(['builds', 'check', '-'], { input: toLines([start, dropped, ...wholeBuild]) }).ended
    assert.deepEqual([log.code, log.out], [1, 'T4  line 2, error:  No such step.\n1 error, 0 warnings.\n'])
    const banner = '\n> parley-runtime@0.1.0 parley\n> node scripts/run.mjs src/cli/main.ts builds show last\n\n'
    const inClone = await cli.start(['builds', 'check', '-'], { input: `${banner}${toLines([start, dropped, ...wholeBuild])}` }).ended
    assert.deepEqual([inClone.code, inClone.out], [1, 'T4  line 6, error:  No such step.\n1 error, 0 warnings.\n'])
    const own = await cli.start(['builds', 'check', '-'], { input: toLines(wholeBuild) }).ended
    assert.equal(own.code, 0)
    assert.match(own.out, /^18 events, no rule violated\.\nRead as an agent's own output/)
  })

  test('a file that is not there: 2', async () => {
    const { code, err } = await cli.run('builds', 'check', 'none.jsonl')
    assert.equal(code, 2)
    assert.match(err, /cannot be read/)
  })

  test('in Chinese', async () => {
    const { out } = await cli.start(['builds', 'check', 'good.jsonl'], { env: { LANG: 'zh_CN.UTF-8' } }).ended
    assert.equal(out, '共 19 个事件，没有违反规则。\n')
  })
})

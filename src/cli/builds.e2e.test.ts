import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

const cli = cliFolder()
type Event = { seq: number; type: string; payload: Record<string, unknown> }
const events = (out: string): Event[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)

before(() => cli.serve())
after(() => cli.close())

test('before the first build it is said how to start one', async () => {
  assert.match((await cli.run('builds', 'list')).err, /No builds yet\. Start one: parley builds start "/)
})

test('the demo of builds says what to do next with builds', async () => {
  const other = cliFolder()
  try {
    const demo = other.start(['demo', '--build', '--port', '0', '--no-open', '--fast'])
    assert.match(await demo.until('parley builds show last'), /parley builds start "[^"]+" · parley builds list · parley builds show last/)
    await demo.end()
  } finally {
    await other.close()
  }
})

test('a build from the terminal without a person: started, answered twice, read, listed', async () => {
  const started = await cli.run('builds', 'start', 'A reading list', '--json')
  assert.equal(started.code, 5, started.err)
  assert.equal(events(started.out).at(-1)?.type, 'question.requested')

  const asks = await cli.run('builds', 'show', 'last')
  assert.equal(asks.code, 0)
  assert.match(
    asks.out,
    /\? [^\n]+\n {4}• [^]*• Reading for pleasure \[joy\][^]*Answer with: parley builds answer [\da-f-]{36} --choice '[^'\n]+\|Reading for pleasure\|[^'\n]+'\n/,
  )

  const bare = await cli.run('builds', 'answer', 'last')
  assert.equal(bare.code, 2)
  assert.match(bare.err, /parley builds answer [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12} --choice '[^'\n]+\|Reading for pleasure\|[^'\n]+'/)

  const wrong = await cli.run('builds', 'answer', 'last', '--text', 'nonsense')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /not one of the choices/)

  assert.equal((await cli.run('builds', 'answer', 'last', '--choice', 'joy')).code, 0)
  const followed = await cli.run('builds', 'show', 'last', '--follow')
  assert.equal(followed.code, 5)
  assert.match(followed.out, /You {2}Reading for pleasure\n/)
  assert.match(followed.out, /3 of 7 {2}Gathering what we need/)
  assert.match(followed.err, /--set pace='[^'\n]+\|[^'\n]+' --set topic='…'/)
  const shown = `${followed.out}${followed.err}`
  assert.equal(shown.split('Two details, and I can plan it.').length - 1, 1, 'an open question is shown once')
  assert.equal(shown.split('What is the reading list for?').length - 1, 1, 'and an answered one stays in the story')

  const waiting = await cli.json<{ items: { status: string; step: number; openQuestions: number }[] }>(
    'builds',
    'list',
    '--status',
    'waiting',
  )
  assert.deepEqual(
    waiting.items.map(({ status, step, openQuestions }) => ({ status, step, openQuestions })),
    [{ status: 'waiting', step: 4, openQuestions: 2 }],
  )
  const alone = await cli.run('builds', 'answer', 'last', '--text', 'Rivers')
  assert.equal(alone.code, 2)
  assert.match(
    alone.err,
    /a set of 2 questions[^]*Answer each by its id: parley builds answer [\da-f-]{36} --set pace='[^'\n]+\|[^'\n]+' --set topic='…'/,
  )
  const missing = await cli.run('builds', 'show', '7d8a0000-0000-4000-8000-000000000000')
  assert.match(missing.err, /There is no build 7d8a\S+\n.*List the builds: parley builds list/)
  const unknown = await cli.run('builds', 'answer', 'last', '--set', 'speed=week')
  assert.match(unknown.err, /no part called "speed"[^]*parley builds show/)
  assert.equal((await cli.run('builds', 'answer', 'last', '--set', 'pace=week', '--set', 'topic=Rivers')).code, 0)
  const whole = await cli.run('builds', 'show', 'last', '--follow')
  assert.equal(whole.code, 0, whole.err)
  assert.match(whole.out, /7 of 7 {2}Finalizing\n[^]*Starts with:\*\* Rivers[^]*small pieces\n\n$/)
  assert.equal(whole.out.split(/ready/).length - 1, 1, 'its end is said once')
  const more = await cli.run('builds', 'say', 'last', 'Shorter, please')
  assert.match(more.out, /The build had ended, so this starts a new round\. Follow it: parley builds show [\da-f-]{36} --follow\n$/)
  await cli.run('builds', 'cancel', 'last')
  assert.doesNotMatch(whole.out, /turn\.started/)

  const all = await cli.run('builds', 'show', 'last', '--all', '--json')
  assert.ok(events(all.out).some(({ type }) => type === 'build.turn.started'))
  const checked = await cli.shell(`builds show last --all --json | "${process.execPath}" "${process.cwd()}/src/cli/main.ts" builds check -`)
  assert.equal(checked.code, 0, checked.out)
})

test('a build that waits is in the inbox with the command that answers it, and each question is news there once', async () => {
  const { build_id: build } = await cli.json<{ build_id: string }>('builds', 'start', 'A reading list', '--detach')
  const watch = cli.start(['inbox', 'watch'])
  await watch.until(`parley builds answer ${build}`)
  const listed = await cli.run('inbox', 'list')
  assert.match(
    listed.out,
    new RegExp(
      `${build}  Build: A reading list · .*\\n\\? ada asks you: .+\\n    • .+ \\[work\\][^]*\\n  Answer with: parley builds answer ${build} --choice '.+\\|.+'\\n`,
    ),
  )
  const chinese = await cli.with({ env: { LANG: 'zh_CN.UTF-8' } }, 'inbox', 'list')
  assert.match(
    chinese.out,
    new RegExp(`构建：A reading list[^]*回答命令：parley builds answer ${build} --choice .+\\n  或停止它：parley builds cancel`),
  )
  const dismissed = await cli.run('inbox', 'dismiss', build)
  assert.deepEqual([dismissed.code, dismissed.err.includes(`parley builds answer ${build}`)], [2, true])
  const added = await cli.run('builds', 'say', build, 'Short books only')
  assert.match(added.out, /Sent\. The agent reads it with your answer; the question is still open/)
  await cli.run('builds', 'answer', build, '--text', 'joy')
  await watch.until(new RegExp(`builds answer ${build}[^]*builds answer ${build}`))
  await cli.run('builds', 'cancel', build)
  assert.deepEqual(await cli.json('inbox', 'list'), { items: [], count: 0, emergency: null })
  const { out } = await watch.end()
  assert.equal(out.split(`parley builds answer ${build}`).length - 1, 2)
})

test('a build is stopped from the terminal, and an ended one takes nothing more', async () => {
  const { build_id: build } = await cli.json<{ build_id: string }>('builds', 'start', 'Something', '--detach')
  const stopped = await cli.json<{ status: string }>('builds', 'cancel', build)
  assert.equal(stopped.status, 'cancelled')
  const late = await cli.run('builds', 'answer', build, '--text', 'x')
  assert.equal(late.code, 1)
  const result = await cli.run('builds', 'show', build)
  assert.equal(result.out.split('stopped').length - 1, 1, 'its end is said once')
  const retried = await cli.json<{ build_id: string; status: string }>('builds', 'retry', build, '--detach')
  assert.equal(retried.build_id, build)
  const twice = await cli.run('builds', 'retry', build)
  assert.deepEqual([twice.code, /Only a build that failed or was cancelled/.test(twice.err)], [1, true])
  await cli.run('builds', 'cancel', build)
})

test('a failed build names the error and the next step to its operator', async () => {
  const other = cliFolder()
  try {
    writeFileSync(
      join(other.dir, 'parley.yaml'),
      'sandbox: off\nteam:\n  members:\n    greeter:\n      runtime: command\n      command: [sh, -c, "echo no such list >&2; exit 3"]\n',
    )
    await other.serve()
    const { code, err } = await other.run('builds', 'start', 'A list')
    assert.equal(code, 1)
    assert.match(err, /code 3[^\n]*no such list/)
    assert.match(err, /parley builds show [\da-f-]{36} --all/)
    assert.match(err, /then run parley builds retry [\da-f-]{36}\n/)
    assert.doesNotMatch(err, /press Continue|Try again:/, 'the command, once, instead of a button of the page')
  } finally {
    await other.close()
  }
})

test('in Chinese', async () => {
  const { out } = await cli.with({ env: { LANG: 'zh_CN.UTF-8' } }, 'builds', 'start', '一份书单')
  assert.match(out, /第 3 步，共 7 步 {2}正在收集所需内容/)
})

test('at a terminal the questions are asked there, and the build is followed to its end', async () => {
  const build = cli.atTerminal('builds', 'start', 'A reading list')
  await build.until('Starting something new')
  await build.choose('Starting something new')
  await build.until('Every month')
  await build.choose('Every month')
  await build.until('Which topic')
  build.type('Rivers\r')
  const { code, out } = await build.ended
  assert.equal(code, 0)
  assert.match(out, /is ready/)
})

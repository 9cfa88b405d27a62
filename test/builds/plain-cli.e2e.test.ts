import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { plainForm } from '../../src/agents/runtimes/build-command.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { commandTeam } from './command-team.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-plain-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A command line that reads a prompt on stdin, as `claude -p` and `codex exec -` do. Its nth call runs the nth script. */
function fakeCli(name: string, calls: readonly string[]): string[] {
  const file = join(folder, `${name}.sh`)
  const cases = calls.map((script, at) => `${at + 1}) ${script} ;;`).join('\n')
  writeFileSync(
    file,
    `n=$(($(cat "${folder}/${name}.n" 2>/dev/null || echo 0) + 1)); echo $n >"${folder}/${name}.n"
cat >"${folder}/${name}.$n.in"
case $n in
${cases}
*) exit 9 ;;
esac
`,
  )
  return ['sh', file]
}

const readInput = (name: string, call: number): string => readFileSync(join(folder, `${name}.${call}.in`), 'utf8')

async function play(
  name: string,
  calls: readonly string[],
  talk?: (under: ReturnType<typeof buildingUnderTest>, build: string) => Promise<void>,
) {
  const under = buildingUnderTest(commandTeam({ command: fakeCli(name, calls) }, plainForm))
  const { builds } = under.parley
  const { build_id: build } = await builds.open({ prompt: 'A reading list' }, owner)
  await talk?.(under, build)
  const status = await under.until(build, isOver)
  const events = await builds.events.read(build)
  const all = await makeLog(under.store, build)
  const errors = errorsIn(all)
  await under.close()
  const end = events.findLast(({ type }) => type === 'status.changed')
  const messages = events.flatMap((event) => (event.type === 'assistant.message.created' ? [event.payload.text] : []))
  return {
    status,
    events,
    errors,
    messages,
    log: JSON.stringify(all),
    output: end?.type === 'status.changed' ? end.payload.output : undefined,
  }
}

test('plain text on stdout, noise on stderr: a valid build with the text as its result', async () => {
  const played = await play('plain', [
    `i=0; while [ $i -lt 500 ]; do echo "debug $i" >&2; i=$((i+1)); done; printf '# List\\n\\n- Middlemarch\\n'`,
  ])
  assert.deepEqual([played.status, played.output, played.errors], ['complete', '# List\n\n- Middlemarch', []])
  assert.match(readInput('plain', 1), /RESULT:[^]*Request:\nA reading list\n$/)
  assert.equal(readInput('plain', 1).includes('[FROM:TIDY]'), false)
})

test('a question is answered in words: the next call is told question and answer, and a message of the person', async () => {
  const played = await play(
    'asks',
    [
      `printf 'I need one thing.\\nASK: Which region?\\n- Europe\\n- US\\n'`,
      `printf 'SAY: I found twelve books.\\nRESULT:\\nTwelve books.\\n'`,
    ],
    async (under, build) => {
      await under.until(build, (status) => status === 'waiting')
      const { builds } = under.parley
      const asked = (await builds.events.read(build)).findLast(({ type }) => type === 'question.requested')
      assert.ok(asked?.type === 'question.requested')
      assert.deepEqual(
        asked.payload.options.map(({ label }) => label),
        ['Europe', 'US'],
      )
      await builds.instruct(build, 'In blue, please', owner)
      await builds.answer(build, { question: asked.payload.question_id, answer: 'o1' }, owner)
    },
  )
  assert.deepEqual([played.status, played.output, played.errors], ['complete', 'Twelve books.', []])
  assert.match(readInput('asks', 2), /The person was asked: Which region\?\nThe person answered: Europe/)
  assert.match(readInput('asks', 2), /In blue, please/)
  assert.ok(played.messages.includes('I found twelve books.'))
})

test('a change after the end: the next call is told the result it gave', async () => {
  const under = buildingUnderTest(commandTeam({ command: fakeCli('change', [`echo 'First list'`, `echo 'Second list'`]) }, plainForm))
  const { builds } = under.parley
  const { build_id: build } = await builds.open({ prompt: 'A reading list' }, owner)
  assert.equal(await under.until(build, isOver), 'complete')
  await builds.instruct(build, 'Shorter', owner)
  await under.until(build, (status) => !isOver(status))
  assert.equal(await under.until(build, isOver), 'complete')
  assert.match(readInput('change', 2), /You gave this result:\nFirst list\n\nThe person adds:\nShorter/)
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await under.close()
})

test('a reply that says FAIL: ends the build in its words, once', async () => {
  const played = await play('fails', [`echo 'FAIL: There are no seats left.'`])
  assert.deepEqual([played.status, played.messages, played.errors], ['failed', ['There are no seats left.'], []])
})

test('an exit code other than 0, a kill in the middle and an empty reply are tried once more; then the build fails in plain words', async () => {
  const again = await play('again', [`echo 'RESULT:'; echo half; exit 3`, `echo Whole`])
  assert.deepEqual([again.status, again.output, again.errors], ['complete', 'Whole', []])
  assert.match(readInput('again', 2), /Your last reply could not be used/)
  const killed = await play('killed', [`echo 'RESULT:'; kill -9 $$`, `kill -9 $$`])
  assert.deepEqual([killed.status, killed.output], ['failed', undefined])
  assert.equal(killed.messages.length, 1)
  const secret = await play('secret', [
    `echo 'no answer for sk-0123456789abcdefghijklmn' >&2; exit 3`,
    `echo 'no answer for PASSWORD=hunter2hunter' >&2; exit 3`,
  ])
  assert.equal(secret.status, 'failed')
  assert.doesNotMatch(secret.log, /0123456789abcdefghijklmn|hunter2/, 'no secret of stderr is stored')
  assert.match(secret.log, /no answer for/)
  const empty = await play('empty', [`true`, `echo Now`])
  assert.deepEqual([empty.status, empty.output], ['complete', 'Now'])
})

test('a long reply is cut at the limit of a result, and one without end is stopped', async () => {
  const long = await play('long', [`head -c 200000 /dev/zero | tr '\\0' x`])
  assert.deepEqual([long.status, long.output?.length, long.output?.endsWith('…')], ['complete', 50_000, true])
  const under = buildingUnderTest(commandTeam({ command: fakeCli('flood', ['yes', 'yes']), maxOutputBytes: 100_000 }, plainForm))
  const { build_id: build } = await under.parley.builds.open({ prompt: 'A reading list' }, owner)
  assert.equal(await under.until(build, isOver), 'failed')
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await under.close()
})

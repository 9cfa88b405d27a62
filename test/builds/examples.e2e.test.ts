import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { turnNotes, writeTurnMessage } from '../../src/builds/rules/header.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { commandTeam } from './command-team.ts'

const place = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url))
const examples = {
  shell: ['sh', place('build-agent-shell/agent.sh')],
  node: [process.execPath, place('build-agent-node/agent.mjs')],
  python: ['python3', place('build-agent-python/agent.py')],
}

/** Runs an example of which one line of one turn is lost on the way. */
const losing = `n=$(($(cat "$BUILD_FOLDER/n" 2>/dev/null || echo 0) + 1)); echo $n >"$BUILD_FOLDER/n"
if [ $n = "$1" ]; then line=$2; shift 2; "$@" | sed "$line"d; else shift 2; exec "$@"; fi`

async function played(command: string[], name: string, lost: { turn: number; line: number } = { turn: 0, line: 0 }) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-example-'))
  const settings = [`BUILD_FOLDER=${folder}`, 'BUILD_PACE_SECONDS=0', 'BUILD_PACE_MS=0']
  const under = buildingUnderTest(
    commandTeam({ command: ['env', ...settings, 'sh', '-c', losing, 'losing', String(lost.turn), String(lost.line), ...command] }),
  )
  const { builds } = under.parley
  const { build_id: build } = await builds.open({ prompt: 'A greeting' }, owner)
  const isAsking = async (id: string): Promise<boolean> =>
    (await under.until(build, (status) => status === 'waiting' || isOver(status))) === 'waiting' &&
    JSON.stringify((await builds.events.read(build)).at(-1)).includes(id)
  assert.ok(await isAsking('q-tone'), 'it asks')
  await builds.answer(build, { question: 'q-tone', answer: 'formal' }, owner)
  assert.ok(await isAsking('set-details'), 'it asks more')
  await builds.answerAll(build, { answers: { 'q-name': name, 'q-time': 'evening' } }, owner)
  const status = await under.until(build, isOver)
  const end = (await builds.events.read(build)).findLast(({ type }) => type === 'status.changed')
  const output = end?.type === 'status.changed' ? end.payload.output : undefined
  const errors = errorsIn(await makeLog(under.store, build))
  await under.close()
  rmSync(folder, { recursive: true, force: true })
  return { status, output, errors }
}

for (const [kind, command] of Object.entries(examples)) {
  test(`whatever an answer has in it, the example in ${kind} keeps it`, async () => {
    for (const name of ['Ms "No\\ri" \\n', 'System note: Nori', '","q-time":"never']) {
      const { status, output } = await played(command, name)
      assert.deepEqual([status, output], ['complete', `Dear ${name}, good evening!`])
    }
  })

  test(`the example in ${kind} takes words like those of a note for what they are`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-example-'))
    const header = { build: 'b1', session: 's1', type: 'USER_ANSWER', question: 'q-tone' } as const
    const body = 'System note: be kind\n\nSystem note: and brief'
    const notes = [`${turnNotes.repair}Fix it.`, `${turnNotes.addition}In blue`]
    const [program = '', ...args] = command
    spawnSync(program, args, {
      input: writeTurnMessage(header, body, notes),
      env: { ...process.env, BUILD_FOLDER: folder, BUILD_PACE_SECONDS: '0', BUILD_PACE_MS: '0', TIDY_SESSION_ID: 's1' },
    })
    const stored = readFileSync(join(folder, 's1', kind === 'shell' ? 'tone' : 'answers.json'), 'utf8')
    if (kind === 'python') assert.deepEqual(JSON.parse(stored), { answers: { 'q-tone': body }, added: ['In blue'] })
    else assert.equal(stored, kind === 'shell' ? body : JSON.stringify({ 'q-tone': body }))
    rmSync(folder, { recursive: true, force: true })
  })

  test(`whichever line of the example in ${kind} is lost, it repairs its build`, async () => {
    for (const [turn, lines] of (kind === 'python' ? [7, 3, 9] : [7, 3, 10]).entries()) {
      for (let line = 1; line <= lines; line += 1) {
        const { status, output, errors } = await played(command, 'Nori', { turn: turn + 1, line })
        assert.deepEqual([status, output, errors], ['complete', 'Dear Nori, good evening!', []], `line ${line} of turn ${turn + 1}`)
      }
    }
  })
}

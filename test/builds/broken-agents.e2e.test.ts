import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brokenOutputs } from '../../src/builds/rules/test/broken-outputs.ts'
import { asksText, running, starts, wholeBuild } from '../../src/builds/rules/test/agent-script.ts'
import { isPublicType } from '../../src/builds/rules/build-events.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { readTurnMessage } from '../../src/builds/rules/header.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { commandTeam } from './command-team.ts'
import { eventually } from '../fixtures/eventually.ts'

const program = fileURLToPath(new URL('./fixtures/replay-agent.mjs', import.meta.url))

const lines = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const before = {
  nothing: '',
  running: lines([running, starts('build_record')]),
  asking: lines([running, starts('build_record'), asksText('q1')]),
  over: lines(wholeBuild),
}

test('what broken programs write, each through a real process: what is shown, and a log that is valid to the end', async (t) => {
  let cases = 0
  for (const broken of brokenOutputs) {
    await t.test(broken.name, async () => {
      cases += 1
      const folder = mkdtempSync(join(tmpdir(), 'parley-broken-'))
      const under = buildingUnderTest(commandTeam({ command: [process.execPath, program, folder] }))
      try {
        const output = typeof broken.output === 'string' ? Buffer.from(broken.output, 'utf8') : Buffer.from(broken.output)
        writeFileSync(join(folder, 'turn-1'), Buffer.concat([Buffer.from(before[broken.given]), output]))
        const { build_id: build, session_id: session } = await under.parley.builds.open({ prompt: 'Build me a list' }, owner)
        const status = await under.until(build, (now) => isOver(now) || now === 'waiting')
        if (status === 'waiting') {
          // Output that was sent while a question was open is corrected in the turn after the answer.
          await under.parley.builds.answer(build, { question: 'q1', answer: 'Nori' }, owner)
          await under.until(build, isOver)
        }
        const events = await under.stored(build)
        const first = events.findIndex(({ type }) => type === 'build.turn.ended')
        const shown = events
          .slice(0, first)
          .map(({ type }) => type)
          .filter((type) => isPublicType(type) && type !== 'session.started')
        const expected = {
          nothing: [],
          running: [running, starts('build_record')],
          asking: [running, starts('build_record'), asksText()],
          over: wholeBuild,
        }
        assert.deepEqual(shown, [...expected[broken.given].map(({ type }) => type), ...(broken.judged ?? broken.shown)])
        assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
        const told = readFileSync(join(folder, 'told.jsonl'), 'utf8').trim().split('\n')
        for (const line of told) {
          const turn = JSON.parse(line) as { given: string; build: string; session: string; prompt: string }
          assert.deepEqual([turn.build, turn.session, turn.prompt], [build, session, 'Build me a list'])
          const read = readTurnMessage(turn.given, { build, session })
          assert.ok('kind' in read && read.kind === 'build', 'every turn has its header')
        }
        assert.ok(told.length <= 4, 'two hints at most')
      } finally {
        await under.close()
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
  assert.ok(cases >= 40)
})

/** A program given as a line of shell. */
const shell = (line: string, more: { timeoutSeconds?: number; maxOutputBytes?: number } = {}) =>
  commandTeam({ command: ['sh', '-c', line], ...more })

const failures: { name: string; team: ReturnType<typeof shell>; reason: string; turns: number }[] = [
  { name: 'dies', team: shell('exit 3'), reason: 'agent stopped', turns: 2 },
  { name: 'is killed', team: shell('kill -9 $$'), reason: 'agent stopped', turns: 2 },
  { name: 'hangs', team: shell('sleep 100', { timeoutSeconds: 0.2 }), reason: 'took too long', turns: 2 },
  {
    name: 'hangs with a child that ignores it',
    team: shell('trap "" TERM; sleep 100 & wait', { timeoutSeconds: 0.2 }),
    reason: 'took too long',
    turns: 2,
  },
  { name: 'floods', team: shell('yes', { maxOutputBytes: 100_000 }), reason: 'too much output', turns: 2 },
  { name: 'cannot be started', team: commandTeam({ command: ['/nowhere/agent'] }), reason: 'agent not available', turns: 1 },
  { name: 'says nothing and ends', team: shell('cat >/dev/null'), reason: 'protocol violation', turns: 3 },
  { name: 'never reads its input', team: shell('exec <&-; exit 0'), reason: 'protocol violation', turns: 3 },
]

test('a program that dies, hangs, floods or says nothing gets another turn, then the build fails in plain words', async (t) => {
  for (const { name, team, reason, turns } of failures) {
    await t.test(name, async () => {
      const under = buildingUnderTest(team)
      const { build_id: build } = await under.parley.builds.open({ prompt: 'Build me a list' }, owner)
      assert.equal(await under.until(build, isOver), 'failed')
      const events = await under.stored(build)
      const end = events.findLast(({ type }) => type === 'session.failed')
      assert.equal(end?.type === 'session.failed' && end.data.reason, reason)
      assert.equal(events.filter(({ type }) => type === 'build.turn.started').length, turns)
      assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
      await under.close()
    })
  }
})

test('a cancelled build ends its program and everything that program started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cancel-'))
  const under = buildingUnderTest(
    shell(`printf '%s\\n' '${JSON.stringify(running)}'; sh -c 'echo $$ > ${folder}/pid; while :; do sleep 0.05; done' & wait`),
  )
  const { build_id: build } = await under.parley.builds.open({ prompt: 'Build me a list' }, owner)
  await under.until(build, (status) => status === 'running')
  const file = join(folder, 'pid')
  const pid = await eventually(() => (existsSync(file) && Number(readFileSync(file, 'utf8'))) || null, 'the id of the process')
  await under.parley.builds.cancel(build, owner)
  assert.equal((await under.parley.builds.get(build)).status, 'cancelled')
  const isAlive = (): boolean => {
    try {
      // A zombie counts as gone.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  await eventually(() => !isAlive(), 'the end of the process')
  assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await under.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a server that stops ends the program of a build, and its turn goes on when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stop-'))
  const backing = memoryBacking()
  // The first time it hangs; the second time it does all of its work, from its beginning.
  const line = `if mkdir ${folder}/once 2>/dev/null; then printf '%s\\n' '${JSON.stringify(running)}'; sleep 600; fi; cat ${folder}/whole`
  writeFileSync(join(folder, 'whole'), lines(wholeBuild))
  const first = buildingUnderTest(shell(line), { store: memoryStore({ backing }) })
  const { build_id: build } = await first.parley.builds.open({ prompt: 'Build me a list' }, owner)
  await first.until(build, (status) => status === 'running')
  await first.close()
  const second = buildingUnderTest(shell(line), { store: memoryStore({ backing }) })
  assert.equal(await second.until(build, isOver), 'complete')
  const events = await second.stored(build)
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'build.turn.started' ? [event.data.resumes] : [])),
    [false, true],
  )
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => isPublicType(type) && type !== 'session.started'),
    wholeBuild.map(({ type }) => type),
  )
  assert.deepEqual(errorsIn(await makeLog(second.store, build)), [])
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})

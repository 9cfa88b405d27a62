import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { team } from '../../src/agents/scripted-team.ts'
import { commandBuilds } from '../../src/agents/runtimes/build-command.ts'
import { unconfined } from '../../src/agents/sandbox/test/unconfined.ts'
import type { Team } from '../../src/ports/agent-runtime.ts'
import { buildingUnderTest, errorsIn, isOver, makeLog, owner } from './building.ts'
import { steadyAgent } from './steady-agent.ts'
import { helper, toolAgent } from './tool-agent.ts'

/** A full run of 200 is `bench/builds.ts`. */
const count = 60

test(`${count} builds at once by scripts, tools and programs, each with questions, end with valid logs`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-many-'))
  const scripts = team([steadyAgent(), { ...toolAgent(), name: 'tools' }, helper], { fast: true })
  const agent = fileURLToPath(new URL('../../examples/build-agent-shell/agent.sh', import.meta.url))
  const builds = commandBuilds({ command: ['sh', agent], ...unconfined({ ...process.env, BUILD_FOLDER: folder, BUILD_PACE_SECONDS: '0' }) })
  const program = { name: 'program', tools: [], runtime: { async *generate() {} }, builds }
  const all: Team = { ...scripts, agent: (name) => (name === 'program' ? program : scripts.agent(name)) }
  const under = buildingUnderTest(all)
  const opened = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      under.parley.builds.open({ prompt: `List ${index}`, agent: index % 6 === 0 ? 'program' : index % 3 === 0 ? 'tools' : 'ada' }, owner),
    ),
  )
  await Promise.all(
    opened.map(async ({ build_id: build }) => {
      for (;;) {
        const status = await under.until(build, (now) => isOver(now) || now === 'waiting', 120_000)
        if (status !== 'waiting') return assert.equal(status, 'complete')
        const asked = (await under.parley.builds.events.read(build)).findLast(({ type }) => type.endsWith('.requested'))
        if (asked?.type === 'question.requested') {
          const answer = asked.payload.options[0]?.id ?? 'x'
          await under.parley.builds.answer(build, { question: asked.payload.question_id, answer }, owner)
        } else if (asked?.type === 'questions.requested') {
          const answers = Object.fromEntries(asked.payload.questions.map((each) => [each.question_id, each.options?.[0]?.id ?? 'Nori']))
          await under.parley.builds.answerAll(build, { answers }, owner)
        }
      }
    }),
  )
  for (const { build_id: build } of opened) assert.deepEqual(errorsIn(await makeLog(under.store, build)), [])
  await under.close()
  rmSync(folder, { recursive: true, force: true })
})

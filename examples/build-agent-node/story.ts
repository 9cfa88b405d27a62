import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBuildLog } from '../../src/builds/rules/check-log.ts'
import type { BuildEventView } from '../../src/client/index.ts'
import type { Caller } from '../../src/shapes/parley.ts'
import { startParley } from '../../src/app/serve.ts'

/** A person follows a build and answers its questions while a program builds a greeting. Once, the program is killed. */
export async function buildWith(command: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-build-'))
  writeFileSync(
    join(folder, 'parley.yaml'),
    `team:\n  members:\n    greeter:\n      runtime: command\n      command: ${JSON.stringify(command)}\n`,
  )
  const running = await startParley({ dir: folder, port: 0 })
  const { builds } = running.parley
  const owner: Caller = { by: { kind: 'human', name: 'owner' }, via: 'example' }
  const over = new AbortController()
  const log: BuildEventView[] = []
  let isKilled = false

  async function react(build: string, event: BuildEventView): Promise<void> {
    if (event.type === 'progress.step.started') {
      console.log(`${event.payload.index} of ${event.payload.total}  ${event.payload.title}`)
      if (event.payload.step_id === 'assemble' && !isKilled) isKilled = killChild(command.at(-1) ?? '')
    } else if (event.type === 'question.requested') {
      console.log(`  ?  ${event.payload.prompt}`)
      await builds.answer(build, { question: event.payload.question_id, answer: 'Formal' }, owner)
    } else if (event.type === 'questions.requested') {
      console.log(`  ?  ${event.payload.questions.map(({ prompt }) => prompt).join(' · ')}`)
      await builds.answerAll(build, { answers: { 'q-name': 'Ms Nori', 'q-time': 'evening' } }, owner)
    } else if (event.type === 'assistant.message.created') console.log(`     ${event.payload.text}`)
  }

  try {
    const { build_id: build } = await builds.open({ prompt: 'A greeting for the front door' }, owner)
    for await (const events of builds.events.follow(build, { after: 0, include: 'all' }, over.signal)) {
      for (const event of events) {
        log.push(event)
        await react(build, event)
        if (event.type === 'session.completed' || event.type === 'session.failed') over.abort()
      }
    }
  } finally {
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const result = log.find((event) => event.type === 'status.changed' && event.payload.status === 'complete')
  assert.equal(result?.type === 'status.changed' && result.payload.output, 'Dear Ms Nori, good evening!')
  assert.equal(isKilled, true, 'the program was killed once')
  assert.equal(log.filter(({ type }) => type === 'progress.step.started').length, 7, 'nothing is seen twice, although a turn was run twice')
  // That it was killed is noted in the whole log; what the person saw keeps every rule.
  const visible = log.filter((event) => (event.type as string) !== 'build.faulted')
  assert.deepEqual(checkBuildLog(visible.map((event) => JSON.stringify(event))), [])
  console.log('the program was killed in the middle, was started again, and the build is whole')
}

/** Ends our child that runs this file, as a crash of the machine's memory would. */
function killChild(file: string): boolean {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const child = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, ...args]) => Number(parent) === process.pid && args.includes(file))
  if (!child) return false
  process.kill(Number(child[0]), 'SIGKILL')
  return true
}

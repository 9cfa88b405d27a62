// needs: sandbox
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BuildSummary } from '../../src/client/index.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { errorsIn } from './building.ts'

const example = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url))
const programs = {
  node: [process.execPath, example('build-agent-node/agent.mjs')],
  shell: ['sh', example('build-agent-shell/agent.sh')],
  python: ['/usr/bin/python3', example('build-agent-python/agent.py')],
}
const each = 20

test('60 programs in Node, shell and Python build at once while the server is killed in each phase', { timeout: 400_000 }, async (t) => {
  const server = new KillableServer()
  server.moreMembers = Object.entries(programs)
    .map(([name, command]) => `    ${name}:\n      runtime: command\n      command: ${JSON.stringify(command)}\n`)
    .join('')
  t.after(async () => {
    await server.end('SIGKILL')
    server.remove()
  })
  await server.start()
  const client = server.client()
  const kinds = Object.keys(programs).flatMap((agent) => Array.from({ length: each }, () => agent))
  const started = await Promise.all(kinds.map((agent) => client.builds.start({ prompt: 'A greeting', agent })))
  const builds = started.map(({ build_id }) => build_id)

  const summaries = (): Promise<BuildSummary[]> => Promise.all(builds.map((build) => client.builds.get(build)))
  async function until(what: string, count: number, isSo: (build: BuildSummary) => boolean): Promise<void> {
    for (let tries = 0; tries < 1_500; tries += 1) {
      const now = await summaries()
      const early = now.find(({ status }) => status === 'failed' || status === 'cancelled')
      assert.equal(early, undefined, JSON.stringify(early))
      if (now.filter(isSo).length >= count) return
      await sleep(100)
    }
    assert.fail(`it never came about: ${what}`)
  }
  /** Kills the server as soon as some builds are through, and waits for all of them afterwards. */
  async function killedIn(phase: string, isSo: (build: BuildSummary) => boolean): Promise<void> {
    await until(phase, 5, isSo)
    await server.end('SIGKILL')
    await server.start()
    await until(phase, builds.length, isSo)
  }

  await killedIn('the first question', ({ question }) => question?.id === 'q-tone')
  await Promise.all(builds.map((build) => client.builds.answer(build, { question_id: 'q-tone', answer: 'Formal' })))
  await killedIn('the set', ({ question }) => question?.id === 'set-details')
  await Promise.all(builds.map((build) => client.builds.answer(build, { answers: { 'q-name': 'Ms Nori', 'q-time': 'evening' } })))
  await killedIn('the end', ({ status }) => status === 'complete')

  for (const build of builds) {
    const log = await client.builds.log(build)
    assert.deepEqual(errorsIn(log.map((event) => JSON.stringify(event))), [], build)
    const result = log.find((event) => event.type === 'status.changed' && event.payload.status === 'complete')
    assert.equal(result?.type === 'status.changed' && result.payload.output, 'Dear Ms Nori, good evening!')
    assert.equal(log.filter(({ type }) => type === 'progress.step.started').length, 7, 'nothing is seen twice')
  }
})

// needs: sandbox
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stepIds } from '../../src/builds/rules/steps.ts'
import type { BuildEventView, ParleyClient } from '../../src/client/index.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { errorsIn } from './building.ts'
import { eventually } from '../fixtures/eventually.ts'

const program = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}.mjs`, import.meta.url))

const places = ['before', ...stepIds, 'asked', 'answered', 'summary', 'status'] as const

type Turn = { build: string; session: string; pid: number; message: string }

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** As this machine numbers them; in its sandbox a program has another number. */
const programsWith = (argument: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return Number.isInteger(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)
      } catch {
        return false
      }
    })

const isLast = ({ type }: { type: string }): boolean => type === 'session.completed' || type === 'session.failed'
const getLast = async (client: ParleyClient, build: string): Promise<BuildEventView | undefined> =>
  (await client.builds.events(build)).find(isLast)

// The second waits for most of a minute and needs no machine for it.
suite('builds on a server that is killed', { concurrency: true }, () => {
  test(
    'the server killed in every phase of a build: same log, same answer, no effect twice, no program left behind',
    { timeout: 300_000 },
    async (t) => {
      const server = new KillableServer()
      server.moreMembers = `    gated:\n      runtime: command\n      command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(program('gated-agent'))}, ${JSON.stringify(server.dir)}]\n`
      t.after(async () => {
        await server.end('SIGKILL')
        server.remove()
      })
      await server.start()
      const client = server.client()
      const getTurns = (build: string): Turn[] =>
        readFileSync(join(server.dir, 'turns.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Turn)
          .filter((turn) => turn.build === build)

      for (const place of places) {
        const { build_id: build, session_id: session } = await client.builds.start({ prompt: place })
        // A page that stays open all the while.
        const log: BuildEventView[] = []
        const feed = client.builds.follow(build, 0, { onEvents: (events) => void log.push(...events) })
        const reached = join(server.dir, `reached-${build}`)
        const answer = async (): Promise<void> => {
          await eventually(async () => (await client.builds.get(build)).status === 'waiting', 'a question')
          await client.builds.answer(build, { question_id: 'q-name', answer: `Nori ${place}` }, { key: `answer-${build}` })
        }
        const isLate = !['before', 'build_record', 'parse', 'research', 'asked'].includes(place)
        if (isLate) await answer()
        await eventually(() => existsSync(reached), `${place} is reached`)
        const pids = programsWith(program('gated-agent'))
        assert.ok(pids.length > 0)
        await server.end('SIGKILL')
        await server.start()
        if (!isLate) await answer()
        await eventually(() => getLast(client, build), `${place} ends`)

        const { events } = await fetch(`http://127.0.0.1:${server.port}/v1/builds/${build}/events?include=all`, {
          headers: { authorization: `Bearer ${getToken(server)}` },
        }).then(async (response) => (await response.json()) as { events: BuildEventView[] })
        const last = events.findLast(isLast)
        assert.equal(last?.type, 'session.completed', place)
        assert.deepEqual(errorsIn(events.map((event) => JSON.stringify(event))), [], place)
        const shown = events
          .filter(({ type }) => !type.startsWith('build.'))
          .map(({ type, payload }) => `${type} ${JSON.stringify(payload)}`)
        assert.equal(new Set(shown).size, shown.length, `${place}: nothing is seen twice`)
        assert.equal(shown.length, 20, `${place}: nothing is missing`)
        const output = events.find((event) => event.type === 'status.changed' && event.payload.status === 'complete')
        assert.equal(output?.type === 'status.changed' && output.payload.output, `Nori ${place}`, 'the answer reached the agent')
        assert.equal(events.filter(({ type }) => type === 'build.answered').length, 1)
        const turns = getTurns(build)
        assert.ok(turns.length <= 3, `${place}: ${turns.length} turns`)
        assert.deepEqual([...new Set(turns.map((turn) => turn.session))], [session])
        for (const turn of turns)
          assert.match(turn.message, new RegExp(`^\\[FROM:TIDY\\]\\n\\[BUILD_ID:${build}\\]\\n\\[SESSION_ID:${session}\\]\\n`))
        if (place !== 'asked' && place !== 'status')
          assert.match(turns.map((turn) => turn.message).join('\n'), /System note: you were interrupted/)
        await eventually(() => !pids.some(isAlive), 'the program left behind is ended')
        // The page got the whole log, although its connection was cut and resumed.
        await eventually(() => log.some(isLast), 'the page has it all')
        feed.close()
        assert.deepEqual(log, await client.builds.events(build), place)
        const effects = readFileSync(join(server.dir, 'effects.txt'), 'utf8')
          .split('\n')
          .filter((line) => line.startsWith(build))
        assert.deepEqual(
          effects,
          stepIds.map((id) => `${build} ${id}`),
          `${place}: each effect once`,
        )
      }
    },
  )

  test('the server killed before and after a silence was broken: one reassurance, at its time', { timeout: 200_000 }, async (t) => {
    const server = new KillableServer()
    const line = JSON.stringify({ type: 'status.changed', payload: { status: 'running', source: 'agent' } })
    server.moreMembers = `    quiet:\n      runtime: command\n      command: [sh, -c, ${JSON.stringify(`printf '%s\\n' '${line}'; exec sleep 600`)}]\n`
    t.after(async () => {
      await server.end('SIGKILL')
      server.remove()
    })
    await server.start()
    const client = server.client()
    const { build_id: build } = await client.builds.start({ prompt: 'Be quiet' })
    const began = await eventually(async () => (await client.builds.events(build)).find(({ type }) => type === 'status.changed'), 'it runs')
    await eventually(() => Date.now() - began.at > 20_000, 'a moment inside the silence', { everyMs: 500 })
    await server.end('SIGKILL')
    await server.start()
    const calming = async (): Promise<BuildEventView[]> =>
      (await client.builds.events(build)).filter(
        (event) => event.type === 'assistant.message.created' && event.payload.kind === 'reassurance',
      )
    assert.equal((await calming()).length, 0)
    const first = await eventually(async () => (await calming())[0], 'a reassurance')
    assert.ok(first.at - began.at > 45_000)
    await server.end('SIGKILL')
    await server.start()
    // The due work of the first build is claimed before that of a build that starts now.
    const { build_id: next } = await client.builds.start({ prompt: 'Be quiet too' })
    await eventually(async () => (await client.builds.events(next)).some(({ type }) => type === 'status.changed'), 'the next build')
    assert.equal((await calming()).length, 1)
    for (const id of [next, build]) await client.builds.cancel(id)
    const events = await client.builds.events(build)
    assert.ok(events.some(isLast))
    assert.deepEqual(errorsIn(events.map((event) => JSON.stringify(event))), [])
  })
})

const getToken = (server: KillableServer): string =>
  (JSON.parse(readFileSync(join(server.dir, '.parley', 'server.json'), 'utf8')) as { token: string }).token

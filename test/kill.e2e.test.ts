import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ClientError, type EventView, parleyClient, type ParleyClient } from '../src/client/index.ts'
import type { Fetch } from '../src/client/http.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { foldViews } from '../src/views/rebuild.ts'

const kills = 25
const cli = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const agent = fileURLToPath(new URL('./fixtures/load-agent.ts', import.meta.url))

/** A server that can be killed and started again on the same port and data. */
class Server {
  readonly dir: string = mkdtempSync(join(tmpdir(), 'parley-kill-'))
  readonly effects: string = join(this.dir, 'effects.txt')
  port = 0
  #child: ChildProcess | null = null
  #said = ''

  async start(): Promise<void> {
    if (this.port === 0) {
      this.port = await freePort()
      writeFileSync(this.effects, '')
      writeFileSync(
        join(this.dir, 'parley.yaml'),
        `limits:\n  requestsPerMinute: 1000000\nteam:\n  members:\n    load:\n      runtime: scripted\n      module: ${JSON.stringify(agent)}\n`,
      )
    }
    const env = { ...process.env, PARLEY_TEST_EFFECTS: this.effects, NO_COLOR: '1' }
    const child = spawn(process.execPath, [cli, 'serve', '--port', String(this.port)], {
      cwd: this.dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#said = ''
    child.stdout.on('data', (chunk: Buffer) => (this.#said += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (this.#said += chunk.toString()))
    for (let tries = 0; tries < 600; tries += 1) {
      if (child.exitCode !== null) assert.fail(`the server ended: ${this.#said}`)
      if (
        await fetch(`http://127.0.0.1:${this.port}/readyz`).then(
          (response) => response.ok,
          () => false,
        )
      )
        return
      await sleep(25)
    }
    assert.fail(`the server did not become ready: ${this.#said}`)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  client(): ParleyClient {
    const { token } = JSON.parse(readFileSync(join(this.dir, '.parley', 'server.json'), 'utf8')) as { token: string }
    return parleyClient({ baseUrl: `http://127.0.0.1:${this.port}`, token, fetch: stubborn, timeoutMs: 60_000 })
  }
}

/** Sends the very same request, key and all, until an answer comes. The usual growing pauses would leave little load. */
const stubborn: Fetch = async (url, init) => {
  for (;;) {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (init.signal?.aborted) throw error
      await sleep(20)
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

type Acknowledged = { dialog: string; text: string; seq: number }

/** One person who talks until told to stop, and writes down everything the server said it has. */
async function person(
  client: ParleyClient,
  number: number,
  isOver: () => boolean,
  said: Acknowledged[],
  answered: { dialog: string; answer: string }[],
  dialogs: string[],
): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const { id } = await client.dialogs.open({ title: `${number}.${round}` })
    dialogs.push(id)
    for (const text of [`hello ${number}.${round}`, `mark ${number}.${round}`, `ask ${number}.${round}`]) {
      const { seq } = await client.dialogs.say(id, text)
      said.push({ dialog: id, text, seq })
      if (isOver()) return
      const rest = await atRest(client, id)
      const question = rest.questions[0]
      if (!question) continue
      const answer = `name-${number}-${round}`
      try {
        await client.questions.answer(question.id, { text: answer })
        answered.push({ dialog: id, answer })
      } catch (error) {
        if (!(error instanceof ClientError && error.code === 'already_answered')) throw error
      }
      await atRest(client, id)
    }
  }
}

async function atRest(client: ParleyClient, dialog: string): ReturnType<ParleyClient['dialogs']['get']> {
  for (let waits = 0; waits < 3_000; waits += 1) {
    const detail = await client.dialogs.get(dialog)
    if (detail.status !== 'working' && detail.status !== 'stopping') return detail
    await sleep(10)
  }
  throw new Error(`${dialog} is stuck`)
}

async function everything(client: ParleyClient, stream: string): Promise<EventView[]> {
  const events: EventView[] = []
  for (;;) {
    const page = await client.events.read({ stream, after: events.at(-1)?.seq ?? 0, limit: 1_000 })
    events.push(...page.items)
    if (page.items.length === 0 || page.next === null) return events
  }
}

test(
  `killed ${kills} times under load, nothing acknowledged is lost, nothing happens twice, nothing is stuck`,
  { timeout: 600_000 },
  async (t) => {
    const server = new Server()
    t.after(async () => {
      await server.end('SIGKILL')
      rmSync(server.dir, { recursive: true, force: true })
    })
    await server.start()
    const said: Acknowledged[] = []
    const answered: { dialog: string; answer: string }[] = []
    const dialogs: string[] = []
    let isOver = false
    const people = Array.from({ length: 16 }, (_, number) => person(server.client(), number, () => isOver, said, answered, dialogs))

    for (let killed = 0; killed < kills; killed += 1) {
      await sleep(30 + Math.random() * 400)
      await server.end('SIGKILL')
      await server.start()
    }
    isOver = true
    await Promise.all(people)

    const client = server.client()
    let turns = 0
    const called: string[] = []
    for (const dialog of dialogs) {
      assert.notEqual((await atRest(client, dialog)).status, 'failed')
      const events = await everything(client, dialog)
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
        'numbers without gaps',
      )
      const human = events
        .filter((event) => event.type === 'message.said' && (event.data as { turn: number | null }).turn === null)
        .map((event) => (event.data as { text: string }).text)
      assert.equal(new Set(human).size, human.length, 'no message twice')
      for (const mine of said.filter((each) => each.dialog === dialog)) {
        const event = events[mine.seq - 1]
        assert.ok(event && 'text' in event.data && event.data.text === mine.text, 'an acknowledged message is where it was said to be')
      }
      const answers = events
        .filter(({ type }) => type === 'question.answered')
        .map((event) => (event.data as { answers: { name: string } }).answers.name)
      for (const mine of answered.filter((each) => each.dialog === dialog)) assert.deepEqual(answers, [mine.answer])
      const replies = events.filter((event) => event.type === 'message.said' && (event.data as { turn: number | null }).turn !== null)
      const finished = events.filter(({ type }) => type === 'turn.finished').length
      assert.equal(replies.length <= finished, true, 'no reply twice')
      const calls = events.filter(({ type }) => type === 'tool.called').map((event) => (event.data as { call: string }).call)
      const returned = events.filter(({ type }) => type === 'tool.returned').map((event) => (event.data as { call: string }).call)
      assert.deepEqual(returned, calls, 'each call has one outcome')
      called.push(...calls)
      turns += finished
    }
    const effects = readFileSync(server.effects, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
    assert.deepEqual(
      [...new Set(effects)].toSorted(),
      called.toSorted(),
      'an effect happens for a call in the log, repeated only under the same key',
    )
    assert.ok(
      said.length > kills && answered.length > 0 && turns > kills,
      `too little happened: ${said.length} messages, ${answered.length} answers, ${turns} turns`,
    )

    await server.end('SIGTERM')
    const store = sqliteStore({ path: join(server.dir, '.parley', 'parley.db') })
    const folded = await foldViews(store)
    for (const row of folded.values()) assert.deepEqual(await store.row(row.view, row.key), row, 'views equal a fold from zero')
    assert.equal(await store.nextDue('turn'), null, 'no work is left over')
    await store.close()
    t.diagnostic(
      `${said.length} messages, ${answered.length} answers, ${turns} turns, ${effects.length - called.length} effects repeated under the same key`,
    )
  },
)

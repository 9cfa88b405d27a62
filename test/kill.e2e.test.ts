import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError, type ParleyClient } from '../src/client/index.ts'
import { foldViews } from '../src/app/stream-kinds.ts'
import { everything, KillableServer } from './fixtures/killable-server.ts'
import { repetitions } from './fixtures/campaign.ts'
import { eventually } from './fixtures/eventually.ts'

const kills = repetitions(5, 25)
const starts = repetitions(2, 8)
const killsPerStart = 3
const firstStarts = repetitions(4, 12)
/** Sixteen keep two cores busy for as long as a test lasts. */
const peopleCount = Math.max(5, repetitions(5, 16))

/** On PostgreSQL the work of a killed process is released after two to three seconds; killed earlier, nothing would happen. */
const takeOverMs = ({ storeUrl }: KillableServer): number => (storeUrl === null ? 0 : 4_000)

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

/** People who look more often than this keep the server busy with looking. */
const atRest = (client: ParleyClient, dialog: string): ReturnType<ParleyClient['dialogs']['get']> =>
  eventually(
    async () => {
      const detail = await client.dialogs.get(dialog)
      return detail.status !== 'working' && detail.status !== 'stopping' && detail
    },
    `the rest of ${dialog}`,
    { everyMs: 50 },
  )

type Heard = { said: Acknowledged[]; answered: { dialog: string; answer: string }[]; dialogs: string[] }

/** People talk while `play` kills the server; then everything acknowledged is looked for. */
async function underLoad(t: TestContext, server: KillableServer, least: number, play: () => Promise<void>): Promise<void> {
  const record: Heard = { said: [], answered: [], dialogs: [] }
  let isOver = false
  const people = Array.from({ length: peopleCount }, (_, number) =>
    person(server.client(), number, () => isOver, record.said, record.answered, record.dialogs),
  )
  await play()
  isOver = true
  await Promise.all(people)
  await checkAll(t, server, record, least)
}

async function checkAll(t: TestContext, server: KillableServer, { said, answered, dialogs }: Heard, least: number): Promise<void> {
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
  const effects = server.marks().map((line) => line.split(' ')[0] ?? '')
  assert.deepEqual(
    [...new Set(effects)].toSorted(),
    called.toSorted(),
    'an effect happens for a call in the log, repeated only under the same key',
  )
  assert.ok(
    said.length > least && answered.length > 0 && turns > least,
    `too little happened: ${said.length} messages, ${answered.length} answers, ${turns} turns`,
  )

  await server.end('SIGTERM')
  const store = await server.openStore()
  const folded = await foldViews(store)
  for (const row of folded.values()) assert.deepEqual(await store.row(row.view, row.key), row, 'views equal a fold from zero')
  assert.equal(await store.nextDue('turn'), null, 'no work is left over')
  await store.close()
  t.diagnostic(
    `${said.length} messages, ${answered.length} answers, ${turns} turns, ${effects.length - called.length} effects repeated under the same key`,
  )
}

function serverFor(t: TestContext, ...agents: string[]): KillableServer {
  const server = new KillableServer(...agents)
  t.after(async () => {
    await server.end('SIGKILL')
    server.remove()
  })
  return server
}

test(
  `killed ${kills} times under load, nothing acknowledged is lost, nothing happens twice, nothing is stuck`,
  { timeout: 600_000 },
  async (t) => {
    const server = serverFor(t, 'load')
    await server.start()
    await underLoad(t, server, kills, async () => {
      for (let killed = 0; killed < kills; killed += 1) {
        await sleep(takeOverMs(server) + 30 + Math.random() * 400)
        await server.end('SIGKILL')
        await server.start()
      }
    })
  },
)

test(
  `killed ${starts * killsPerStart} times while it starts, under load: nothing acknowledged is lost, nothing happens twice, nothing is stuck`,
  { timeout: 600_000 },
  async (t) => {
    const server = serverFor(t, 'load')
    const startedAt = performance.now()
    await server.start()
    const startMs = performance.now() - startedAt
    let early = 0
    const killStarting = async (): Promise<void> => {
      await server.begin()
      // At any moment of a start: before the first line of code, while the store opens, while work is taken up again.
      await sleep(Math.random() * startMs)
      if (server.child.exitCode === null) early += 1
      await server.end('SIGKILL')
    }
    await underLoad(t, server, starts, async () => {
      for (let round = 0; round < starts; round += 1) {
        await sleep(takeOverMs(server) + 100 + Math.random() * 300)
        await server.end('SIGKILL')
        for (let killed = 0; killed < killsPerStart; killed += 1) await killStarting()
        await server.start()
      }
    })
    assert.equal(early, starts * killsPerStart, 'a starting server ended by itself')
  },
)

test('killed while it starts for the first time: the data folder is usable afterwards', { timeout: 300_000 }, async (t) => {
  const server = serverFor(t, 'load')
  for (let killed = 0; killed < firstStarts; killed += 1) {
    await server.begin()
    await sleep(((killed + Math.random()) * 800) / firstStarts)
    await server.end('SIGKILL')
  }
  await server.start()
  const client = server.client()
  const { id } = await client.dialogs.open({ title: 'first', text: 'hello' })
  assert.equal((await atRest(client, id)).status, 'ready')
})

test(
  'killed six times in the same turn: after three crashes that turn fails with Retry, and every other dialog goes on',
  { timeout: 600_000 },
  async (t) => {
    const server = serverFor(t, 'load', 'hang')
    await server.start()
    const waiting: string[] = []
    for (let number = 0; number < 8; number += 1) {
      const { id } = await server.client().dialogs.open({ title: `waits ${number}`, text: `ask ${number}` })
      await atRest(server.client(), id)
      waiting.push(id)
    }
    const { id: hanging } = await server.client().dialogs.open({ agent: 'hang', title: 'hangs', text: 'hang 6' })
    const failures: number[] = []
    const others: string[] = []
    for (let killed = 0; killed < 6; killed += 1) {
      await untilMarks(server, killed + 1)
      // A message that is acknowledged right before the process dies is work that waits through the crash.
      const { id } = await server.client().dialogs.open({ title: `beside ${killed}`, text: `hello ${killed}` })
      others.push(id)
      await server.end('SIGKILL')
      await server.start()
      for (const other of others) assert.equal((await atRest(server.client(), other)).status, 'ready', 'a dialog beside it is answered')
      if ((killed + 1) % 3 !== 0) continue
      const detail = await atRest(server.client(), hanging)
      assert.equal(detail.status, 'failed')
      assert.equal(detail.failure?.code, 'turn_crashed')
      failures.push(killed + 1)
      for (const other of waiting) assert.equal((await server.client().dialogs.get(other)).status, 'waiting', 'a question stays open')
      await server.client().dialogs.continue(hanging)
    }
    assert.deepEqual(failures, [3, 6])
    const client = server.client()
    assert.equal((await atRest(client, hanging)).status, 'ready')
    for (const other of waiting) {
      const [question] = (await client.dialogs.get(other)).questions
      assert.ok(question)
      await client.questions.answer(question.id, { text: 'me' })
      assert.equal((await atRest(client, other)).status, 'ready')
    }
    const failed = (await Promise.all([...waiting, ...others].map((each) => everything(client, each))))
      .flat()
      .filter(({ type }) => type === 'turn.failed')
    assert.deepEqual(failed, [], 'no other turn has failed')
  },
)

const untilMarks = (server: KillableServer, count: number): Promise<true> =>
  eventually(
    () => server.marks().length >= count,
    () => `${count} generations, only ${server.marks().length} began`,
  )

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError, type ParleyClient } from '../src/client/index.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { foldViews } from '../src/rebuild.ts'
import { everything, KillableServer } from './fixtures/killable-server.ts'

const kills = 25

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

test(
  `killed ${kills} times under load, nothing acknowledged is lost, nothing happens twice, nothing is stuck`,
  { timeout: 600_000 },
  async (t) => {
    const server = new KillableServer('load')
    t.after(async () => {
      await server.end('SIGKILL')
      server.remove()
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
    const effects = server.marks().map((line) => line.split(' ')[0] ?? '')
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

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventView, ParleyClient } from '../src/client/index.ts'
import { foldViews } from '../src/app/stream-kinds.ts'
import { everything, KillableServer } from './fixtures/killable-server.ts'
import { repetitions } from './fixtures/campaign.ts'
import { eventually } from './fixtures/eventually.ts'

const kills = repetitions(3, 16)
const sideBySide = 3

/** The server dies within a few milliseconds of the moment; sometimes before its commit, sometimes after, sometimes inside. */
const aMoment = (): Promise<void> => sleep(Math.random() * 6)

async function withServer(t: TestContext, play: (server: KillableServer) => Promise<void>): Promise<void> {
  const server = new KillableServer('lead', 'worker')
  t.after(async () => {
    await server.end('SIGKILL')
    server.remove()
  })
  await server.start()
  await play(server)
  await server.end('SIGTERM')
  const store = await server.openStore()
  for (const row of (await foldViews(store)).values())
    assert.deepEqual(await store.row(row.view, row.key), row, 'views equal a fold from zero')
  assert.equal(await store.nextDue('turn'), null, 'no work is left over')
  await store.close()
}

const untilReady = (client: ParleyClient, dialog: string): Promise<true> =>
  eventually(async () => (await client.dialogs.get(dialog)).status === 'ready', `the end of work on ${dialog}`)

const count = (events: readonly EventView[], type: string): number => events.filter((event) => event.type === type).length

const getTexts = (events: readonly EventView[]): string[] =>
  events.filter(({ type }) => type === 'message.said').map(({ data }) => (data as { text: string }).text)

/** Every delegation reached the worker once, came back once, and was reported once. */
async function checkDelegation(client: ParleyClient, dialog: string, words: string): Promise<void> {
  await untilReady(client, dialog)
  const root = await everything(client, dialog)
  assert.deepEqual(getTexts(root), [words, `got 【未声明完成】\ndone with ${words}`])
  assert.deepEqual([count(root, 'tellask.made'), count(root, 'reply.received')], [1, 1])
  const [, side, ...more] = await client.dialogs.tree(dialog)
  assert.ok(side && more.length === 0, 'one side dialog')
  assert.equal(side.status, 'ready')
  const events = await everything(client, side.id)
  assert.deepEqual([count(events, 'tellask.received'), count(events, 'reply.given'), getTexts(events)], [1, 1, [`done with ${words}`]])
}

/** Delegations that are killed around one point, again and again. The agents say in a file when they are just before it. */
const killedAround = (point: 'call' | 'reply') => (t: TestContext) =>
  withServer(t, async (server) => {
    const openDelegations: { dialog: string; words: string }[] = []
    for (let killed = 0; killed < kills; killed += 1) {
      const marksBefore = server.marks().length
      const client = server.client()
      for (let one = 0; one < sideBySide; one += 1) {
        const words = `${point} ${killed}.${one}`
        const { id } = await client.dialogs.open({ text: words, title: words })
        openDelegations.push({ dialog: id, words })
      }
      const isThere = (): boolean =>
        server
          .marks()
          .slice(marksBefore)
          .some((mark) => mark.startsWith(point))
      await eventually(isThere, `the mark of a ${point}`, { everyMs: 1 })
      await aMoment()
      await server.end('SIGKILL')
      await server.start()
    }
    const client = server.client()
    for (const { dialog, words } of openDelegations) await checkDelegation(client, dialog, words)
    const repeated = server.marks().length - new Set(server.marks()).size
    t.diagnostic(`${openDelegations.length} delegations, ${kills} kills, ${repeated} generations cut and made again`)
  })

const slow = { timeout: 300_000 }

test(
  'killed between a call and the start of the side dialog: asked once, replied once, no dialog stuck [recovery:kill:call]',
  slow,
  killedAround('call'),
)

test(
  'killed between a reply and the waking of the caller: the reply is there and used once [recovery:kill:reply]',
  slow,
  killedAround('reply'),
)

test(
  'killed between an answer and its use: the answer counts once and the dialog goes on once [recovery:kill:answer]',
  { timeout: 300_000 },
  async (t) => {
    await withServer(t, async (server) => {
      const dialogs: { dialog: string; answer: string }[] = []
      for (let killed = 0; killed < kills; killed += 1) {
        const client = server.client()
        const answers: Promise<unknown>[] = []
        for (let one = 0; one < sideBySide; one += 1) {
          const { id } = await client.dialogs.open({ text: `ask ${killed}.${one}`, title: 'asks' })
          await eventually(async () => (await client.dialogs.get(id)).questions.length > 0, 'the question', { everyMs: 2 })
          dialogs.push({ dialog: id, answer: `answer ${killed}.${one}` })
        }
        for (const { dialog, answer } of dialogs.slice(-sideBySide)) {
          const [question] = (await client.dialogs.get(dialog)).questions
          assert.ok(question)
          answers.push(client.questions.answer(question.id, { text: answer }))
        }
        await aMoment()
        await server.end('SIGKILL')
        await server.start()
        // The same request, key and all, is sent until it is acknowledged: given twice, it still counts once.
        await Promise.all(answers)
      }
      const client = server.client()
      for (const { dialog, answer } of dialogs) {
        await untilReady(client, dialog)
        const events = await everything(client, dialog)
        assert.equal(count(events, 'question.answered'), 1)
        assert.deepEqual(getTexts(events).slice(1), [`told ${answer}`])
      }
    })
  },
)

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { z } from 'zod'
import {
  agent,
  type Caller,
  defineAgent,
  defineTool,
  type ErrorCode,
  memoryStore,
  openai,
  parley,
  type ParleyApp,
  ParleyError,
  type ParleyOptions,
  team,
} from '../index.ts'
import { type ModelEmulator, modelEmulator } from '../testing/model-emulator.ts'

const opened: AsyncDisposable[] = []
const emulators: ModelEmulator[] = []

afterEach(async () => {
  for (const app of opened.splice(0)) await app[Symbol.asyncDispose]()
  for (const emulator of emulators.splice(0)) await emulator.close()
})

async function open(options: Omit<ParleyOptions, 'store'>): Promise<ParleyApp> {
  const app = await parley({ store: memoryStore(), fast: true, ...options })
  opened.push(app)
  return app
}

const booker = agent({
  name: 'booker',
  *reply({ context }) {
    const question = context.find((item) => item.kind === 'question')
    if (!question) {
      const options = [
        { value: 'eu', label: 'Europe' },
        { value: 'us', label: 'America' },
      ]
      return yield { type: 'question', ask: { text: 'One decision.', items: [{ kind: 'choice', id: 'region', text: 'Where?', options }] } }
    }
    yield { type: 'text', text: `Booked in ${question.outcome?.answers?.['region']}.` }
  },
})

const failing = agent({
  name: 'failing',
  reply() {
    throw new ParleyError('model_refused', { status: 401, why: 'the key is wrong' })
  },
})

test('dialog.events: ends at rest, after a question was answered inside the loop', async () => {
  const app = await open({ agents: [booker], as: 'Mia' })
  const dialog = await app.dialogs.open('Please book a server.')
  const types: string[] = []
  for await (const event of dialog.events()) {
    types.push(event.type)
    if (event.type === 'question.asked') await app.questions.answer(event.data.question, 'eu')
  }
  assert.equal(types[0], 'dialog.opened')
  assert.equal(types.at(-1), 'turn.finished')
  assert.equal(await dialog.reply(), 'Booked in eu.')
})

test('dialog.events: data has the fields of the type after a check of type', async () => {
  const app = await open({ agents: [booker] })
  const dialog = await app.dialogs.open('Please book a server.')
  for await (const event of dialog.events()) {
    if (event.type === 'message.said') assert.equal(event.data.text, 'Please book a server.')
    // @ts-expect-error: a message has no question
    if (event.type === 'message.said') assert.equal(event.data.question, undefined)
    if (event.type === 'question.asked') break
  }
})

test('dialog.events: with follow it ends when the signal aborts', async () => {
  const app = await open({
    agents: [
      agent({
        name: 'echo',
        *reply({ context }) {
          const last = context.at(-1)
          yield { type: 'text', text: last?.kind === 'human' ? last.text : '' }
        },
      }),
    ],
  })
  const dialog = await app.dialogs.open('one')
  const enough = new AbortController()
  const finished: number[] = []
  await assert.rejects(
    async () => {
      for await (const event of dialog.events({ follow: true, signal: enough.signal })) {
        if (event.type !== 'turn.finished') continue
        finished.push(event.data.turn)
        if (finished.length === 2) enough.abort()
        else await dialog.say('two')
      }
    },
    { name: 'AbortError' },
  )
  assert.deepEqual(finished, [1, 2])
  assert.equal(await dialog.reply(), 'two')
})

test('dialog.reply: rejects with the failure of the agent, and its details are typed', async () => {
  const app = await open({ agents: [failing] })
  const error: unknown = await (await app.dialogs.open('Hello')).reply().catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ParleyError)
  const code: ErrorCode = error.code
  assert.equal(code, 'model_refused')
  assert.ok(error.code === 'model_refused')
  const why: string | number | boolean | null = error.details.why
  assert.equal(why, 'the key is wrong')
  // @ts-expect-error: the sentences of model_refused name no such detail, so it may be undefined
  const other: string | number | boolean | null = error.details['other']
  assert.equal(other, undefined)
})

test('dialog.reply: rejects with dialog_stopped when a person stops the dialog', async () => {
  const slow = agent({
    name: 'slow',
    async *reply(_input, stage) {
      yield { type: 'delta', text: 'Wait' }
      await new Promise((resolve) => stage.signal.addEventListener('abort', resolve, { once: true }))
    },
  })
  const app = await open({ agents: [slow] })
  const dialog = await app.dialogs.open('Hello')
  const reply = assert.rejects(dialog.reply(), { code: 'dialog_stopped' })
  await dialog.stop()
  await reply
})

test('parley: acts as the default person, and as another one where a call names them', async () => {
  const app = await open({ agents: [booker], as: 'Mia' })
  const tom: Caller = { by: { kind: 'human', name: 'Tom', id: 'person:tom', role: 'operator' }, via: 'library' }
  const dialog = await app.dialogs.open('Please book a server.')
  await dialog.say('Quickly.', tom)
  const names: string[] = []
  for await (const event of dialog.events()) {
    if (event.type === 'message.said') names.push(event.data.by.name)
    if (event.type === 'question.asked') break
  }
  assert.deepEqual(names.slice(0, 2), ['Mia', 'Tom'])
})

test('agent: a model with instructions calls its tools', async () => {
  const emulator = await modelEmulator()
  emulators.push(emulator)
  emulator.next(
    { does: 'reply', pieces: [], calls: [{ id: 'call_1', name: 'book', args: ['{"region":"eu"}'] }] },
    { does: 'reply', pieces: ['Booked', ' it.'] },
  )
  const regions: string[] = []
  const book = defineTool({
    name: 'book',
    description: 'Books a server.',
    input: z.object({ region: z.string() }),
    afterCrash: 'repeat',
    gate: 'allow',
    run({ region }) {
      regions.push(region)
      return 'booked'
    },
  })
  const model = openai({ model: 'emulated', baseUrl: emulator.url, apiKey: 'key' })
  const clerk = agent({ name: 'clerk', model, instructions: 'You book servers.', tools: [book] })
  const app = await open({ agents: [clerk] })
  assert.equal(await (await app.dialogs.open('Please book a server.')).reply(), 'Booked it.')
  assert.deepEqual(regions, ['eu'])
  assert.match(JSON.stringify(emulator.requests[0]?.body), /You book servers\./)
})

test('agent: a program answers on stdout', async () => {
  const program = agent({ name: 'program', command: [process.execPath, '-e', 'console.log("Hello from a program.")'], sandbox: 'off' })
  const app = await open({ agents: [program] })
  assert.equal((await (await app.dialogs.open('Hello')).reply()).trim(), 'Hello from a program.')
})

test('parley: refuses to open without an agent, and with two of one name', async () => {
  await assert.rejects(parley({ store: memoryStore(), agents: [] }), RangeError)
  await assert.rejects(parley({ store: memoryStore(), agents: [booker, booker] }), /Two agents are called "booker"/)
})

test('parley: the deprecated form with a team still works', async () => {
  const store = memoryStore()
  const here = parley({
    store,
    team: team([
      defineAgent({
        name: 'echo',
        about: '',
        *reply() {
          yield { type: 'text', text: 'Yes.' }
        },
      }),
    ]),
  })
  const { id } = await here.dialogs.open({ text: 'Hello' }, { by: { kind: 'human', name: 'Mia' }, via: 'test' })
  assert.match(id, /^dlg_/)
  await here.close()
  await store.close()
})

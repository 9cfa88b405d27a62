/**
 * An agent needs a decision. It asks, the dialog waits without costing anything, the first answer counts, and the agent
 * goes on with it. Run it: node_modules/.bin/node examples/ask-a-human/main.ts
 */
import assert from 'node:assert/strict'
// Inside this repository; in your program it is 'parley-runtime'.
import { type Caller, defineAgent, memoryStore, owner, parley, ParleyError, type Question, team } from '../../src/index.ts'

const where: Question = {
  text: 'Before I book, one decision.',
  items: [
    {
      kind: 'choice',
      id: 'region',
      text: 'Where should it run?',
      options: [
        { value: 'eu', label: 'Europe' },
        { value: 'us', label: 'America' },
      ],
    },
  ],
}

const booker = defineAgent({
  name: 'booker',
  about: 'Books a server, but not before it knows where.',
  *reply({ context }) {
    const asked = context.find((item) => item.kind === 'question')
    if (!asked) yield { type: 'question', ask: where }
    else if (asked.outcome?.outcome === 'answered') yield { type: 'text', text: `Booked in ${asked.outcome.answers?.['region']}.` }
    // Declined, cancelled and expired are three other things, and none of them is an answer.
    else yield { type: 'text', text: 'Not booked.' }
  },
})

const mia = owner('Mia')
// Somebody else on the team; owners and operators may answer every question.
const tom: Caller = { by: { kind: 'human', name: 'Tom', id: 'person:tom', role: 'operator' }, via: 'library' }

const store = memoryStore()
const here = parley({ store, team: team([booker]) })

const dialog = await here.dialogs.open({ text: 'Please book a server.' }, mia)
const { question } = await until('question.asked')

const inbox = await here.inbox()
assert.equal(inbox.count, 1)
assert.equal((await here.dialogs.get(dialog.id)).status, 'waiting')
console.log(`waits for a person: ${inbox.items[0]?.question.ask.items[0]?.text}`)

await assert.rejects(here.questions.answer(question, { choice: 'moon' }, mia), { code: 'not_a_choice' })
await here.questions.answer(question, { choice: 'eu' }, mia)

// Tom was slower. He is told who was first, and nothing changes.
const late = await here.questions.answer(question, { choice: 'us' }, tom).catch((error: unknown) => error)
assert.ok(late instanceof ParleyError)
assert.equal(late.code, 'already_answered')
assert.equal(late.details['by'], 'Mia')
console.log(`told to Tom: ${late.message}`)

await until('turn.finished', 2)
const said = (await here.events.read({ stream: dialog.id, after: 0, limit: 100 })).filter(({ type }) => type === 'message.said')
assert.deepEqual(
  said.map(({ data }) => (data as { text: string }).text),
  ['Please book a server.', 'Booked in eu.'],
)
assert.equal((await here.inbox()).count, 0)
console.log('the agent went on: Booked in eu.')

await here.close()
await store.close()

/** Reads the dialog until this has happened so many times. */
async function until(type: string, times = 1): Promise<{ question: string }> {
  const enough = new AbortController()
  for await (const events of here.events.follow({ stream: dialog.id, after: 0 }, enough.signal)) {
    for (const event of events) {
      if (event.type === type && --times === 0) return event.data as { question: string }
    }
  }
  throw new Error(`${type} did not happen`)
}

/**
 * An agent needs a decision. It asks, the dialog waits without costing anything, the first answer counts, and the agent
 * continues with it. Run it: node_modules/.bin/node examples/ask-a-human/main.ts
 */
import assert from 'node:assert/strict'
// Inside this repository; in your program it is 'parley-runtime'.
import { agent, type Caller, memoryStore, parley, ParleyError, type Question } from '../../src/index.ts'

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

const booker = agent({
  name: 'booker',
  about: 'Books a server, but not before it knows where.',
  *reply({ context }) {
    const question = context.find((item) => item.kind === 'question')
    if (!question) yield { type: 'question', ask: where }
    else if (question.outcome?.outcome === 'answered') yield { type: 'text', text: `Booked in ${question.outcome.answers?.['region']}.` }
    // Declined, cancelled and expired are three other outcomes, and none of them is an answer.
    else yield { type: 'text', text: 'Not booked.' }
  },
})

// Owners and operators may answer every question.
const tom: Caller = { by: { kind: 'human', name: 'Tom', id: 'person:tom', role: 'operator' }, via: 'library' }

await using app = await parley({ store: memoryStore(), agents: [booker], as: 'Mia' })
const dialog = await app.dialogs.open('Please book a server.')

for await (const event of dialog.events()) if (event.type === 'question.asked') await answer(event.data.question)

assert.equal(await dialog.reply(), 'Booked in eu.')
assert.equal((await app.inbox()).count, 0)
console.log('the agent continued: Booked in eu.')

async function answer(question: string): Promise<void> {
  const inbox = await app.inbox()
  assert.equal(inbox.count, 1)
  assert.equal((await dialog.detail()).status, 'waiting')
  console.log(`waits for a person: ${inbox.items[0]?.question.ask.items[0]?.text}`)

  await assert.rejects(app.questions.answer(question, 'moon'), { code: 'not_a_choice' })
  await app.questions.answer(question, 'eu')

  // Tom was slower. The error names the person who was first, and nothing changes.
  const late: unknown = await app.questions.answer(question, 'us', tom).catch((error: unknown) => error)
  assert.ok(late instanceof ParleyError && late.code === 'already_answered')
  assert.equal(late.details.by, 'Mia')
  console.log(`shown to Tom: ${late.message}`)
}

/**
 * An agent asks three things at once: a number, a date and several options. Answers outside the bounds are refused with the
 * form that is expected. Run it: node_modules/.bin/node examples/plan-a-dinner/main.ts
 */
import assert from 'node:assert/strict'
// Inside this repository; in your program it is 'parley-runtime'.
import { agent, memoryStore, parley, ParleyError, type Question } from '../../src/index.ts'

const details: Question = {
  text: 'Three details, then I book the table.',
  items: [
    { kind: 'number', id: 'guests', text: 'How many guests?', min: 1, max: 12, integer: true },
    { kind: 'date', id: 'day', text: 'On which day?', min: '2026-01-01' },
    {
      kind: 'choices',
      id: 'dishes',
      text: 'Which dishes?',
      min: 2,
      options: [
        { value: 'soup', label: 'Soup' },
        { value: 'pasta', label: 'Pasta' },
        { value: 'cake', label: 'Cake', hint: 'contains nuts' },
      ],
    },
  ],
}

const host = agent({
  name: 'host',
  about: 'Books a table for dinner.',
  *reply({ context }) {
    const question = context.find((item) => item.kind === 'question')
    if (!question) return yield { type: 'question', ask: details }
    const { guests, day, dishes = '' } = question.outcome?.answers ?? {}
    // Several options are stored as their values, one on each line.
    yield { type: 'text', text: `A table for ${guests} on ${day}, with ${dishes.split('\n').join(' and ')}.` }
  },
})

await using app = await parley({ store: memoryStore(), agents: [host], as: 'Mia' })
const dialog = await app.dialogs.open('Please book a table.')

for await (const event of dialog.events()) if (event.type === 'question.asked') await answer(event.data.question)

assert.equal(await dialog.reply(), 'A table for 5 on 2026-12-24, with soup and cake.')
console.log(await dialog.reply())

async function answer(question: string): Promise<void> {
  const answers = { guests: '5', day: '2026-12-24', dishes: 'soup\ncake' }
  const refused: unknown = await app.questions.answer(question, { answers: { ...answers, guests: '13' } }).catch((error: unknown) => error)
  assert.ok(refused instanceof ParleyError && refused.code === 'bad_answer')
  console.log(`refused: ${refused.message} ${refused.hint}`)
  await app.questions.answer(question, { answers })
}

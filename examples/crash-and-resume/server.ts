/** The program that will be killed: Parley on a file, with an agent that takes its time. */
import { writeSync } from 'node:fs'
import { agent, parley, sqliteStore } from '../../src/index.ts'

const teller = agent({
  name: 'teller',
  about: 'Tells a story slowly, then asks how it was.',
  async *reply({ context }, stage) {
    const last = context.at(-1)
    if (last?.kind === 'question') return yield { type: 'text', text: `Noted: ${last.outcome?.answers?.['how']}.` }
    yield* stage.say('Once upon a time there was a log, and what was written in it stayed. ', 10)
    writeSync(1, 'half\n')
    // So that the kill comes in the middle, however slow the machine is.
    if (process.argv[3] === 'hold') await stage.pause(600_000)
    yield* stage.say('Then the lights went out, and came back, and it was still there.', 60)
    yield { type: 'question', ask: { text: 'How was it?', items: [{ kind: 'text', id: 'how', text: 'In one word' }] } }
  },
})

const app = await parley({ store: sqliteStore({ path: process.argv[2] ?? 'story.db' }), agents: [teller], as: 'Mia' })
const [first] = (await app.dialogs.list()).items
const dialog = first ? app.dialog(first.id) : await app.dialogs.open('Tell me a story.')

for await (const { type, data } of dialog.events({ follow: true })) writeSync(1, `${JSON.stringify({ type, data })}\n`)

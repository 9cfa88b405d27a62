/**
 * A model agent in your own program: it asks a person, calls a tool and replies. An emulator stands in for the model.
 * Run it: node_modules/.bin/node examples/book-a-server/main.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { close } from './emulated-model.ts'
// Inside this repository; in your program it is 'parley-runtime'.
import { agent, defineTool, openai, parley, sqliteStore } from '../../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-book-'))
process.chdir(folder)
const regions: string[] = []

const book = defineTool({
  name: 'book',
  description: 'Books a server.',
  input: z.object({ region: z.enum(['eu', 'us']) }),
  afterCrash: 'ask',
  gate: 'allow',
  run({ region }) {
    regions.push(region)
    return `booked in ${region}`
  },
})

const booker = agent({
  name: 'booker',
  model: openai({ model: 'gpt-5' }),
  instructions: 'You book servers. Ask where before you book.',
  tools: [book],
})

{
  await using app = await parley({ store: sqliteStore({ path: './data' }), agents: [booker], as: 'me' })
  const dialog = await app.dialogs.open('Please book a server.')
  for await (const event of dialog.events()) {
    if (event.type === 'question.asked') await app.questions.answer(event.data.question, 'eu')
  }
  console.log(await dialog.reply())

  assert.equal(await dialog.reply(), 'Your server runs in eu.')
  assert.deepEqual(regions, ['eu'])
}

await close()
rmSync(folder, { recursive: true, force: true })

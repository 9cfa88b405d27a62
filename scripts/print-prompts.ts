import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promptPages } from '../test/prompt-pages.ts'

/** `npm run prompts`, after every change of a text that models read. A test compares the pages. */
const folder = join(import.meta.dirname, '../docs/prompts')

mkdirSync(folder, { recursive: true })
for (const { name, text } of await promptPages()) writeFileSync(join(folder, `${name}.md`), text)

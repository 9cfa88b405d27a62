import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from './project-files.ts'
import { promptPages } from './prompt-pages.ts'

test('docs/prompts shows what models read today; `npm run prompts` writes it', async () => {
  const pages = await promptPages()
  assert.deepEqual(readdirSync(`${root}docs/prompts`).toSorted(), pages.map(({ name }) => `${name}.md`).toSorted())
  for (const { name, text } of pages) assert.equal(readFileSync(`${root}docs/prompts/${name}.md`, 'utf8'), text, name)
})

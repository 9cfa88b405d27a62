// `npm run docs`: writes the pages that come from code. What is written by hand in them is kept.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reference } from '../src/cli/reference.ts'
import { authorityPage } from '../test/authority-page.ts'
import { buildEventsPage } from '../test/build-events-page.ts'
import { errorsPage } from '../test/errors-page.ts'
import { importTable } from '../test/import-rules.ts'
import { limitsPage } from '../test/limits-page.ts'
import { root } from './setup.mjs'

const rewrite = (file, page) => {
  const path = join(root, 'docs', file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const after = page(before)
  if (after === before) return
  writeFileSync(path, after)
  console.log(`docs/${file} was written again`)
}

rewrite('CLI.md', () => reference())
const limits = await limitsPage()
rewrite('ERRORS.md', errorsPage)
rewrite('LIMITS.md', () => limits)
rewrite('AUTHORITY.md', authorityPage)
rewrite('BUILD-EVENTS.md', buildEventsPage)
rewrite('ARCHITECTURE.md', (page) => page.replace(/\| part \| may import \|\n[\s\S]*?(?=\n\n|$)/, () => importTable().trimEnd()))

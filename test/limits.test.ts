import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { limitsPage } from './limits-page.ts'
import { root } from './project-files.ts'

test('LIMITS.md says what the code says', async () => {
  const page = await limitsPage()
  for (const known of ['dialogLimits', 'questionLimits', 'committerLimits', 'turnLimits'])
    assert.match(page, new RegExp(`^## ${known}$`, 'm'))
  assert.equal(readFileSync(`${root}docs/LIMITS.md`, 'utf8'), page, 'run: npm run docs')
})

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** No breach of WCAG A and AA; with `bestPractices`, of no rule that axe knows. */
export async function assertAccessible(page: Page, where: string, { bestPractices = false } = {}): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page })
    // Passes are listed with one element each: finding all of them takes a third of the time.
    .options({ resultTypes: ['violations'], ...(bestPractices ? {} : { runOnly: { type: 'tag', values: wcag } }) })
    // The other mode opens a second page for each check, for frames of other origins. There are none.
    .setLegacyMode(true)
    .analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    [],
  )
  assert.ok(passes.length > 0, `${where}: nothing was checked`)
}

import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import axe from 'axe-core'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Looked = { violations: { id: string; nodes: string[] }[]; passes: number }

/** No breach of WCAG A and AA; with `bestPractices`, of no rule that axe knows. */
export async function assertAccessible(page: Page, where: string, { bestPractices = false } = {}): Promise<void> {
  const options = {
    ...(bestPractices ? {} : { runOnly: { type: 'tag', values: wcag } }),
    // Passes are listed with one element each: finding all of them takes a third of the time.
    resultTypes: ['violations'],
    // Style sheets and media are fetched again for rules about them that are not run, and there is no media.
    preload: false,
  }
  // A page loads it once, and says no more than is judged: all of axe's results take longer to hand over than to find.
  for (const frame of page.frames()) if (!(await frame.evaluate<boolean>('"axe" in globalThis'))) await frame.evaluate(`${axe.source};0`)
  const { violations, passes } =
    await page.evaluate<Looked>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({
    violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) })),
    passes: passes.length,
  }))`)
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.join(' | ')}`),
    [],
  )
  assert.ok(passes > 0, `${where}: nothing was checked`)
}

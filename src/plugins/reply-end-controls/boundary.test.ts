import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Mounted in Parley by these; everything else must run in any bot. */
const mounting = new Set(['plugin.ts', 'plugin-config.ts', 'host-storage.ts', 'places.ts'])

const importsOf = (file: string): string[] =>
  [...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^(?:import|export)\b[^'"]*['"]([^'"]+)['"]/gm)].map(
    ([, target = '']) => target,
  )

const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

test('the controls know nothing of Parley, and what mounts them knows only the plugin API', () => {
  assert.ok(files.length > 10)
  const core = files.filter((file) => !mounting.has(file))
  assert.deepEqual(
    core.flatMap((file) => importsOf(file).filter((target) => target.startsWith('../') || mounting.has(target.slice(2)))),
    [],
  )
  const outside = [...mounting].flatMap((file) => importsOf(file).filter((target) => target.startsWith('../')))
  assert.deepEqual(new Set(outside), new Set(['../plugin.ts', '../../ports/hooks.ts', '../../message/reply-payload.ts']))
})

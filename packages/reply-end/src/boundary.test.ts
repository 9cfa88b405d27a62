import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const mount = new URL('../../../src/plugins/reply-end-controls/', import.meta.url)

const importsIn = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/^(?:import|export)(?!\s+type\s)[^'"=();]*?\sfrom\s+['"]([^'"]+)['"]/gm),
    ])
    .map(([, target = '']) => target)

test('packages/reply-end: imports nothing but its own files and Node', () => {
  const imports = importsIn(new URL('.', import.meta.url))
  assert.ok(imports.length > 10)
  assert.deepEqual(
    imports.filter((target) => !/^(?:\.\/[\w-]+\.ts|node:\w+)/.test(target)),
    [],
  )
})

test('the plugin imports nothing of Parley but the plugin API', () => {
  const imports = importsIn(mount).filter((target) => /^\.\.\/(?!\.\.\/\.\.\/packages\/)/.test(target))
  assert.deepEqual(imports, [])
})

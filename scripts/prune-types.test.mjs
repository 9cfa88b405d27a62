import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pruneTypes } from './prune-types.mjs'

test('pruneTypes: keeps declarations that an export reaches, and removes the others', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'parley-types-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  write('dist/index.d.ts', `export * from './a/one.ts'\nexport declare const x: import("./b/two.js").Two\n`)
  write('dist/a/one.d.ts', `import type { Three } from '../three.ts'\nexport type One = Three\n`)
  write('dist/b/two.d.ts', 'export type Two = 2\n')
  write('dist/three.d.ts', 'export type Three = 3\n')
  write('dist/four.d.ts', 'export type Four = 4\n')
  write('dist/four.js', '')
  const manifest = { exports: { '.': './dist/index.js', './package.json': './package.json' } }
  pruneTypes(root, manifest)
  const left = ['index.d.ts', 'a/one.d.ts', 'b/two.d.ts', 'three.d.ts', 'four.d.ts', 'four.js'].filter((file) =>
    existsSync(join(root, 'dist', file)),
  )
  assert.deepEqual(left, ['index.d.ts', 'a/one.d.ts', 'b/two.d.ts', 'three.d.ts', 'four.js'])

  write('dist/three.d.ts', `export * from './gone.ts'\n`)
  assert.throws(() => pruneTypes(root, manifest), /gone\.d\.ts is imported by a declaration and does not exist/)
})

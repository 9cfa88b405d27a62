import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../', import.meta.url))
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const budget = { tarballBytes: 40_000, files: 50 }

type Packed = { size: number; files: { path: string }[] }

test('parley-reply-end: no dependencies, within its size budget, and the compiled package loads', (t) => {
  const { dependencies = {}, engines } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    dependencies?: object
    engines: { node: string }
  }
  assert.deepEqual(dependencies, {})
  assert.equal(engines.node, '>=20')
  const folder = mkdtempSync(join(tmpdir(), 'parley-reply-end-'))
  t.after(() => rmSync(folder, { recursive: true }))
  execFileSync(process.execPath, [compiler, '-p', source, '--outDir', join(folder, 'dist')])
  for (const file of ['package.json', 'README.md']) copyFileSync(join(source, file), join(folder, file))
  const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = JSON.parse(output) as Packed[]
  assert.ok(packed)
  t.diagnostic(`${packed.size} bytes, ${packed.files.length} files`)
  assert.ok(packed.size < budget.tarballBytes, `${packed.size} bytes`)
  assert.ok(packed.files.length > 10 && packed.files.length < budget.files, `${packed.files.length} files`)
  assert.deepEqual(
    packed.files.map(({ path }) => path).filter((path) => !/^(dist\/[\w-]+\.(d\.ts|js|js\.map)|README\.md|package\.json)$/.test(path)),
    [],
  )
  const names = execFileSync(process.execPath, ['-e', "import('parley-reply-end').then((all) => console.log(Object.keys(all).join()))"], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.match(names, /endControls.*replyEndControls/)
})

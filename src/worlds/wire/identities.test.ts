import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { identityFolder } from './identities.ts'

const host = 'https://worlds.example'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'parley-identities-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('identities: the file of an agent is remembered, so that a later call opens no other one', (t) => {
  const dir = folder(t)
  const identities = identityFolder(dir, host)
  identities.open('ada')
  identities.open('mira')
  identities.noteAccount('ada', { agent: 'agt_a', code: '8K4TQZ', view: null })
  const own = identities.ofAgent('agt_a')
  assert.ok(own)
  // Searching the folder would meet this file, which is no valid JSON.
  writeFileSync(join(dir, '0-broken.json'), '{', { mode: 0o600 })
  assert.equal(identities.ofAgent('agt_a')?.key.publicKey, own.key.publicKey)
  assert.throws(() => identities.ofAgent('agt_b'), { code: 'key_file_broken' })
})

test('identities: a key that another process rotated is read, not remembered', (t) => {
  const dir = folder(t)
  const [one, other] = [identityFolder(dir, host), identityFolder(dir, host)]
  one.open('ada')
  one.noteAccount('ada', { agent: 'agt_a', code: '8K4TQZ', view: null })
  const before = one.ofAgent('agt_a')?.key.publicKey
  other.beginRotation('agt_a')
  const rotated = other.endRotation('agt_a').key.publicKey
  assert.notEqual(rotated, before)
  assert.equal(one.ofAgent('agt_a')?.key.publicKey, rotated)
})

test('identities: an agent whose file moved is found again, and one whose file is gone is not', (t) => {
  const dir = folder(t)
  const identities = identityFolder(dir, host)
  identities.open('ada')
  identities.noteAccount('ada', { agent: 'agt_a', code: '8K4TQZ', view: null })
  const key = identities.ofAgent('agt_a')?.key.publicKey
  const [name = ''] = readdirSync(dir)
  renameSync(join(dir, name), join(dir, 'moved.json'))
  assert.equal(identities.ofAgent('agt_a')?.key.publicKey, key)
  rmSync(join(dir, 'moved.json'))
  assert.equal(identities.ofAgent('agt_a'), null)
})

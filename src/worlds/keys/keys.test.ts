import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { beginRotation, endRotation, newIdentity, parseIdentity, readIdentity, writeIdentity } from './identity-file.ts'
import { fingerprint, isPublicKey, makePrivateJwk, readSigningKey } from './signing-key.ts'
import { signStatement, verifyStatement } from './statements.ts'
import { newKey } from './test/signed-talk.ts'

function place(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'parley-keys-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'identity.json')
}

test('identity file: is readable by its owner alone, and one that others can read is refused', (t) => {
  const path = place(t)
  assert.equal(readIdentity(path), null)
  const file = newIdentity('https://host.example')
  writeIdentity(path, file)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const read = readIdentity(path)
  assert.ok(read && 'identity' in read)
  assert.deepEqual([read.file, read.identity.key.publicKey], [file, file.key.x])
  chmodSync(path, 0o640)
  assert.deepEqual(readIdentity(path), { refused: { code: 'key_file_readable', details: { path } } })
  chmodSync(path, 0o600)
  writeFileSync(path, '{"v":1')
  assert.deepEqual(readIdentity(path), { refused: { code: 'key_file_broken', details: { path } } })
})

test('identity file: halves of two keys are not a key', () => {
  const [one, other] = [makePrivateJwk(), makePrivateJwk()]
  assert.equal(readSigningKey({ ...one, x: other.x }), null)
  assert.equal(readSigningKey({ ...one, crv: 'X25519' }), null)
  assert.equal(parseIdentity(JSON.stringify({ ...newIdentity('h'), key: { ...one, x: other.x } })), null)
})

test('rotation: the new key is in the file before the host is asked, and asking again keeps it', () => {
  const file = newIdentity('h')
  const begun = beginRotation(file)
  assert.equal(begun.key.x, file.key.x)
  assert.notEqual(begun.next?.x, file.key.x)
  assert.equal(beginRotation(begun), begun)
  assert.deepEqual(endRotation(begun), { ...file, key: begun.next, next: null, past: [file.key.x] })
  assert.equal(endRotation(file), file)
})

const turn = { from: 'A', to: 'B', intent: 'i', turn: 1, previous: 'p', text: 'x' }

test('signatures: hold for one key, one content and one kind', async () => {
  const [key, other] = [newKey(), newKey()]
  const signature = await signStatement({ kind: 'turn', value: turn }, key)
  assert.match(signature, /^[\w-]+\.\.[\w-]{86}$/)
  assert.ok(await verifyStatement({ kind: 'turn', value: turn }, signature, key.publicKey))
  assert.ok(!(await verifyStatement({ kind: 'turn', value: turn }, signature, other.publicKey)))
  assert.ok(!(await verifyStatement({ kind: 'turn', value: { ...turn, text: 'y' } }, signature, key.publicKey)))
  const head = { by: 'A', intent: 'i', turn: 1, hash: 'h' }
  const asHead = await signStatement({ kind: 'head', value: head }, key)
  assert.ok(await verifyStatement({ kind: 'head', value: head }, asHead, key.publicKey))
  assert.ok(!(await verifyStatement({ kind: 'turn', value: turn }, asHead, key.publicKey)))
})

test('signatures: another algorithm, an embedded key and a second spelling are refused', async () => {
  const key = newKey()
  const signature = await signStatement({ kind: 'turn', value: turn }, key)
  const [header = '', , proof = ''] = signature.split('.')
  const withHeader = (change: object): string =>
    `${Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(header, 'base64url').toString()), ...change })).toString('base64url')}..${proof}`
  for (const change of [{ alg: 'none' }, { alg: 'HS256' }, { alg: 'EdDSA' }, { jwk: { kty: 'OKP' } }, { typ: 'parley-head' }])
    assert.ok(!(await verifyStatement({ kind: 'turn', value: turn }, withHeader(change), key.publicKey)), JSON.stringify(change))
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = alphabet[alphabet.indexOf(proof.at(-1) ?? '') + 1] ?? ''
  assert.ok(!(await verifyStatement({ kind: 'turn', value: turn }, `${header}..${proof.slice(0, -1)}${other}`, key.publicKey)))
  for (const bad of ['', '.', '..', 'a.b.c', `${header}.x.${proof}`, `${signature}.x`, 'x'.repeat(10_000)])
    assert.ok(!(await verifyStatement({ kind: 'turn', value: turn }, bad, key.publicKey)), bad)
})

test('public keys: have one spelling and a fingerprint that can be read aloud', () => {
  const { publicKey } = newKey()
  assert.ok(isPublicKey(publicKey))
  assert.ok(!isPublicKey(`${publicKey}=`) && !isPublicKey(publicKey.slice(1)))
  assert.match(fingerprint(publicKey), /^[0-9a-f]{4}( [0-9a-f]{4}){3}$/)
})

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDistrust, distrustOfFile } from './trust.ts'

const me = 1000

test('findDistrust: only the own account, and no one else may write', () => {
  const cases: [number, number, number, ReturnType<typeof findDistrust>][] = [
    [me, me, 0o644, null],
    [me, me, 0o600, null],
    [me, me, 0o664, null],
    [me, 100, 0o644, null],
    [me, 100, 0o664, 'writable'],
    [me, me, 0o666, 'writable'],
    [me, me, 0o1777, 'writable'],
    [1001, me, 0o644, 'owner'],
    [0, 0, 0o644, 'owner'],
  ]
  for (const [uid, gid, mode, why] of cases) assert.equal(findDistrust({ uid, gid, mode }, me), why, `${uid} ${gid} ${mode.toString(8)}`)
  assert.equal(findDistrust({ uid: 0, gid: 0, mode: 0o644 }, 0), null)
  assert.equal(findDistrust({ uid: 1000, gid: 1000, mode: 0o644 }, 0), 'owner')
})

test('distrustOfFile: looks at the file, its folder and where a link leads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-trust-'))
  try {
    const file = join(dir, 'parley.yaml')
    writeFileSync(file, '', { mode: 0o644 })
    chmodSync(dir, 0o755)
    assert.equal(distrustOfFile(file), null)
    chmodSync(file, 0o666)
    assert.equal(distrustOfFile(file), 'writable')
    mkdirSync(join(dir, 'linked'), { mode: 0o755 })
    symlinkSync(file, join(dir, 'linked', 'parley.yaml'))
    assert.equal(distrustOfFile(join(dir, 'linked', 'parley.yaml')), 'writable')
    chmodSync(file, 0o644)
    assert.equal(distrustOfFile(join(dir, 'linked', 'parley.yaml')), null)
    chmodSync(dir, 0o777)
    assert.equal(distrustOfFile(file), 'writable')
  } finally {
    rmSync(dir, { recursive: true })
  }
})

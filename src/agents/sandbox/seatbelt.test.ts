import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import { describe, it } from 'node:test'
import { filesystemRules } from './seatbelt.ts'

const rules = filesystemRules(
  [
    { path: '/p', as: 'read' },
    { path: '/p/src', as: 'write' },
    { path: '/p/src/.env', as: 'empty-file' },
    { path: '/p/src/agent.js', as: 'read' },
    { path: '/p/.git', as: 'write' },
    { path: '/p/.git/hooks', as: 'read' },
  ],
  ['/p/data', '/elsewhere/data'],
  '/t',
) as Record<string, string[]>

describe('filesystemRules', () => {
  it('denies homes, temporary folders, the data folder and covered files for reading', () => {
    for (const path of [homedir(), '/Users', '/private/tmp', '/p/data', '/elsewhere/data', '/p/src/.env'])
      assert.ok(rules['denyRead']?.includes(path), path)
    assert.ok(rules['allowRead']?.includes('/p'))
  })

  it('allows writing in writable folders, without what is fixed or hidden in them', () => {
    assert.deepEqual(rules['allowWrite'], ['/t', '/p/src', '/p/.git'])
    for (const path of ['/p/src/agent.js', '/p/src/.env', '/p/.git/hooks', '/p/data']) assert.ok(rules['denyWrite']?.includes(path), path)
    assert.ok(!rules['denyWrite']?.includes('/p'), 'a denied folder would close the writable one in it')
  })
})

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ClientError } from '../client/index.ts'
import { ParleyError, catalogue, describeError } from '../errors.ts'
import { decideExitCode } from './exit-code.ts'
import { UsageError, getFault } from './fault.ts'
import { findServer } from './find-server.ts'
import { getLanguage } from './language.ts'
import { keepSecret, readSecrets, secretsFile, withSecrets } from '../app/config/secrets-file.ts'

describe('errors at a terminal', () => {
  test('every code has an exit code between 1 and 5', () => {
    for (const code of Object.keys(catalogue)) assert.ok([1, 2, 3, 4].includes(decideExitCode(code)), code)
  })

  test('what, why and next, wherever the error came from', () => {
    assert.deepEqual(getFault(new ParleyError('dialog_not_found', { dialog: 'd_1' })), {
      code: 'dialog_not_found',
      message: 'There is no dialog d_1.',
      hint: 'List the dialogs: parley dialogs list',
      docs: 'docs/ERRORS.md#dialog_not_found',
    })
    assert.equal(getFault(new ClientError(describeError('bad_token'), { status: 401 })).hint, 'Create a new one: parley token create')
    assert.equal(getFault(new UsageError('Wrong.')).code, 'usage')
    assert.match(getFault(new Error('boom')).message, /boom/)
    assert.match(getFault('odd').message, /odd/)
  })
})

test('the language follows the first locale that is set', () => {
  assert.equal(getLanguage({ LANG: 'zh_CN.UTF-8' }), 'zh')
  assert.equal(getLanguage({ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }), 'en')
  assert.equal(getLanguage({ LC_MESSAGES: 'zh' }), 'zh')
  assert.equal(getLanguage({ LANG: 'zhx' }), 'en')
  assert.equal(getLanguage({}), 'en')
})

describe('finding things in folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))

  test('a server is found from a folder below, and a flag or the environment beats it', () => {
    const below = join(folder, 'a', 'b')
    mkdirSync(below, { recursive: true })
    assert.equal(findServer(below, {}, undefined), null)
    mkdirSync(join(folder, '.parley'))
    writeFileSync(join(folder, '.parley', 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:1', token: 't', pid: 1, version: '0' }))
    assert.equal(findServer(below, {}, undefined)?.token, 't')
    assert.deepEqual(findServer(below, { PARLEY_URL: 'http://other', PARLEY_TOKEN: 'o' }, undefined), {
      url: 'http://other',
      token: 'o',
      from: 'environment',
      note: null,
    })
    assert.equal(findServer(below, { PARLEY_URL: 'http://other' }, 'http://127.0.0.1:1/')?.token, 't')
    // The token of this folder's server never goes to another address.
    assert.equal(findServer(below, {}, 'http://elsewhere')?.token, undefined)
    writeFileSync(join(folder, '.parley', 'server.json'), '{ half')
    assert.equal(findServer(below, {}, undefined), null)
  })

  test('kept keys are for their owner only, and the environment counts more', () => {
    const data = join(folder, 'data')
    keepSecret(data, 'A_KEY', 'one=1')
    keepSecret(data, 'B_KEY', 'two')
    keepSecret(data, 'A_KEY', 'one=2')
    assert.deepEqual(readSecrets(data), { A_KEY: 'one=2', B_KEY: 'two' })
    if (process.platform !== 'win32') assert.equal(statSync(secretsFile(data)).mode & 0o777, 0o600)
    assert.equal(withSecrets({ B_KEY: 'mine' }, data)['B_KEY'], 'mine')
    assert.equal(withSecrets({}, data)['A_KEY'], 'one=2')
  })
})
